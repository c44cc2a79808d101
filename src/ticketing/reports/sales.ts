import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { EventScope } from '../../http/core/auth.ts';
import { endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { oneOf } from '../../http/input/schemas.ts';
import { localTime, utcTime } from '../../http/output/output.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { type Period, periodAt, periodsOf, utcRange } from '../../lib/dates/periods.ts';
import type { Money } from '../../lib/money/money.ts';
import { ADMITTED_STATUSES } from '../attendees/admission.ts';
import { CANCELLED_SEAT } from '../orders/statuses.ts';
import { addUp, amountsOf, amountsSchema } from './amounts.ts';
import { findNames, subjectSchema } from './names.ts';
import {
  checkLength,
  type Days,
  daysOf,
  eventConditions,
  type ReportInput,
  reportFields,
  salesScope,
} from './scope.ts';

/** Sales report, by the time of the order. */

const GROUPINGS = ['hour', 'day', 'ticket', 'event'] as const;
type Grouping = (typeof GROUPINGS)[number];

/** Maximum number of rows by ticket or event. */
const MAX_ROWS = 1000;

type State = 'sold' | 'pending' | 'refunded' | 'cancelled';

const figure = z.object({ places: z.int(), amounts: amountsSchema }).meta({ id: 'SalesFigure' });

const figures = {
  sold: figure.describe('Places of completed orders.'),
  pending: figure.describe('Unpaid places.'),
  refunded: figure.describe('Places of refunded and reversed orders, and single places whose money was given back.'),
  cancelled: figure.describe('Expired, denied or cancelled places, and others removed from their order.'),
};

export const salesDaySchema = z.object({
  start: localTime.describe('Start of the hour or day, in the time zone of the site.'),
  start_utc: utcTime,
  ...figures,
  running: z
    .object({ places: z.int(), amounts: amountsSchema })
    .describe('Sold since the first day, by the end of this period.'),
});

const salesSchema = z
  .object({
    by: z.enum(GROUPINGS),
    from: z.iso.date(),
    to: z.iso.date(),
    timezone: z.string(),
    totals: z.object(figures),
    periods: z.array(salesDaySchema).optional().describe('By hour or day: all periods, in order.'),
    rows: z
      .array(z.object({ ...subjectSchema, ...figures }))
      .optional()
      .describe(`By ticket or event: at most ${MAX_ROWS}, best sellers first.`),
    omitted: z.int().optional().describe('Number of further tickets or events not listed.'),
  })
  .meta({
    id: 'SalesReport',
    description: 'Tickets ordered in a range of days, by the current status of their orders.',
  });

export const salesEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/reports/sales',
  name: 'reports.sales',
  summary: 'Read the sales',
  description:
    'Places of tickets, without RSVPs, by the time of the order and with its current status. Days and hours are in the time zone of the site. Users who may not see all orders see their own events.',
  input: { ...reportFields, by: oneOf('Grouping; `day` by default.', GROUPINGS) },
  responses: { 200: salesSchema },
  errors: ['rest_forbidden'],
  may: (viewer) => salesScope(viewer) !== 'none',
  async handle(ctx, input) {
    const { by = 'day' } = input;
    const days = daysOf(input, ctx);
    checkLength(by, days);
    const body = await salesReport(ctx, { ...input, by, days, scope: salesScope(ctx.viewer) });
    return ok(body, PRIVATE_NO_STORE);
  },
});

interface SalesRequest extends Pick<ReportInput, 'event' | 'events' | 'category'> {
  by: Grouping;
  days: Days;
  scope: EventScope;
}

/** Sales report of one moment: totals are sums of its parts. */
export async function salesReport(ctx: RequestContext, request: SalesRequest): Promise<z.output<typeof salesSchema>> {
  const { by, days } = request;
  const { db, config } = ctx.context;
  const zone = config.timezone;
  const periods = by === 'hour' || by === 'day' ? periodsOf(by, { ...days, zone }) : undefined;
  const sums = await findSums(db, request, { key: keyOf(by, periods), zone });
  const head = { by, ...days, timezone: zone, totals: figuresOf(sums, ctx) };
  if (periods) return { ...head, periods: byPeriod(sums, periods, ctx) };
  return { ...head, ...(await bySubject(sums, by === 'ticket' ? 'ticket' : 'event', ctx)) };
}

/** Sums of one state, currency and group. */
interface Sum {
  key: string | number;
  state: State;
  currency: string;
  places: number;
  amount: number;
}

/**
 * Grouping key of the rows. Times are truncated texts: to the hour if all periods begin at full hours of UTC, otherwise
 * to the minute.
 */
function keyOf(by: Grouping, periods: readonly Period[] | undefined): RawBuilder<string | number> {
  if (!periods) return by === 'ticket' ? sql.ref('a.ticket_id') : sql.ref('a.event_id');
  const isHourly = periods.every(({ start_utc }) => start_utc.endsWith(':00:00'));
  return sql`substr(a.date_utc, 1, ${sql.lit(isHourly ? 13 : 16)})`;
}

/** Maps attendee and order status to a sales category. */
function stateOf(status: string, orderStatus: string): State {
  if (status === 'publish') return ADMITTED_STATUSES.includes(orderStatus) ? 'sold' : 'pending';
  return orderStatus === 'refunded' || orderStatus === 'reversed' ? 'refunded' : 'cancelled';
}

