import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { hasEventRights } from '../../http/core/auth.ts';
import { endpoint, ok } from '../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { integer } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { isAdmittedSql } from '../attendees/admission.ts';
import { ownersOf } from './gate-store.ts';
import { hasLeftSql } from './list-rows.ts';
import { deviceTakingsSchema, sumSales } from './sale-store.ts';

/** Figures of the door for an event: `/door/stats`. */

const figures = {
  expected: z.int().describe('Attendees whose tickets admit, or who are in.'),
  inside: z.int().describe('Attendees who are in.'),
  left: z.int().describe('Attendees who were in and were scanned out.'),
};

const statsSchema = z
  .object({
    event_id: z.int(),
    totals: z.object(figures),
    tickets: z.array(z.object({ id: z.int(), title: z.string(), ...figures })),
    gates: z.array(
      z.object({
        id: z.int().describe('0 for check-ins elsewhere.'),
        name: z.string().describe('Empty once the gate is deleted, and for check-ins elsewhere.'),
        entries: z.int().describe('Entries that count, including those after a pause.'),
        refused: z.int().describe('Scans that were refused.'),
        devices: z.int().describe('Devices that are paired.'),
        waiting: z.int().describe('Scans that devices have yet to send, as they last reported.'),
      }),
    ),
    arrivals: z
      .array(z.object({ start_utc: utcTime, entries: z.int() }))
      .describe('Entries per quarter of an hour; those without any are left out.'),
    clashes: z.object({ open: z.int(), closed: z.int() }),
    sales: deviceTakingsSchema.describe('Money that devices took, by gate, device and payment method.'),
  })
  .meta({ id: 'DoorStats', description: 'Figures of the door for one event.' });
type Stats = z.output<typeof statsSchema>;

