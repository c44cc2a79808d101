import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reader } from '../../calendar/posts/event-password.ts';
import { isVisible } from '../../calendar/posts/visibility.ts';
import type { Database } from '../../db/database.ts';
import type { Provider } from '../../db/tables/ticketing.ts';
import { isOneOf, positionIn } from '../../db/value-list.ts';
import type { EventScope } from '../../http/core/auth.ts';
import { searchWords } from '../../lib/text/text.ts';
import { type Keys, keyIn } from '../../platform/translations/store.ts';
import type { Promotion } from '../prices/promotion-rules.ts';
import { capacitySql, hasSeatsSql } from '../seats/seats.ts';
import { scopeConditions } from './event-scope.ts';
import { eventsWithLockedTickets, isShownSql, type TicketVisibility } from './visibility.ts';

/** Filters of a list of tickets; absent members do not restrict. */
export interface TicketFilter {
  visibility: TicketVisibility;
  /** UTC. */
  now: string;
  search?: string;
  /** Language of the texts to search and sort by, unless it is the site's first. */
  language?: string;
  /** Reader whose rights and password determine which tickets are locked. */
  reader: Reader;
  /** Promotion of the request, which opens hidden tickets. */
  promotion?: Promotion;
  requiresCode?: boolean;
  /** Whether a filter uses masked values, so that the list must exclude locked tickets. */
  asksWithheld: boolean;
  isAvailable?: boolean;
  providers?: readonly Provider[];
  /** Creation time, UTC, both included. */
  after?: string;
  before?: string;
  include?: readonly number[];
  exclude?: readonly number[];
  includeEvent?: readonly number[];
  excludeEvent?: readonly number[];
  attendees: Range;
  checkedIn: Range;
  /** Events whose attendees may be counted. */
  countedEvents: EventScope;
  capacity: Range;
  /** UTC. */
  availableFrom?: string;
  availableUntil?: string;
}

interface Range {
  min?: number;
  max?: number;
}

export interface TicketOrder {
  by: 'id' | 'include' | 'title' | 'slug' | 'menu_order';
  direction: 'ASC' | 'DESC';
}

type Condition = RawBuilder<SqlBool>;

const FROM = sql`tickets AS t JOIN events AS e ON e.id = t.event_id LEFT JOIN event_stock AS s ON s.event_id = t.event_id`;

/** A page of ids, and the total of matching tickets. */
export async function listTickets(
  db: Database,
  { filter, order }: { filter: TicketFilter; order: TicketOrder },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; ids: number[] }> {
  const conditions = conditionsOf(db, filter);
  const locked = eventsWithLockedTickets(filter.reader);
  if (locked && filter.asksWithheld) conditions.push(sql`t.event_id NOT IN (${locked})`);
  const where = sql.join(conditions, sql` AND `);
  const hits = locked ? sql`count(CASE WHEN t.event_id IN (${locked}) THEN 1 END)` : sql`0`;
  const counted = await sql<{ total: number; locked: number }>`SELECT count(*) AS total, ${hits} AS locked
    FROM ${FROM} WHERE ${where}`.execute(db.query);
  const total = Number(counted.rows[0]?.total ?? 0);
  if (offset >= total) return { total, ids: [] };
  const key = keyColumn(order, filter);
  const page =
    key && locked && Number(counted.rows[0]?.locked ?? 0) > 0
      ? besideOthers({ where, locked, key, way: sql.raw(order.direction) })
      : sql`SELECT t.id AS id FROM ${FROM} WHERE ${where} ORDER BY ${orderOf(order, filter)}`;
  const { rows } = await sql<{ id: number }>`${page} LIMIT ${limit} OFFSET ${offset}`.execute(db.query);
  return { total, ids: rows.map(({ id }) => id) };
}

/**
 * Sorts tickets by a column that is masked for locked ones. A locked ticket follows the unlocked one with the next
 * lower id: sorted by its own value, its position would reveal the value.
 */
const besideOthers = ({ where, locked, key, way }: Record<'where' | 'locked' | 'key' | 'way', RawBuilder<unknown>>) =>
  sql`SELECT listed.id AS id
    FROM (SELECT t.id AS id, max(CASE WHEN t.event_id NOT IN (${locked}) THEN t.id END) OVER (ORDER BY t.id) AS anchor
      FROM ${FROM} WHERE ${where}) AS listed LEFT JOIN tickets AS t ON t.id = listed.anchor
    ORDER BY coalesce(${key}, '') ${way}, listed.anchor, listed.id`;

/** The text column that an order compares; undefined for orders by id. */
function keyColumn({ by }: TicketOrder, { language }: TicketFilter): RawBuilder<unknown> | undefined {
  if (by === 'title') return keyOf('name_key', language);
  return by === 'slug' ? sql`t.slug` : undefined;
}

