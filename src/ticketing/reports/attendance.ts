import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { oneOf } from '../../http/input/schemas.ts';
import { localTime, utcTime } from '../../http/output/output.ts';
import { addSeconds, localToUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { utcRange } from '../../lib/dates/periods.ts';
import { findNames, subjectSchema } from './names.ts';
import { attendanceScope, type Days, daysOf, eventConditions, type ReportInput, reportFields } from './scope.ts';

/** Attendance report: expected attendees and check-ins. */

const GROUPINGS = ['hour', 'day', 'ticket', 'event'] as const;
type Grouping = (typeof GROUPINGS)[number];

const MAX_ROWS = 1000;

const figures = {
  expected: z.int().describe('Attendees whose places count: paid, unpaid, or RSVP yes.'),
  came: z.int().describe('Attendees who are checked in.'),
  declined: z.int().describe('RSVPs with the answer no.'),
};

const attendanceSchema = z
  .object({
    by: z.enum(GROUPINGS),
    from: z.iso.date().nullable().describe('null for all days.'),
    to: z.iso.date().nullable(),
    timezone: z.string(),
    totals: z.object(figures),
    periods: z
      .array(
        z.object({
          start: localTime.describe('Start of the hour or day, in the time zone of the site.'),
          start_utc: utcTime,
          came: z.int().describe('Attendees checked in during this period.'),
          running: z.int().describe('Attendees checked in by its end.'),
        }),
      )
      .optional()
      .describe('By hour or day of the check-in: periods with check-ins, in order.'),
    rows: z
      .array(z.object({ ...subjectSchema, ...figures }))
      .optional()
      .describe(`By ticket or event: at most ${MAX_ROWS}, those with most attendees first.`),
    omitted: z.int().optional().describe('Number of further tickets or events not listed.'),
  })
  .meta({ id: 'AttendanceReport', description: 'Attendees of the events that start in a range of days.' });

export const attendanceEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/reports/attendance',
  name: 'reports.attendance',
  summary: 'Read expected and actual attendance',
  description:
    'Attendees of the events that start from the first day to the last one. With `event` or `events` and without days, attendees of those events whenever they are. Days and hours are in the time zone of the site. Users who may not read attendees see their own events.',
  input: { ...reportFields, by: oneOf('Grouping; `event` by default.', GROUPINGS) },
  responses: { 200: attendanceSchema },
  errors: ['rest_forbidden'],
  may: (viewer) => attendanceScope(viewer) !== 'none',
  async handle(ctx, input) {
    return ok(await attendanceReport(ctx, input), PRIVATE_NO_STORE);
  },
});

async function attendanceReport(
  ctx: RequestContext,
  { by = 'event', ...input }: ReportInput & { by?: Grouping },
): Promise<z.output<typeof attendanceSchema>> {
  const zone = ctx.context.config.timezone;
  const days = rangeOf(input, ctx);
  const where = conditionsOf(input, days, ctx);
  const isTimed = by === 'hour' || by === 'day';
  const { totals, rows, arrivals } = await ctx.context.db.transaction(async (db) => {
    await db.dialect.snapshot(db);
    return {
      totals: await findSums(db, where),
      rows: isTimed ? [] : await findSums(db, where, by),
      arrivals: isTimed ? await findArrivals(db, where) : [],
    };
  });
  const { key: _key, ...sums } = totals[0] ?? NO_ATTENDEES;
  const head = { by, from: days?.from ?? null, to: days?.to ?? null, timezone: zone, totals: sums };
  if (isTimed) return { ...head, periods: byPeriod(arrivals, { by, zone }) };
  return { ...head, ...(await bySubject(rows, by, ctx)) };
}

/** The days of the events; undefined for all. */
function rangeOf(input: ReportInput, ctx: RequestContext): Days | undefined {
  const isNamed = input.event !== undefined || input.events !== undefined;
  return isNamed && !input.from && !input.to ? undefined : daysOf(input, ctx);
}

function conditionsOf(input: ReportInput, days: Days | undefined, { context, viewer }: RequestContext) {
  const range = days && utcRange(days.from, days.to, context.config.timezone);
  const conditions = [
    ...(range ? [sql<SqlBool>`e.utc_start_date >= ${range.start}`, sql<SqlBool>`e.utc_start_date < ${range.end}`] : []),
    ...eventConditions(input, attendanceScope(viewer), sql.ref('e.id')),
  ];
  return conditions.length > 0 ? sql`${sql.join(conditions, sql` AND `)}` : sql`1 = 1`;
}

interface Sums {
  key: number;
  expected: number;
  came: number;
  declined: number;
}

const NO_ATTENDEES: Sums = { key: 0, expected: 0, came: 0, declined: 0 };

