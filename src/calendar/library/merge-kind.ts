import type { Database } from '../../db/database.ts';
import type { LinkKind } from '../../db/tables/calendar.ts';
import type { Viewer } from '../../http/core/auth.ts';
import type { Fields, LookupContext, RequestContext } from '../../http/core/endpoint.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import type { PreparedImage } from '../../platform/media/image-storage.ts';
import type { RecordTexts, Translation } from '../../platform/translations/rules.ts';
import type { PostReferences } from '../posts/post.ts';

/** Properties of any record that can be merged. */
export interface Mergeable {
  id: number;
  slug: string;
  revision: number;
}

/** Transaction and request of a merge. */
export interface MergeContext {
  db: Database;
  ctx: RequestContext;
}

/** Chosen fields of the survivor. */
export interface Choice {
  input: Readonly<Record<string, unknown>>;
  references: PostReferences;
}

/** State of a record before a merge; stored as JSON. */
export interface Snapshot<T> {
  record: T;
  translations: readonly Translation[];
  formerSlugs: readonly string[];
  /** Ids of its child categories. */
  children: readonly number[];
}

/** How the records of a kind are merged. */
export interface MergeKind<T extends Mergeable> {
  name: LinkKind;
  /** Last segment of the routes. */
  plural: string;
  /** Fields of the survivor that a merge may set. */
  fields: Fields;
  audited: Pick<AuditedKind, 'name' | 'snapshot'>;
  titleOf(record: T): string;
  find(db: Database, id: number): Promise<T | undefined>;
  /** Whether the viewer may know that a record exists. */
  isVisibleTo(viewer: Viewer, record: T): boolean;
  /** Whether the viewer may change and delete a record; without a record, any at all. */
  mayChange(viewer: Viewer, record?: T): boolean;
  /** Throws for records in the trash. */
  check(record: T): void;
  /** Excludes other writes to these records. */
  lock(db: Database, ids: readonly number[]): Promise<void>;
  /** Looks up the references in the chosen fields. */
  findChoice(input: Choice['input'], lookup: LookupContext): Promise<Choice>;
  /** Sets the chosen fields. */
  change(context: MergeContext, record: T, choice: Choice & { image?: PreparedImage }): Promise<void>;
  /** Replaces the texts of a record. */
  replaceTexts(db: Database, record: T, texts: RecordTexts): Promise<void>;
  /** Makes subscribed calendars notice that the record of their events was replaced. */
  announce(db: Database, id: number): Promise<void>;
  childrenOf(db: Database, id: number): Promise<number[]>;
  /** Removes a merged record; its earlier URLs redirect to the survivor. */
  retire(context: MergeContext, record: T, survivor: T): Promise<void>;
  /** Restores a merged record; false if that has already been done. */
  restore(db: Database, snapshot: Snapshot<T>, survivorId: number): Promise<boolean>;
  /** Restores the survivor from its snapshot. */
  revert(db: Database, current: T, snapshot: Snapshot<T>): Promise<void>;
  recount(db: Database, ids: readonly number[]): Promise<void>;
}

// The functions of a kind agree on its record; a list of kinds need not know it.
// biome-ignore lint/suspicious/noExplicitAny: existential type of a heterogeneous list
export type AnyMergeKind = MergeKind<any>;