/** Every order ends with the id, ascending, so that it is total. */
function orderOf(order: TicketOrder, filter: TicketFilter): RawBuilder<unknown> {
  const { include } = filter;
  const way = sql.raw(order.direction);
  const key = keyColumn(order, filter);
  if (key) return sql`${key} ${way}, t.id`;
  if (order.by === 'menu_order') return sql`t.menu_order ${way}, t.id`;
  if (order.by !== 'include' || !include) return sql`t.id ${way}`;
  return sql`${positionIn(sql`t.id`, include)} ${way}`;
}

function conditionsOf(db: Database, filter: TicketFilter): Condition[] {
  const { include, exclude, includeEvent, excludeEvent, providers } = filter;
  return [
    sql<SqlBool>`t.is_deleted = 0`,
    ...visible(filter.visibility),
    ...isShownSql(filter.reader.viewer, filter.promotion),
    ...(filter.requiresCode === undefined ? [] : [sql<SqlBool>`t.requires_code = ${filter.requiresCode ? 1 : 0}`]),
    ...(include ? [isOneOf(sql`t.id`, include)] : []),
    ...(exclude ? [sql<SqlBool>`NOT (${isOneOf(sql`t.id`, exclude)})`] : []),
    ...(includeEvent ? [isOneOf(sql`t.event_id`, includeEvent)] : []),
    ...(excludeEvent ? [sql<SqlBool>`NOT (${isOneOf(sql`t.event_id`, excludeEvent)})`] : []),
    ...(providers ? [isOneOf(sql`t.provider`, providers)] : []),
    ...searchConditions(db, filter),
    ...timeConditions(filter),
    ...seatConditions(filter),
    ...countConditions(filter),
  ];
}

/** The author of a ticket is the author of its event. */
const visible = ({ eventStatuses, ticketStatuses, ownOf }: TicketVisibility): Condition[] => [
  isVisible({ statuses: ticketStatuses, ownOf }, sql`t.status`, sql`e.author_id`),
  isVisible({ statuses: eventStatuses, ownOf }, sql`e.status`, sql`e.author_id`),
];

function searchConditions(db: Database, { search = '', language }: TicketFilter): Condition[] {
  const text = keyOf('search_text', language);
  return searchWords(search).map((word) => sql<SqlBool>`${db.dialect.contains(text, word)}`);
}

/** The folded name or the folded text of a ticket in a language. */
const keyOf = (column: keyof Keys, language: string | undefined) =>
  keyIn(language, column, {
    kind: sql`'ticket'`,
    id: sql`t.id`,
    own: sql.ref<string>(column === 'name_key' ? 't.title_key' : 't.search_text'),
  });

function timeConditions({ after, before, availableFrom, availableUntil }: TicketFilter): Condition[] {
  return [
    ...(after === undefined ? [] : [sql<SqlBool>`t.date_utc >= ${after}`]),
    ...(before === undefined ? [] : [sql<SqlBool>`t.date_utc <= ${before}`]),
    ...(availableFrom === undefined
      ? []
      : [sql<SqlBool>`(t.sale_start_utc = '' OR t.sale_start_utc >= ${availableFrom})`]),
    ...(availableUntil === undefined
      ? []
      : [sql<SqlBool>`(t.sale_end_utc = '' OR t.sale_end_utc <= ${availableUntil})`]),
  ];
}

/** A ticket without a limit has more seats than any minimum and any maximum. */
function seatConditions({ capacity: { min, max }, isAvailable, now }: TicketFilter): Condition[] {
  return [
    ...(min === undefined ? [] : [sql<SqlBool>`(${capacitySql} IS NULL OR ${capacitySql} >= ${min})`]),
    ...(max === undefined ? [] : [sql<SqlBool>`${capacitySql} <= ${max}`]),
    ...(isAvailable === undefined ? [] : [isAvailable ? hasSeatsSql(now) : sql<SqlBool>`NOT ${hasSeatsSql(now)}`]),
  ];
}

function countConditions({ attendees, checkedIn, countedEvents }: TicketFilter): Condition[] {
  const conditions = [
    ...inRange(sql`(SELECT count(*) FROM attendees AS a WHERE a.ticket_id = t.id AND a.status <> 'trash')`, attendees),
    ...inRange(
      sql`(SELECT count(*) FROM attendees AS a WHERE a.ticket_id = t.id AND a.status <> 'trash' AND a.checked_in = 1)`,
      checkedIn,
    ),
  ];
  return conditions.length > 0 ? [...conditions, ...scopeConditions(countedEvents, sql.ref('t.event_id'))] : [];
}

const inRange = (count: RawBuilder<unknown>, { min, max }: Range): Condition[] => [
  ...(min === undefined ? [] : [sql<SqlBool>`${count} >= ${min}`]),
  ...(max === undefined ? [] : [sql<SqlBool>`${count} <= ${max}`]),
];