/** Grouping of sums: all together, or by ticket or event. */
type Subject = 'all' | 'ticket' | 'event';

/**
 * Sums of the attendees of events `e`. Attendees whose seats count are already counted, and the others are in small
 * partial indexes, so that not every attendee is read.
 */
export async function findSums(db: Database, where: RawBuilder<unknown>, subject: Subject = 'all'): Promise<Sums[]> {
  const sums = new Map<number, Sums>(subject === 'all' ? [[0, { ...NO_ATTENDEES }]] : []);
  const add = (name: keyof Omit<Sums, 'key'>, rows: readonly { key: number; count: number }[]) => {
    for (const { key, count } of rows) {
      const id = Number(key);
      sums.set(id, { ...(sums.get(id) ?? NO_ATTENDEES), key: id, [name]: Number(count) });
    }
  };
  add(
    'expected',
    await countBy(db, sql`sum(r.sold)`, { table: 'tickets', id: 'id', of: subject, where, kept: sql`r.sold > 0` }),
  );
  const people = { table: 'attendees', id: 'ticket_id', of: subject, where } as const;
  add('came', await countBy(db, sql`count(*)`, { ...people, kept: IS_INSIDE }));
  add('declined', await countBy(db, sql`count(*)`, { ...people, kept: HAS_DECLINED }));
  return [...sums.values()];
}

/** Repeats the condition of the index of checked-in attendees. */
const IS_INSIDE = sql<SqlBool>`r.checked_in = 1 AND r.status = 'publish'`;
const HAS_DECLINED = sql<SqlBool>`r.status = 'publish' AND r.attendance_status = 'no'`;

interface CountOptions {
  table: 'tickets' | 'attendees';
  /** Column of the ticket. */
  id: 'id' | 'ticket_id';
  of: Subject;
  where: RawBuilder<unknown>;
  /** Condition on the rows `r` to count. */
  kept: RawBuilder<SqlBool>;
}

async function countBy(
  db: Database,
  count: RawBuilder<unknown>,
  { table, id, of, where, kept }: CountOptions,
): Promise<{ key: number; count: number }[]> {
  const keys = { all: sql.lit(0), ticket: sql.ref(`r.${id}`), event: sql.ref('r.event_id') };
  const grouped = of === 'all' ? sql`HAVING count(*) > 0` : sql`GROUP BY 1`;
  const { rows } = await sql<{ key: number; count: number }>`
    SELECT ${keys[of]} AS key, ${count} AS count FROM events AS e JOIN ${sql.table(table)} AS r ON r.event_id = e.id
    WHERE ${where} AND ${kept} ${grouped}`.execute(db.query);
  return rows;
}

/** Number of check-ins in a minute (UTC). */
interface Arrivals {
  minute: string;
  came: number;
}

async function findArrivals(db: Database, where: RawBuilder<unknown>): Promise<Arrivals[]> {
  const { rows } = await sql<Arrivals>`
    SELECT substr(r.checkin_utc, 1, 16) AS minute, count(*) AS came
    FROM events AS e JOIN attendees AS r ON r.event_id = e.id
    WHERE ${where} AND ${IS_INSIDE} AND r.checkin_utc <> ''
    GROUP BY 1 ORDER BY 1`.execute(db.query);
  return rows.map(({ minute, came }) => ({ minute, came: Number(came) }));
}

function byPeriod(arrivals: readonly Arrivals[], { by, zone }: { by: 'hour' | 'day'; zone: string }) {
  const startOf = (minute: string) => {
    const utc = `${minute}:00`;
    const local = utcToLocal(utc, zone);
    if (by === 'day') return localToUtc(`${local.slice(0, 10)} 00:00:00`, zone).utc;
    return startOfHour(utc, local);
  };
  const periods = Map.groupBy(arrivals, ({ minute }) => startOf(minute));
  let running = 0;
  return [...periods].map(([start_utc, own]) => {
    const came = own.reduce((sum, row) => sum + row.came, 0);
    running += came;
    return { start: utcToLocal(start_utc, zone), start_utc, came, running };
  });
}

/** Start of the hour of a moment, when the minutes of its local time are 0. */
const startOfHour = (utc: string, local: string): string => addSeconds(utc, -60 * Number(local.slice(14, 16)));

async function bySubject(sums: readonly Sums[], kind: 'ticket' | 'event', ctx: RequestContext) {
  const sorted = [...sums].sort((a, b) => b.expected - a.expected || a.key - b.key);
  const shown = sorted.slice(0, MAX_ROWS);
  const names = await findNames(
    ctx,
    kind,
    shown.map(({ key }) => key),
  );
  return {
    rows: shown.map(({ key, ...own }) => ({ ...names(key), ...own })),
    omitted: sorted.length - shown.length,
  };
}