interface Row extends Omit<Sum, 'state'> {
  status: string;
  attendance_status: string;
}

/**
 * Status of an attendee for `stateOf`. Single places that a refund has cancelled have the status of any cancelled place;
 * a refund is never before its order.
 */
const statusOf = ({ dialect }: Database, start: LocalTime): RawBuilder<string> => sql<string>`
  CASE WHEN a.attendance_status = ${sql.lit(CANCELLED_SEAT)} AND a.id IN (SELECT place.value
    FROM refunds AS r CROSS JOIN ${dialect.idsIn(sql.ref('r.attendees'))} AS place
    WHERE r.created_utc >= ${start} AND r.attendees <> '[]') THEN 'refunded' ELSE a.attendance_status END`;

/** Reads one index, without attendee rows, and orders only if there are several currencies. */
async function findSums(
  db: Database,
  { days, scope, ...filter }: SalesRequest,
  { key, zone }: { key: RawBuilder<string | number>; zone: string },
): Promise<Sum[]> {
  const { start, end } = utcRange(days.from, days.to, zone);
  const currencies = await findCurrencies(db);
  const isMixed = currencies.length > 1;
  const currency = isMixed ? sql.ref('o.currency') : sql`${sql.lit(currencies[0] ?? '')}`;
  // Without the sign SQLite would read all attendees of the events instead of the attendees of the days, which are fewer
  // unless the request names events.
  const isNamed = filter.event !== undefined || filter.events !== undefined;
  const conditions = eventConditions(filter, scope, isNamed ? sql.ref('a.event_id') : sql`+a.event_id`);
  const { rows } = await sql<Row>`
    SELECT ${key} AS key, a.status AS status, ${statusOf(db, start)} AS attendance_status, ${currency} AS currency,
      count(*) AS places, sum(a.price) AS amount
    FROM attendees AS a ${isMixed ? sql`JOIN orders AS o ON o.id = a.order_id` : sql``}
    WHERE a.date_utc >= ${start} AND a.date_utc < ${end} AND a.order_id IS NOT NULL
      ${conditions.length > 0 ? sql`AND ${sql.join(conditions, sql` AND `)}` : sql``}
    GROUP BY 1, 2, 3${isMixed ? sql`, 4` : sql``}`.execute(db.query);
  return rows.map(({ status, attendance_status, ...row }) => ({
    ...row,
    state: stateOf(status, attendance_status),
    places: Number(row.places),
    amount: Number(row.amount),
  }));
}

/** The currencies of all orders, each found by one index look-up. */
async function findCurrencies(db: Database): Promise<string[]> {
  const { rows } = await sql<{ currency: string }>`
    WITH RECURSIVE found (currency) AS (
      SELECT min(currency) FROM orders
      UNION ALL
      SELECT (SELECT min(o.currency) FROM orders AS o WHERE o.currency > found.currency) FROM found
      WHERE found.currency IS NOT NULL
    ) SELECT currency FROM found WHERE currency IS NOT NULL`.execute(db.query);
  return rows.map(({ currency }) => currency);
}

const placesOf = (sums: readonly Sum[]): number => sums.reduce((total, sum) => total + sum.places, 0);

function figureOf(sums: readonly Sum[], ctx: RequestContext): z.output<typeof figure> {
  return { places: placesOf(sums), amounts: amountsOf(sums, ctx) };
}

function figuresOf(sums: readonly Sum[], ctx: RequestContext): Record<State, z.output<typeof figure>> {
  const figureIn = (state: State) =>
    figureOf(
      sums.filter((sum) => sum.state === state),
      ctx,
    );
  return {
    sold: figureIn('sold'),
    pending: figureIn('pending'),
    refunded: figureIn('refunded'),
    cancelled: figureIn('cancelled'),
  };
}

function byPeriod(sums: readonly Sum[], periods: readonly Period[], ctx: RequestContext) {
  const utcOf = (key: string) => key + ':00:00'.slice(key.length - 13);
  const found = Map.groupBy(sums, ({ key }) => periodAt(periods, utcOf(String(key))));
  let places = 0;
  let soFar: readonly Money[] = [];
  return periods.map(({ start, start_utc }, index) => {
    const own = found.get(index) ?? [];
    const sold = own.filter(({ state }) => state === 'sold');
    places += placesOf(sold);
    soFar = addUp([...soFar, ...sold]);
    return { start, start_utc, ...figuresOf(own, ctx), running: { places, amounts: amountsOf(soFar, ctx) } };
  });
}

async function bySubject(sums: readonly Sum[], kind: 'ticket' | 'event', ctx: RequestContext) {
  const groups = [...Map.groupBy(sums, ({ key }) => Number(key))].map(([id, own]) => ({
    id,
    own,
    sold: placesOf(own.filter(({ state }) => state === 'sold')),
  }));
  groups.sort((a, b) => b.sold - a.sold || a.id - b.id);
  const shown = groups.slice(0, MAX_ROWS);
  const names = await findNames(
    ctx,
    kind,
    shown.map(({ id }) => id),
  );
  return {
    rows: shown.map(({ id, own }) => ({ ...names(id), ...figuresOf(own, ctx) })),
    omitted: groups.length - shown.length,
  };
}
