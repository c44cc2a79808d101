import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Event } from '../../calendar/events/store.ts';
import { STATUSES } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import type { Provider } from '../../db/tables/ticketing.ts';
import type { Tables } from '../../db/tables.ts';
import { isOneOf, isOneOfNames, positionIn } from '../../db/value-list.ts';
import type { EventScope } from '../../http/core/auth.ts';
import { orderIdOf } from '../../lib/order-number.ts';
import { fold, searchWords } from '../../lib/text/text.ts';
import { scopeConditions } from '../tickets/event-scope.ts';
import { PROVIDERS } from '../tickets/providers.ts';
import type { Ticket } from '../tickets/store.ts';
import { ADMITTED_STATUSES, isAdmitted, isAdmittedSql } from './admission.ts';
import type { Attendee } from './store.ts';

/** Filters of a list of attendees: absent members do not restrict, an empty list matches nothing. */
export interface AttendeeFilter {
  /** Events whose attendees are all visible; for other events only public attendees are. */
  readable: EventScope;
  /** Only attendees of events that have ended by a time (UTC), or not. */
  ends?: { isUpcoming: boolean; now: string };
  /** Only attendees of these events. */
  within?: EventScope;
  providers?: readonly Provider[];
  search?: string;
  /** Words that must all be part of the name or the e-mail address, the order number, or the security code. */
  staffSearch?: string;
  name?: string;
  email?: string;
  events?: readonly number[];
  exceptEvents?: readonly number[];
  tickets?: readonly number[];
  exceptTickets?: readonly number[];
  include?: readonly number[];
  exclude?: readonly number[];
  order?: number;
  /** UTC, both included. */
  after?: string;
  before?: string;
  /** Paid amount in minor units. RSVPs never match. */
  priceMin?: number;
  priceMax?: number;
  /** Statuses of the event, the attendee, and the order; `any` and the groups as in the API. */
  eventStatuses?: readonly string[];
  statuses?: readonly string[];
  attendanceStatuses?: readonly string[];
  checkedIn?: boolean;
  /** RSVP answers; attendees of paid tickets have none and match. */
  going?: readonly string[];
  hasInformation?: boolean;
}

type SortKey = 'id' | 'date' | 'include' | 'title' | 'slug' | 'checkin' | 'event';

