import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { can, eventScope, type Viewer } from '../../http/core/auth.ts';
import { endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { localTime } from '../../http/output/output.ts';
import { addDays, addSeconds, localDay, toUtc } from '../../lib/dates/dates.ts';
import { utcRange } from '../../lib/dates/periods.ts';
import { countRefusals } from '../../platform/limits/refusals.ts';
import { orderConditionsOf } from '../orders/order-scope.ts';
import { findAvailability } from '../seats/seats.ts';
import { scopeConditions } from '../tickets/event-scope.ts';
import { findSoldPlaces } from '../tickets/store.ts';
import { findSums } from './attendance.ts';
import { findMailTasks, mailTaskFields } from './mail-tasks.ts';
import { findMoneyTasks, moneyTaskFields } from './money-tasks.ts';
import { findNames, subjectSchema } from './names.ts';
import { salesDaySchema, salesReport } from './sales.ts';
import { attendanceScope, salesScope } from './scope.ts';

/** Content of the console's home screen. */

/** Maximum number of records listed per kind; all are counted. */
const MAX_LISTED = 20;
const WEEK = 7;
/** Days before the start of an event from which its drafts are due and nearly sold-out tickets are reported. */
const SOON = 14;
/** Maximum number of tickets checked for few seats left, from the next events on. */
const MAX_TICKETS = 500;

const subject = z.object(subjectSchema);
const datesOf = z.object({
  count: z.int(),
  events: z
    .array(
      z.object({
        ...subjectSchema,
        end_date: localTime,
        all_day: z.boolean(),
        timezone: z.string(),
        event_status: z.string(),
        sold: z.int().describe('Attendees whose places count.'),
        came: z.int().describe('Attendees who are checked in.'),
        capacity: z.int().describe('Places of all its tickets; -1 without tickets, or if any has no limit.'),
      }),
    )
    .describe(`At most ${MAX_LISTED}, earliest first.`),
});

const overviewSchema = z
  .object({
    timezone: z.string(),
    today: datesOf.describe('Published events that take place today, in the time zone of the site.'),
    week: datesOf.describe('Events of today and the next six days.'),
    tasks: z
      .object({
        pending_orders: z.object({ count: z.int() }).nullable(),
        drafts_due: z
          .object({ count: z.int(), events: z.array(subject) })
          .nullable()
          .describe(`Drafts of events that start within ${SOON} days.`),
        reviews: z
          .object({ count: z.int(), events: z.array(subject) })
          .nullable()
          .describe('Events pending review.'),
        images_without_alt: z.object({ count: z.int() }).nullable(),
        low_stock: z
          .object({
            count: z.int(),
            tickets: z.array(z.object({ ...subjectSchema, available: z.int(), capacity: z.int() })),
          })
          .nullable()
          .describe(
            `Tickets of events that start within ${SOON} days with at most a tenth of the places left, but not sold out; among the first ${MAX_TICKETS}.`,
          ),
        refused_free_places: z
          .object({ count: z.int() })
          .nullable()
          .describe('Carts, checkouts and RSVPs refused today because of too many free places.'),
        ...moneyTaskFields,
        ...mailTaskFields,
      })
      .describe('null if it is not a task of the user.'),
    sales: z
      .object({ periods: z.array(salesDaySchema) })
      .nullable()
      .describe(`Of the last ${WEEK} days; null for users who may not see sales.`),
  })
  .meta({ id: 'Overview', description: 'Current events, tasks and recent sales.' });

export const overviewEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/overview',
  name: 'reports.overview',
  summary: 'Read current events, tasks and recent sales',
  description: 'Users who may not read all attendees see their own events.',
  input: {},
  responses: { 200: overviewSchema },
  errors: ['rest_forbidden'],
  may: (viewer) => attendanceScope(viewer) !== 'none',
  async handle(ctx) {
    const { config } = ctx.context;
    const zone = config.timezone;
    const today = localDay(toUtc(ctx.now), zone);
    const later = (days: number) => addDays(`${today} 00:00:00`, days).slice(0, 10);
    return ok(
      {
        timezone: zone,
        today: await findDates(ctx, { from: today, to: today }),
        week: await findDates(ctx, { from: today, to: later(WEEK - 1) }),
        tasks: await findTasks(ctx),
        sales: await lastSales(ctx, { from: later(1 - WEEK), to: today }),
      },
      PRIVATE_NO_STORE,
    );
  },
});

async function lastSales(ctx: RequestContext, days: { from: string; to: string }) {
  const scope = salesScope(ctx.viewer);
  if (scope === 'none') return null;
  const { periods = [] } = await salesReport(ctx, { by: 'day', days, scope });
  return { periods };
}

type Condition = RawBuilder<SqlBool>;

interface FoundEvents {
  count: number;
  ids: number[];
}

