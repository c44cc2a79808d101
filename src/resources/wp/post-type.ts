import type { MediaTable } from '../../db/tables.ts';
import type { Owned, Viewer } from '../../http/auth.ts';
import type { Fields, GuardedContext, LookupContext, RequestContext } from '../../http/endpoint.ts';
import type { Page } from '../../http/pagination.ts';
import type { Visibility } from '../posts/status-filter.ts';
import type { Term } from '../terms/store.ts';

/** What events, venues and organizers are here, and which rules of their own resources each of them goes by. */

/** A record as its resource keeps it. */
export interface PostRow extends Owned {
  id: number;
  trashed_from: string;
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

/** A record as the resource's own routes show it to the caller: what a password hides is masked. */
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

/** A record on its way to `renderPost`. */
export interface ShownPost<Row> {
  /** In the language of the request. */
  row: Row;
  native: Native;
  image?: MediaTable;
  /** Whether a password hides what the answer would show. */
  isMasked?: boolean;
  terms?: { tags: readonly Term[]; categories: readonly Term[] };
}

/** Meta key -> field of the resource, and how an answer gets its value, if not from the member of that name. */
export type MetaFields = Readonly<Record<string, { field: string; show?: (native: Native) => unknown }>>;

/** A checked write: values by the names of the resource. */
export interface Write<References> {
  input: Readonly<Record<string, unknown>>;
  references: References;
}

export interface PostType<Row extends PostRow = PostRow, References = unknown> {
  /** Last word of the routes, and `type` of the answers. */
  type: 'tribe_events' | 'tribe_venue' | 'tribe_organizer';
  /** First word of the names of the endpoints. */
  name: string;
  plural: string;
  /** Schemas of the resource's own writes. */
  fields: Fields;
  /** Parameter -> field of the resource, besides those that all types have. */
  names: Readonly<Record<string, string>>;
  meta: MetaFields;
  /** Fields of the resource that a creation needs. */
  required: readonly string[];
  list(ctx: RequestContext, filter: PostFilter, page: Page): Promise<{ total: number; rows: Row[] }>;
  find(ctx: RequestContext, id: number): Promise<Row | undefined>;
  mayRead(viewer: Viewer, row: Row): boolean;
  /** Compares a password that a read brought. */
  admit?(ctx: GuardedContext, row: Row, password: string | undefined): Promise<void>;
  show(ctx: RequestContext, rows: readonly Row[], password?: string): Promise<ShownPost<Row>[]>;
  references(
    input: Readonly<Record<string, unknown>>,
    lookup: LookupContext & { current?: Row; isUpdate: boolean },
  ): Promise<References>;
  create(ctx: RequestContext, write: Write<References>): Promise<number>;
  update(ctx: RequestContext, id: number, write: Write<References>): Promise<void>;
}
