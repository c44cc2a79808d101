import type { Visibility } from '../calendar/posts/visibility.ts';
import type { Term } from '../calendar/terms/store.ts';
import type { MediaTable } from '../db/tables/platform.ts';
import type { Owned, Viewer } from '../http/core/auth.ts';
import type { Fields, GuardedContext, LookupContext, RequestContext } from '../http/core/endpoint.ts';
import type { Page } from '../http/output/pagination.ts';
import type { LinkedKind } from '../lib/linked-kinds.ts';

/** The `wp/v2` types of events, venues and organizers, with the rules of their resources. */

/** A record as stored by its resource. */
export interface PostRow extends Owned {
  id: number;
  trashed_from: string;
  revision: number;
  title: string;
  description: string;
  excerpt?: string;
}

export interface PostFilter {
  visibility: Visibility;
  search?: string;
  include?: readonly number[];
  slugs?: readonly string[];
  categories?: readonly number[];
  tags?: readonly number[];
}

/** A record as rendered by the resource for the viewer, masked if locked. */
export type Native = Readonly<{
  status: string;
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
  url: string;
  slug?: string;
  description?: string;
  excerpt?: string;
  [member: string]: unknown;
}>;

/** Input of `renderPost`. */
export interface ShownPost<Row> {
  /** In the language of the request. */
  row: Row;
  native: Native;
  image?: MediaTable;
  /** Whether the record is locked for the viewer. */
  isMasked?: boolean;
  terms?: { tags: readonly Term[]; categories: readonly Term[] };
}

/** Meta key -> field of the resource; `show` computes the value, by default the member of that name. */
export type MetaFields = Readonly<Record<string, { field: string; show?: (native: Native) => unknown }>>;

/** A validated write, by field of the resource. */
interface Write<References> {
  input: Readonly<Record<string, unknown>>;
  references: References;
}

export interface PostType<Row extends PostRow = PostRow, References = unknown> {
  /** Last segment of the routes, and `type` in responses. */
  type: 'tribe_events' | `tribe_${LinkedKind}`;
  /** First part of endpoint names. */
  name: string;
  singular: string;
  plural: string;
  /** Schemas of the resource's own writes. */
  fields: Fields;
  /** Parameter -> field of the resource, besides the fields common to all types. */
  names: Readonly<Record<string, string>>;
  meta: MetaFields;
  /** Required fields of a new record. */
  required: readonly string[];
  list(ctx: RequestContext, filter: PostFilter, page: Page): Promise<{ total: number; rows: Row[] }>;
  find(ctx: RequestContext, id: number): Promise<Row | undefined>;
  mayRead(viewer: Viewer, row: Row): boolean;
  /** Checks the password of a read. */
  admit?(ctx: GuardedContext, row: Row, password: string | undefined): Promise<void>;
  show(ctx: RequestContext, rows: readonly Row[], password?: string): Promise<ShownPost<Row>[]>;
  references(
    input: Readonly<Record<string, unknown>>,
    lookup: LookupContext & { current?: Row; isUpdate: boolean },
  ): Promise<References>;
  create(ctx: RequestContext, write: Write<References>): Promise<number>;
  update(ctx: RequestContext, id: number, write: Write<References>): Promise<void>;
}
