import { hash } from 'node:crypto';
import { auditedEvent } from '../calendar/events/audited.ts';
import { auditedSeries } from '../calendar/events/series/audited.ts';
import { linkedPostKinds } from '../calendar/linked-kinds/registry.ts';
import { auditedLinkedPost } from '../calendar/linked-posts/audited.ts';
import { findFormerSlugs } from '../calendar/posts/former-slugs.ts';
import { auditedTaxonomy } from '../calendar/terms/audited.ts';
import type { Database } from '../db/database.ts';
import type { ImportChangesTable } from '../db/tables/import.ts';
import type { LocalTime } from '../lib/dates/dates.ts';
import type { AuditedKind, Values } from '../platform/audit/kind.ts';
import { findAttendee } from '../ticketing/attendees/store.ts';
import { auditedTicket } from '../ticketing/tickets/audited.ts';
import { type Link, type LinkKind, PER_STATEMENT } from './links.ts';

/** Records that an import created and changed here, so that it can be undone. */

/** A note about a record, written with its page. */
export interface NewChange {
  kind: LinkKind;
  record_id: number;
  /** 0 without a link. */
  foreign_id: number;
  action: ImportChangesTable['action'];
  revision: number | null;
  former?: Former;
}

/** State of a record before a change. */
export interface Former {
  /** Link before the change. */
  link?: Link;
  /** Values of the changed fields, by the parameters that write them. */
  values?: Values;
  /** Changed texts in other languages than the first. */
  texts?: Readonly<Record<string, Values>>;
  /** UTC time of its last change. */
  modified?: LocalTime | '';
  /** Its earlier addresses. */
  slugs?: readonly string[];
  /** Whether the change applied to all events of a series. */
  isOfSeries?: boolean;
  /** Whether the money of its order was booked with the order. */
  isSettled?: boolean;
  /** Digest of the password of a new account. */
  password?: string;
}

export async function saveChanges(db: Database, import_id: number, changes: readonly NewChange[]): Promise<void> {
  const rows = changes.map(({ former = {}, ...change }) => ({ ...change, import_id, former: JSON.stringify(former) }));
  for (let from = 0; from < rows.length; from += PER_STATEMENT)
    await db.query
      .insertInto('import_changes')
      .values(rows.slice(from, from + PER_STATEMENT))
      .execute();
}

/** Identifies the hash of a password without storing it again. */
export const passwordDigest = (password_hash: string): string => hash('sha256', password_hash, 'hex').slice(0, 32);

type Snapshots = Pick<AuditedKind, 'snapshot' | 'restoring'>;

/** Kinds whose fields the audit log can read. */
export const SNAPSHOTS: Partial<Record<LinkKind, Snapshots>> = {
  event: auditedEvent,
  series: auditedSeries,
  ticket: auditedTicket,
  venue: auditedLinkedPost(linkedPostKinds.venue),
  organizer: auditedLinkedPost(linkedPostKinds.organizer),
  category: auditedTaxonomy('category'),
  tag: auditedTaxonomy('tag'),
};

/** Fields of a record by the parameters that write them. */
interface State {
  values: Values;
  texts: Readonly<Record<string, Values>>;
  modified: LocalTime | '';
  slugs: readonly string[];
}

/** The state of a record before or after a change; undefined if it does not exist. */
export async function findState(db: Database, kind: LinkKind, id: number): Promise<State | undefined> {
  if (kind === 'attendee') return stateOfAttendee(db, id);
  const snapshot = await SNAPSHOTS[kind]?.snapshot(db, id);
  if (!snapshot) return undefined;
  const { fields, texts = {}, secret = {} } = snapshot;
  const slugs = kind === 'ticket' || kind === 'series' ? [] : await findFormerSlugs(db, addressed(kind, id));
  return { values: { ...fields, ...secret }, texts, modified: await modifiedOf(db, kind, id), slugs };
}

// Records of other kinds have no address.
const addressed = (kind: LinkKind, id: number) => ({ kind: kind as 'event' | 'venue' | 'category', id });

async function stateOfAttendee(db: Database, id: number): Promise<State | undefined> {
  const attendee = await findAttendee(db, id);
  if (!attendee) return undefined;
  const { full_name, email, optout, checked_in, security_code, modified_utc } = attendee;
  const values = { full_name, email, optout: optout === 1, check_in: checked_in === 1, security_code };
  return { values, texts: {}, modified: modified_utc as LocalTime, slugs: [] };
}

const DATED = { event: 'events', venue: 'linked_posts', organizer: 'linked_posts', ticket: 'tickets' } as const;

async function modifiedOf(db: Database, kind: LinkKind, id: number): Promise<LocalTime | ''> {
  const table = DATED[kind as keyof typeof DATED];
  if (table === undefined) return '';
  const row = await db.query.selectFrom(table).select('modified_utc').where('id', '=', id).executeTakeFirst();
  return (row?.modified_utc ?? '') as LocalTime | '';
}

/** The values before a change of the fields that differ after it. */
export function formerOf(before: State, after: State | undefined): Former {
  const languages = new Set([before, after].flatMap((state) => Object.keys(state?.texts ?? {})));
  const texts = [...languages].flatMap((language) => {
    const changed = changedValues(before.texts[language], after?.texts[language]);
    return Object.keys(changed).length > 0 ? [[language, changed] as const] : [];
  });
  const { modified, slugs } = before;
  return { values: changedValues(before.values, after?.values), texts: Object.fromEntries(texts), modified, slugs };
}

function changedValues(before: Values = {}, after: Values = {}): Values {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, before[name] ?? null]));
}