const countIf = (condition: ReturnType<typeof sql>) => sql<number>`sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;

async function ticketFigures(db: Database, event: number): Promise<Stats['tickets']> {
  const rows = await db.query
    .selectFrom('attendees')
    .innerJoin('tickets', 'tickets.id', 'attendees.ticket_id')
    .select(['tickets.id', 'tickets.title'])
    .select([
      countIf(sql`${isAdmittedSql} OR attendees.checked_in = 1`).as('expected'),
      countIf(sql`attendees.checked_in = 1`).as('inside'),
      countIf(sql`${hasLeftSql('attendees')} = 1`).as('left'),
    ])
    .where('attendees.event_id', '=', event)
    .groupBy(['tickets.id', 'tickets.title'])
    .orderBy('tickets.id')
    .execute();
  return rows.map(({ id, title, expected, inside, left }) => ({
    ...{ id, title },
    ...{ expected: Number(expected), inside: Number(inside), left: Number(left) },
  }));
}

const ENTRIES = sql`FROM check_ins AS c JOIN attendees AS a ON a.id = c.attendee_id`;

/** Entries by gate; null for entries without one. */
async function entriesByGate(db: Database, event: number) {
  const { rows } = await sql<{ gate: number | null; entries: number }>`SELECT s.gate_id AS gate,
    count(*) AS entries ${ENTRIES} LEFT JOIN door_scans AS s ON s.id = c.scan_id
    WHERE a.event_id = ${event} AND c.action = 'in' GROUP BY s.gate_id`.execute(db.query);
  return rows;
}

const refusedByGate = (db: Database, event: number) =>
  db.query
    .selectFrom('door_scans')
    .select(['gate_id', (eb) => eb.fn.countAll<number>().as('refused')])
    .where('event_id', '=', event)
    .where('mode', '=', 'in')
    .where('counts', '=', 0)
    .groupBy('gate_id')
    .execute();

/** Paired devices of the gates of an event. */
const findDevices = (db: Database, event: number) =>
  db.query
    .selectFrom('door_devices')
    .innerJoin('gate_events', 'gate_events.gate_id', 'door_devices.gate_id')
    .select(['door_devices.gate_id', 'status'])
    .where('event_id', '=', event)
    .where('token_hash', 'is not', null)
    .where('revoked_utc', '=', '')
    .execute();

const findGates = (db: Database, event: number) =>
  db.query
    .selectFrom('gates')
    .select(['id', 'name'])
    .where('id', 'in', (eb) => eb.selectFrom('gate_events').select('gate_id').where('event_id', '=', event))
    .execute();

async function gateFigures(db: Database, event: number): Promise<Stats['gates']> {
  const entries = await entriesByGate(db, event);
  const refused = await refusedByGate(db, event);
  const devices = await findDevices(db, event);
  const gates = await findGates(db, event);
  const names = new Map(gates.map(({ id, name }) => [id, name]));
  const ids = new Set([
    ...names.keys(),
    ...entries.map(({ gate }) => gate ?? 0),
    ...refused.map(({ gate_id }) => gate_id),
  ]);
  return [...ids]
    .sort((a, b) => a - b)
    .map((id) => {
      const own = devices.filter(({ gate_id }) => gate_id === id);
      return {
        id,
        name: names.get(id) ?? '',
        entries: Number(entries.find(({ gate }) => (gate ?? 0) === id)?.entries ?? 0),
        refused: Number(refused.find(({ gate_id }) => gate_id === id)?.refused ?? 0),
        devices: own.length,
        waiting: own.reduce((sum, { status }) => sum + waitingOf(status), 0),
      };
    });
}

// devices.ts is the only writer.
const waitingOf = (status: string): number => (JSON.parse(status) as { queue?: number }).queue ?? 0;

const QUARTER = 15;

async function arrivalsOf(db: Database, event: number): Promise<Stats['arrivals']> {
  // By minute, since text functions for quarters differ between the databases.
  const { rows } = await sql<{ minute: string; entries: number }>`SELECT substr(c.date_utc, 1, 16) AS minute,
    count(*) AS entries ${ENTRIES} WHERE a.event_id = ${event} AND c.action = 'in'
    GROUP BY substr(c.date_utc, 1, 16) ORDER BY minute`.execute(db.query);
  const quarters = new Map<string, number>();
  for (const { minute, entries } of rows) {
    const start = Math.floor(Number(minute.slice(14)) / QUARTER) * QUARTER;
    const quarter = `${minute.slice(0, 14)}${String(start).padStart(2, '0')}:00`;
    quarters.set(quarter, (quarters.get(quarter) ?? 0) + Number(entries));
  }
  return [...quarters].map(([start_utc, entries]) => ({ start_utc, entries }));
}

async function clashFigures(db: Database, event: number): Promise<Stats['clashes']> {
  const row = await db.query
    .selectFrom('door_clashes')
    .select([countIf(sql`closed_utc = ''`).as('open'), countIf(sql`closed_utc <> ''`).as('closed')])
    .where('event_id', '=', event)
    .executeTakeFirst();
  return { open: Number(row?.open ?? 0), closed: Number(row?.closed ?? 0) };
}

export const doorStatsEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/door/stats',
  name: 'door_stats.read',
  summary: 'Read the figures of the door',
  description:
    'Who is expected and in, by ticket and gate, arrivals per quarter of an hour, clashes, and money that devices took.',
  input: { event_id: integer('Event.', { min: 1 }) },
  required: ['event_id'],
  responses: { 200: statsSchema },
  errors: ['rest_forbidden', 'rest_missing_callback_param'],
  find: async ({ event_id }, { context }) => ({
    events: event_id === undefined ? [] : await ownersOf(context.db, [event_id]),
  }),
  may: (viewer, target) => hasEventRights(viewer, 'read_attendees', target?.events.length ? target : undefined),
  async handle({ context: { db } }, { event_id }) {
    const tickets = await ticketFigures(db, event_id);
    const sum = (key: 'expected' | 'inside' | 'left') => tickets.reduce((total, ticket) => total + ticket[key], 0);
    return ok(
      {
        event_id,
        totals: { expected: sum('expected'), inside: sum('inside'), left: sum('left') },
        tickets,
        gates: await gateFigures(db, event_id),
        arrivals: await arrivalsOf(db, event_id),
        clashes: await clashFigures(db, event_id),
        sales: await sumSales(db, { event: event_id }),
      },
      PRIVATE_NO_STORE,
    );
  },
});
