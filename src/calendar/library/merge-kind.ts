import type { Database } from '../../db/database.ts';
import type { LinkKind } from '../../db/tables.ts';
import type { Viewer } from '../../http/core/auth.ts';
import type { Fields, LookupContext, RequestContext } from '../../http/core/endpoint.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import type { PreparedImage } from '../../platform/media/image-storage.ts';
import type { RecordTexts, Translation } from '../../platform/translations/rules.ts';
import type { PostReferences } from '../posts/post.ts';

/** What merges need to know of any record. */
export interface Mergeable {
  id: number;
  slug: string;
  revision: number;
}

/** The transaction of a merge, and the request. */
export interface MergeContext {
  db: Database;
  ctx: RequestContext;
}

/** The chosen fields of the survivor. */
export interface Choice {
  input: Readonly<Record<string, unknown>>;
  references: PostReferences;
}

/** A record as it was before a merge; stored as JSON. */
export interface Snapshot<T> {
  record: T;
  translations: readonly Translation[];
  formerSlugs: readonly string[];
  /** Ids of the categories below it. */
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
  /** Whether the caller knows that a record exists. */
  isVisibleTo(viewer: Viewer, record: T): boolean;
  /** Whether the caller may change and delete a record; of no record, whether of any. */
  mayChange(viewer: Viewer, record?: T): boolean;
  /** Refuses records in the trash. */
  check(record: T): void;
  /** Excludes other writes to these records. */
  lock(db: Database, ids: readonly number[]): Promise<void>;
  /** Looks up what the chosen fields name. */
  findChoice(input: Choice['input'], lookup: LookupContext): Promise<Choice>;
  /** Sets the chosen fields. */
  change(context: MergeContext, record: T, choice: Choice & { image?: PreparedImage }): Promise<void>;
  /** Replaces the texts of a record. */
  replaceTexts(db: Database, record: T, texts: RecordTexts): Promise<void>;
  /** Calendars that follow the events of a record have to notice that it is exchanged. */
  announce(db: Database, id: number): Promise<void>;
  childrenOf(db: Database, id: number): Promise<number[]>;
  /** Takes a merged record away, whose former addresses lead to the survivor. */
  retire(context: MergeContext, record: T, survivor: T): Promise<void>;
  /** Puts a merged record back; false if somebody else has done so. */
  restore(db: Database, snapshot: Snapshot<T>, survivorId: number): Promise<boolean>;
  /** Puts the survivor back as it was, given as it is. */
  revert(db: Database, current: T, snapshot: Snapshot<T>): Promise<void>;
  recount(db: Database, ids: readonly number[]): Promise<void>;
}

// The functions of a kind agree on its record; a list of kinds need not know it.
// biome-ignore lint/suspicious/noExplicitAny: existential type of a heterogeneous list
export type AnyMergeKind = MergeKind<any>;
