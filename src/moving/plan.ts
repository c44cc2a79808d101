import type { Database } from '../db/database.ts';
import { isOneOf } from '../db/value-list.ts';
import { isRecord } from '../lib/text/list.ts';
import { findUser } from '../platform/users/store.ts';
import { type Draft, draftHash, type Finding, fieldHashes } from './drafts.ts';
import { findLink, type Link, type LinkKind } from './links.ts';

/** Plans of records. The link of a record decides its plan, so planning writes nothing. */

export type Plan =
  | { action: 'create' }
  /**
   * `fields`: they change. `kept`: they were changed here since, and stay. `isTouched`: whether anything was changed
   * here.
   */
  | {
      action: 'change' | 'conflict';
      link: Link;
      fields: readonly string[];
      kept: readonly string[];
      isTouched: boolean;
    }
  | { action: 'same'; link: Link }
  | { action: 'cannot'; why: Finding };

export type Action = Plan['action'];

/** Number of records by outcome and kind. */
export type Counts = Record<string, Record<string, number>>;

/** Parses stored counts. */
export function readCounts(text: string): Counts {
  const parsed: unknown = JSON.parse(text);
  // Written by imports.
  return isRecord(parsed) ? (parsed as Counts) : {};
}

/** Names of actions in counts. */
const OUTCOMES: Readonly<Record<Action, string>> = {
  ...{ create: 'created', change: 'changed', same: 'same', conflict: 'conflict', cannot: 'cannot' },
};

export function countAction(counts: Counts, action: Action, kind: string): void {
  const name = OUTCOMES[action];
  counts[name] ??= {};
  const kinds = counts[name];
  kinds[kind] = (kinds[kind] ?? 0) + 1;
}

export interface PlanOptions {
  source: string;
  /** Whether changes at the source replace changes made here. */
  isTheirs: boolean;
  /** Preloaded links. */
  links?: KnownLinks;
}

interface KnownLinks {
  find(db: Database, kind: LinkKind, id: number): Promise<Link | undefined>;
}

/** Prefix of the request id in the audit log for changes by an import. */
export const IMPORT_REQUEST = 'import-';

type FollowedKind = Exclude<Draft['kind'], 'account' | 'order'>;

/** Whether changes are followed: an account and an order belong to this site once they are imported. */
const isFollowed = (kind: Draft['kind']): kind is FollowedKind => kind !== 'account' && kind !== 'order';

const TABLES = {
  order: 'orders',
  category: 'terms',
  tag: 'terms',
  venue: 'linked_posts',
  organizer: 'linked_posts',
  event: 'events',
  series: 'series',
  ticket: 'tickets',
  attendee: 'attendees',
  media: 'media',
} as const;

/** The revision of a record; undefined if it was deleted here. */
export async function findRevision(db: Database, kind: LinkKind, id: number): Promise<number | undefined> {
  if (kind === 'account') return (await findUser(db, id))?.credentials_version;
  const row = await db.query.selectFrom(TABLES[kind]).select('revision').where('id', '=', id).executeTakeFirst();
  return row?.revision;
}

/** Finds the records that exist. */
export async function findPresent(
  db: Database,
  kind: Exclude<LinkKind, 'account'>,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = db.query
    .selectFrom(TABLES[kind])
    .select('id')
    .where((eb) => isOneOf(eb.ref('id'), ids));
  return new Set((await rows.execute()).map(({ id }) => id));
}

/** Plans a record of a source. */
export async function planDraft(db: Database, draft: Draft, { source, isTheirs, links }: PlanOptions): Promise<Plan> {
  if (draft.cannot) return { action: 'cannot', why: draft.cannot };
  const link = await (links ? links.find(db, draft.kind, draft.id) : findLink(db, source, draft.kind, draft.id));
  if (!link || link.record_id === null) return { action: 'create' };
  const { kind } = draft;
  if (link.hash === draftHash(draft) || !isFollowed(kind)) return { action: 'same', link };
  const changed = changedFields(link, draft);
  const changedHere = await findChangedHere(db, kind, link);
  if (changedHere === 'deleted') return { action: 'conflict', link, fields: [], kept: changed, isTouched: true };
  const kept = isTheirs ? [] : changed.filter((field) => changedHere === 'unknown' || changedHere.has(field));
  const fields = changed.filter((field) => !kept.includes(field));
  const isTouched = changedHere === 'unknown' || changedHere.size > 0;
  if (fields.length > 0) return { action: 'change', link, fields, kept, isTouched };
  return kept.length > 0 ? { action: 'conflict', link, fields, kept, isTouched } : { action: 'same', link };
}

/** Fields whose value at the source differs from the imported one, including those that have become empty. */
function changedFields(link: Link, draft: Draft): string[] {
  const before = storedHashes(link);
  const after = fieldHashes(draft);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
}

function storedHashes({ fields }: Link): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(fields);
  return isRecord(parsed) ? parsed : {};
}

/** Parameters that the audit log knows by other names. */
const AUDITED: Readonly<Record<string, string>> = {
  date: 'date_utc',
  event: 'post_id',
  // Values of the events of a series.
  ...{ time: 'start_date', end_time: 'end_date', event_publication: 'status' },
  ...Object.fromEntries(
    ['mode', 'capacity', 'event_capacity', 'sale_price', 'sale_price_start', 'sale_price_end'].map((name) => [
      name,
      'ticket',
    ]),
  ),
};

/**
 * Parameters of a record that were changed here after its import, other than by imports, according to the audit log.
 * Changes without an entry are by jobs, such as the publication of a scheduled event. Unknown once the first entries
 * have expired.
 */
export async function findChangedHere(
  db: Database,
  kind: Exclude<LinkKind, 'account'>,
  { record_id, revision }: Pick<Link, 'record_id' | 'revision'>,
): Promise<ReadonlySet<string> | 'deleted' | 'unknown'> {
  const current = await findRevision(db, kind, record_id ?? 0);
  if (current === undefined) return 'deleted';
  if (current === revision) return new Set();
  const rows = await db.query
    .selectFrom('audit')
    .select(['fields', 'revision', 'request_id'])
    .where('kind', '=', kind)
    .where('record_id', '=', record_id ?? 0)
    .execute();
  const isComplete = rows.some((row) => row.revision !== null && row.revision <= (revision ?? 0));
  if (!isComplete) return 'unknown';
  const later = rows.filter(
    (row) => !row.request_id.startsWith(IMPORT_REQUEST) && (row.revision === null || row.revision > (revision ?? 0)),
  );
  // A list of names, written by the audit log.
  const names = later.flatMap(({ fields }) => JSON.parse(fields) as string[]);
  return new Set(names.flatMap((name) => [name, AUDITED[name] ?? name]));
}

/** Fields that a plan writes. */
export const fieldsOf = (plan: Plan): readonly string[] => ('fields' in plan ? plan.fields : []);