export interface Slice {
  orderby: SortKey;
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

type Builder = ExpressionBuilder<Tables, 'attendees'>;
type Condition = Expression<SqlBool>;

/** The ids of a slice of the matching attendees, and the total. */
export async function listAttendees(
  db: Database,
  filter: AttendeeFilter,
  slice: Slice,
): Promise<{ total: number; ids: number[] }> {
  const { limit, offset } = slice;
  const all = isSearch(filter) ? await findFew(db, filter, slice) : undefined;
  if (all) return { total: all.length, ids: all.slice(offset, offset + limit) };
  const total = await countAttendees(db, filter);
  if (total <= offset) return { total, ids: [] };
  const rows = await matching(db, filter)
    .select('id')
    .orderBy(sortColumn(slice.orderby, filter), slice.order)
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { total, ids: rows.map(({ id }) => id) };
}

const isSearch = ({ search, staffSearch, name, email }: AttendeeFilter): boolean =>
  [search, staffSearch, name, email].some((text) => text !== undefined);

/** Maximum number of search matches that are read in one query. */
const FEW = 1000;

/**
 * Ids of all matching attendees; undefined if there are more than a few. Reads each row once: counting rare matches and
 * then finding them in the order of an index would read nearly all rows twice.
 */
async function findFew(db: Database, filter: AttendeeFilter, { orderby, order }: Slice): Promise<number[] | undefined> {
  const found = matching(db, filter)
    .select(['id', sortColumn(orderby, filter).as('place')])
    .limit(FEW + 1);
  const rows = await db.query
    .with(
      (cte) => cte('found').materialized(),
      () => found,
    )
    .selectFrom('found')
    .select('id')
    .orderBy('place', order)
    .orderBy('id')
    .execute();
  return rows.length > FEW ? undefined : rows.map(({ id }) => id);
}

const matching = (db: Database, filter: AttendeeFilter) =>
  db.query
    .selectFrom('attendees')
    .where((eb) => eb.and(conditions(db, filter, eb)))
    .where(hasEvent(filter, 'attendees.event_id'));

/** The matching attendees after an id, by id: a batch that costs the same wherever it begins. */
export const findAttendeesAfter = (
  db: Database,
  filter: AttendeeFilter,
  { after, limit }: { after: number; limit: number },
): Promise<Attendee[]> => matching(db, filter).where('id', '>', after).selectAll().orderBy('id').limit(limit).execute();

/** Checks each event once instead of once per attendee, and none if the filter has no event conditions. */
async function countAttendees(db: Database, filter: AttendeeFilter): Promise<number> {
  const found = db.query.selectFrom('attendees').where((eb) => eb.and(conditions(db, filter, eb)));
  if (eventConditions(filter).length === 0) {
    const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return Number(total);
  }
  const byEvent = found
    .select((eb) => ['event_id', eb.fn.countAll<number>().as('count')])
    .groupBy('event_id')
    .as('found');
  const { total } = await db.query
    .selectFrom(byEvent)
    .where(hasEvent(filter, 'found.event_id'))
    .select((eb) => eb.fn.sum<number | null>('found.count').as('total'))
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

function sortColumn(key: SortKey, { include }: AttendeeFilter) {
  if (key === 'include' && include) return positionIn(sql.ref('id'), include);
  if (key === 'event')
    return sql<string>`coalesce((SELECT e.utc_end_date FROM events AS e WHERE e.id = attendees.event_id), '')`;
  const column = {
    id: 'id',
    include: 'id',
    date: 'date_utc',
    title: 'name_key',
    slug: 'slug',
    checkin: 'checkin_utc',
  } as const;
  return sql.ref<string | number>(column[key]);
}

/** Condition: the event of a row meets the event conditions of the filter. */
function hasEvent(filter: AttendeeFilter, id: string): Condition {
  const needed = eventConditions(filter);
  if (needed.length === 0) return sql<SqlBool>`1 = 1`;
  return sql<SqlBool>`EXISTS (SELECT 1 FROM events WHERE events.id = ${sql.ref(id)} AND ${sql.join(needed, sql` AND `)})`;
}

/** All conditions except those of `hasEvent`. */
function conditions(db: Database, filter: AttendeeFilter, eb: Builder): Condition[] {
  const among = (column: 'event_id' | 'ticket_id' | 'id', values?: readonly number[]) =>
    values ? [isOneOf(eb.ref(column), values)] : [];
  const notAmong = (column: 'event_id' | 'ticket_id' | 'id', ids?: readonly number[]) =>
    among(column, ids).map((condition) => eb.not(condition));
  return [
    ...visible(filter, eb),
    ...scopeConditions(filter.within ?? 'all', sql.ref('attendees.event_id')),
    ...(filter.providers ? [isOneOfNames(eb.ref('provider'), { names: filter.providers, known: PROVIDERS })] : []),
    ...among('event_id', filter.events),
    ...notAmong('event_id', filter.exceptEvents),
    ...among('ticket_id', filter.tickets),
    ...notAmong('ticket_id', filter.exceptTickets),
    ...among('id', filter.include),
    ...notAmong('id', filter.exclude),
    ...(filter.order === undefined ? [] : [eb('order_id', '=', filter.order)]),
    ...(filter.after ? [eb('date_utc', '>=', filter.after)] : []),
    ...(filter.before ? [eb('date_utc', '<=', filter.before)] : []),
    ...priceConditions(filter, eb),
    ...statusConditions(filter, eb),
    ...(filter.checkedIn === undefined ? [] : [eb('checked_in', '=', eb.lit(filter.checkedIn ? 1 : 0))]),
    ...(filter.going
      ? [eb.or([eb('provider', '=', sql.lit('tc')), isOneOf(eb.ref('attendance_status'), filter.going)])]
      : []),
    ...(filter.hasInformation === undefined ? [] : [eb('information', filter.hasInformation ? '<>' : '=', '{}')]),
    ...textConditions(db, filter, eb),
  ];
}

function visible({ readable }: AttendeeFilter, eb: Builder): Condition[] {
  if (readable === 'all') return [];
  if (readable === 'none') return [isShownSql(eb)];
  return [eb.or([...scopeConditions(readable, sql.ref('attendees.event_id')), isPublicSql(eb)])];
}

/** Conditions on `events`. */
function eventConditions({ readable, eventStatuses, ends }: AttendeeFilter): Condition[] {
  const eb = expressionBuilder<Tables, 'events'>();
  return [
    ...(readable === 'none' ? [isPublicEventSql(eb)] : []),
    ...(ends ? [eb('events.utc_end_date', ends.isUpcoming ? '>=' : '<', ends.now)] : []),
    ...(isAny(eventStatuses)
      ? []
      : [isOneOfNames(eb.ref('events.status'), { names: eventStatuses ?? [], known: STATUSES })]),
  ];
}

const isAny = (values: readonly string[] | undefined): boolean => values === undefined || values.includes('any');

function priceConditions({ priceMin, priceMax }: AttendeeFilter, eb: Builder): Condition[] {
  if (priceMin === undefined && priceMax === undefined) return [];
  return [
    eb('provider', '=', sql.lit('tc')),
    ...(priceMin === undefined ? [] : [eb('price', '>=', priceMin)]),
    ...(priceMax === undefined ? [] : [eb('price', '<=', priceMax)]),
  ];
}

function statusConditions({ statuses, attendanceStatuses }: AttendeeFilter, eb: Builder): Condition[] {
  return [
    isAny(statuses) ? eb('status', '<>', 'trash') : isOneOf(eb.ref('status'), statuses ?? []),
    ...(isAny(attendanceStatuses) ? [] : [hasAttendanceStatus(attendanceStatuses ?? [], eb)]),
  ];
}

/** `public` and `private` are groups: the statuses that admit, and all others. */
function hasAttendanceStatus(requested: readonly string[], eb: Builder): Condition {
  const status = eb.ref('attendance_status');
  const named = requested.flatMap((name) => (name === 'public' ? ADMITTED_STATUSES : [name]));
  const others = requested.includes('private') ? [eb.not(isOneOf(status, ADMITTED_STATUSES))] : [];
  return eb.or([isOneOf(status, named), ...others]);
}

function textConditions(db: Database, filter: AttendeeFilter, eb: Builder): Condition[] {
  const { search, staffSearch, name, email } = filter;
  const contains = (column: 'name_key' | 'email_key', text: string) => db.dialect.contains(eb.ref(column), text);
  return [
    ...(search === undefined ? [] : searchWords(search).map((word) => contains('name_key', word))),
    ...(name === undefined ? [] : [contains('name_key', fold(name))]),
    ...(email === undefined ? [] : [contains('email_key', fold(email))]),
    ...(staffSearch === undefined ? [] : searchWords(staffSearch).map((word) => isFoundByStaff(db, word, eb))),
  ];
}

/** Matches a word of `staffSearch`. A security code must match whole, so that a search reveals nothing about codes. */
function isFoundByStaff(db: Database, word: string, eb: Builder): Condition {
  const orders = orderIdsFor(word);
  return eb.or([
    db.dialect.contains(eb.ref('name_key'), word),
    db.dialect.contains(eb.ref('email_key'), word),
    eb('security_code', '=', word),
    ...orders.map((id) => eb('order_id', '=', id)),
  ]);
}

/** Ids of the orders that a search word may name: `12`, or a number such as `MG8RJ9`, each also after `#`. */
export function orderIdsFor(word: string): number[] {
  const name = word.replace(/^#/, '');
  const ids = [/^\d{1,15}$/.test(name) ? Number(name) : undefined, orderIdOf(name)];
  return ids.filter((id) => id !== undefined);
}

/** Whether an attendee is public: admitted, not opted out, the event is public and the ticket not hidden. */
export const isPublicAttendee = (
  attendee: Attendee,
  event: Pick<Event, 'status' | 'password'> | undefined,
  ticket: Pick<Ticket, 'requires_code'> | undefined,
): boolean =>
  event?.status === 'publish' &&
  event.password === '' &&
  attendee.optout === 0 &&
  ticket?.requires_code !== 1 &&
  isAdmitted(attendee);

/** `isPublicAttendee` for rows of `attendees`. */
export const isPublicSql = (eb: ExpressionBuilder<Tables, 'attendees'>): Expression<SqlBool> =>
  eb.and([
    isShownSql(eb),
    eb.exists(
      eb
        .selectFrom('events')
        .select('events.id')
        .whereRef('events.id', '=', 'attendees.event_id')
        .where((event) => isPublicEventSql(event)),
    ),
  ]);

/** The attendee's part of `isPublicSql`. */
const isShownSql = (eb: ExpressionBuilder<Tables, 'attendees'>): Expression<SqlBool> =>
  eb.and([
    isAdmittedSql,
    eb('optout', '=', 0),
    // A literal, because partial indexes do not support bound values.
    eb('ticket_id', 'not in', eb.selectFrom('tickets').select('tickets.id').where('requires_code', '=', sql.lit(1))),
  ]);

/** The event's part of `isPublicSql`. */
const isPublicEventSql = (eb: ExpressionBuilder<Tables, 'events'>): Expression<SqlBool> =>
  eb.and([eb('events.status', '=', sql.lit('publish')), eb('events.password', '=', '')]);