/** Events `e` that meet the conditions: the next ones, and the total. */
async function findEvents(db: Database, conditions: readonly Condition[]): Promise<FoundEvents> {
  const where = sql.join([...conditions], sql` AND `);
  const { rows: counted } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM events AS e WHERE ${where}`.execute(db.query);
  const { rows } = await sql<{ id: number }>`
    SELECT e.id FROM events AS e WHERE ${where} ORDER BY e.utc_start_date, e.id LIMIT ${MAX_LISTED}`.execute(db.query);
  return { count: Number(counted[0]?.count ?? 0), ids: rows.map(({ id }) => id) };
}

async function findDates(ctx: RequestContext, days: { from: string; to: string }) {
  const { db, config } = ctx.context;
  const { start, end } = utcRange(days.from, days.to, config.timezone);
  const { count, ids } = await findEvents(db, [
    sql`e.status IN ('publish', 'private')`,
    sql`e.utc_start_date < ${end}`,
    sql`e.utc_end_date >= ${start}`,
    ...scopeConditions(attendanceScope(ctx.viewer), sql.ref('e.id')),
  ]);
  if (ids.length === 0) return { count, events: [] };
  const isListed = sql`e.id IN (${sql.join(ids)})`;
  const sums = new Map((await findSums(db, isListed, 'event')).map((row) => [row.key, row]));
  const places = new Map((await findSoldPlaces(db, ids)).map(({ event_id, capacity }) => [event_id, capacity]));
  const names = await findNames(ctx, 'event', ids);
  const rows = await db.query
    .selectFrom('events')
    .select(['id', 'end_date', 'all_day', 'timezone', 'event_status'])
    .where('id', 'in', ids)
    .execute();
  const byId = new Map(rows.map(({ id, all_day, ...row }) => [id, { ...row, all_day: all_day === 1 }]));
  return {
    count,
    events: ids.flatMap((id) => {
      const row = byId.get(id);
      const { expected = 0, came = 0 } = sums.get(id) ?? {};
      return row ? [{ ...names(id), ...row, sold: expected, came, capacity: places.get(id) ?? -1 }] : [];
    }),
  };
}

async function findTasks(ctx: RequestContext) {
  const { viewer } = ctx;
  return {
    pending_orders: await countPending(ctx),
    drafts_due: can(viewer, 'edit') ? await findWaiting(ctx, [sql`e.status = 'draft'`, ...isSoon(ctx)]) : null,
    reviews: can(viewer, 'publish', 'edit_others') ? await findWaiting(ctx, [sql`e.status = 'pending'`]) : null,
    images_without_alt: can(viewer, 'upload') ? await countWithoutAlt(ctx) : null,
    refused_free_places: can(viewer, 'manage_attendees') ? await countRefused(ctx) : null,
    low_stock: salesScope(viewer) === 'none' ? null : await findLowStock(ctx),
    ...(await findMoneyTasks(ctx)),
    ...(await findMailTasks(ctx)),
  };
}

async function countPending({ context, viewer }: RequestContext) {
  const scope = eventScope(viewer, 'read_orders');
  if (scope === 'none') return null;
  const conditions = [sql<SqlBool>`orders.status = 'pending'`, ...orderConditionsOf(scope, sql.ref('orders.id'))];
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM orders WHERE ${sql.join(conditions, sql` AND `)}`.execute(context.db.query);
  return { count: Number(rows[0]?.count ?? 0) };
}

async function countRefused({ context, now }: RequestContext) {
  return { count: await countRefusals(context.db, 'free-places', localDay(toUtc(now), context.config.timezone)) };
}

/** Records of other authors are tasks only for users who may edit them. */
const isOwn = (viewer: Viewer, column: string): Condition[] =>
  can(viewer, 'edit_others') ? [] : [sql`${sql.ref(column)} = ${viewer.account?.id ?? 0}`];

function isSoon({ now }: RequestContext): Condition[] {
  const utc = toUtc(now);
  return [sql`e.utc_start_date >= ${utc}`, sql`e.utc_start_date < ${addSeconds(utc, SOON * 86_400)}`];
}

async function findWaiting(ctx: RequestContext, conditions: readonly Condition[]) {
  const { count, ids } = await findEvents(ctx.context.db, [...conditions, ...isOwn(ctx.viewer, 'e.author_id')]);
  const names = await findNames(ctx, 'event', ids);
  return { count, events: ids.map(names) };
}

async function countWithoutAlt({ context, viewer }: RequestContext) {
  const conditions = [sql<SqlBool>`alt = ''`, ...isOwn(viewer, 'author_id')];
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM media WHERE ${sql.join(conditions, sql` AND `)}`.execute(context.db.query);
  return { count: Number(rows[0]?.count ?? 0) };
}

async function findLowStock(ctx: RequestContext) {
  const { db } = ctx.context;
  const conditions = [
    sql`e.status = 'publish'`,
    ...isSoon(ctx),
    ...scopeConditions(salesScope(ctx.viewer), sql.ref('e.id')),
  ];
  const { rows } = await sql<{ id: number }>`
    SELECT t.id FROM events AS e JOIN tickets AS t ON t.event_id = e.id
    WHERE ${sql.join(conditions, sql` AND `)} AND t.is_deleted = 0 AND t.status = 'publish'
    ORDER BY e.utc_start_date, t.id LIMIT ${MAX_TICKETS}`.execute(db.query);
  const left = await findAvailability(
    db,
    rows.map(({ id }) => id),
    toUtc(ctx.now),
  );
  const low = rows.flatMap(({ id }) => {
    const { available = 0, capacity = 0 } = left.get(id) ?? {};
    return available > 0 && available * 10 <= capacity ? [{ id, available, capacity }] : [];
  });
  const shown = low.slice(0, MAX_LISTED);
  const names = await findNames(
    ctx,
    'ticket',
    shown.map(({ id }) => id),
  );
  return { count: low.length, tickets: shown.map(({ id, ...seats }) => ({ ...names(id), ...seats })) };
}
