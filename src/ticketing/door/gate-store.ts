import { type Selectable, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { compiledOnce } from '../../db/compiled-statement.ts';
import type { Database } from '../../db/database.ts';
import type { GatesTable } from '../../db/tables/door.ts';
import { type EventRight, eventScope, type OwnedEvent, type Viewer } from '../../http/core/auth.ts';
import { utcTime } from '../../http/output/output.ts';
import { DOOR_MODES, type DoorMode } from '../../lib/door/door-verdict.ts';
import { REENTRIES, type Reentry } from '../../lib/door/timeline.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { scopeConditions } from '../tickets/event-scope.ts';

/** Gates: entrances of one or several events, with the rights of their devices. */

type Row = Selectable<GatesTable>;
export type Gate = Row & { events: number[] };

export const NAME_FORMS = ['full', 'short', 'none'] as const;
type NameForm = (typeof NAME_FORMS)[number];

export const ticketsOf = ({ ticket_ids }: Pick<Row, 'ticket_ids'>): number[] => JSON.parse(ticket_ids) as number[];

/** Rights and rules of the devices of a gate. */
const rulesSchema = z.object({
  modes: z.array(z.enum(DOOR_MODES)).describe('What its devices may do: check in, check out, only look.'),
  reentry: z
    .enum(REENTRIES)
    .describe('Whether a ticket admits again: never, after its holder was scanned out, or always.'),
  names: z.enum(NAME_FORMS).describe('Names on its devices: in full, shortened to `Ada L.`, or none.'),
  ticket_ids: z.array(z.int()).describe('The only tickets that it admits; empty for all of its events.'),
  may_search: z.boolean().describe('Whether its devices may look for attendees by name.'),
  may_undo: z.boolean().describe('Whether its devices may take their own scans back, for five minutes.'),
  may_override: z.boolean().describe('Whether its devices may let the holder of a used ticket in again.'),
  may_sell: z.boolean().describe('Whether its devices may sell places and take money.'),
  needs_pin: z.boolean().describe('Whether its devices lock their list with a PIN.'),
  strict_minutes: z
    .int()
    .nullable()
    .describe('Age of the list, in minutes, from which devices admit nothing on their own; null for any.'),
});

/** A gate as its devices know it. */
export const ownGateSchema = rulesSchema
  .extend({
    id: z.int(),
    name: z.string(),
    expires_utc: utcTime
      .nullable()
      .describe('Time from which its devices are refused, and erase their lists; null for never.'),
  })
  .meta({ id: 'DoorGate', description: 'The gate of a device.' });

export const gateSchema = ownGateSchema
  .extend({
    event_ids: z.array(z.int()),
    created_utc: utcTime,
    devices: z.int().describe('Number of its paired devices that are not revoked.'),
  })
  .meta({ id: 'Gate', description: 'An entrance of one or several events, at which devices scan tickets.' });

export const rulesOf = (gate: Row): z.output<typeof rulesSchema> => ({
  // The texts are written by `columnsOf` of gates.ts only.
  modes: gate.modes.split(',') as DoorMode[],
  reentry: gate.reentry as Reentry,
  names: gate.names as NameForm,
  ticket_ids: ticketsOf(gate),
  may_search: gate.may_search === 1,
  may_undo: gate.may_undo === 1,
  may_override: gate.may_override === 1,
  may_sell: gate.may_sell === 1,
  needs_pin: gate.needs_pin === 1,
  strict_minutes: gate.strict_minutes,
});

/** Renders a gate for its devices. */
export const renderOwnGate = (gate: Row): z.output<typeof ownGateSchema> => ({
  id: gate.id,
  name: gate.name,
  ...rulesOf(gate),
  expires_utc: gate.expires_utc,
});

/** Renders gates with the number of their devices. */
export async function renderGates(db: Database, gates: readonly Gate[]): Promise<z.output<typeof gateSchema>[]> {
  const counts = await db.query
    .selectFrom('door_devices')
    .select(['gate_id', (eb) => eb.fn.countAll<number>().as('devices')])
    .where('gate_id', 'in', [0, ...gates.map(({ id }) => id)])
    .where('token_hash', 'is not', null)
    .where('revoked_utc', '=', '')
    .groupBy('gate_id')
    .execute();
  const byGate = new Map(counts.map(({ gate_id, devices }) => [gate_id, Number(devices)]));
  return gates.map((gate) => ({
    ...renderOwnGate(gate),
    event_ids: gate.events,
    created_utc: gate.created_utc,
    devices: byGate.get(gate.id) ?? 0,
  }));
}

/** Adds the events to rows of gates. */
async function withEvents(db: Database, rows: readonly Row[]): Promise<Gate[]> {
  const links = await db.query
    .selectFrom('gate_events')
    .selectAll()
    .where('gate_id', 'in', [0, ...rows.map(({ id }) => id)])
    .orderBy('event_id')
    .execute();
  const byGate = Map.groupBy(links, ({ gate_id }) => gate_id);
  return rows.map((row) => ({ ...row, events: (byGate.get(row.id) ?? []).map(({ event_id }) => event_id) }));
}

const gateById = compiledOnce((query, id: number) =>
  query
    .selectFrom('gates')
    .leftJoin('gate_events', 'gate_events.gate_id', 'gates.id')
    .selectAll('gates')
    .select('gate_events.event_id')
    .where('gates.id', '=', id)
    .orderBy('gate_events.event_id'),
);

export async function findGate(db: Database, id: number): Promise<Gate | undefined> {
  const rows = await gateById(db, id);
  const [first] = rows;
  if (!first) return undefined;
  const { event_id: _event, ...gate } = first;
  return { ...gate, events: rows.flatMap(({ event_id }) => event_id ?? []) };
}

/**
 * Determines the version from which all changes of the events of a gate are recorded: transactions that began before
 * the gate had these events may have changed attendees without a record.
 * @returns the gate with this version, unless its events have just changed
 */
export async function settleGate(db: Database, gate: Gate): Promise<Gate> {
  if (gate.settled_version !== null) return gate;
  const settled_version = await db.dialect.nextChange(db);
  const settled = await db.query
    .updateTable('gates')
    .set({ settled_version })
    .where('id', '=', gate.id)
    .where('events_key', '=', gate.events_key)
    .returning('id')
    .executeTakeFirst();
  return settled ? { ...gate, settled_version } : ((await findGate(db, gate.id)) ?? gate);
}

/** Gates for which a viewer has a right in every event, latest first. */
export async function listGates(
  db: Database,
  { viewer, right, event }: { viewer: Viewer; right: EventRight; event?: number },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; gates: Gate[] }> {
  const scope = scopeConditions(eventScope(viewer, right), sql.ref('link.event_id'));
  const inScope = scope.map(
    (condition) => sql<SqlBool>`NOT EXISTS (SELECT 1 FROM gate_events AS link WHERE link.gate_id = gates.id AND NOT
      ${condition}) AND EXISTS (SELECT 1 FROM gate_events AS link WHERE link.gate_id = gates.id)`,
  );
  const atEvent =
    event === undefined
      ? []
      : [sql<SqlBool>`gates.id IN (SELECT at.gate_id FROM gate_events AS at WHERE at.event_id = ${event})`];
  const matching = [...inScope, ...atEvent].reduce(
    (query, condition) => query.where(condition),
    db.query.selectFrom('gates'),
  );
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { total: Number(total), gates: await withEvents(db, rows) };
}

/** Events of a gate with their authors, for rights. Deleted events have none. */
export async function ownersOf(db: Database, eventIds: readonly number[]): Promise<OwnedEvent[]> {
  const rows = await db.query
    .selectFrom('events')
    .select(['id', 'author_id'])
    .where('id', 'in', [0, ...eventIds])
    .execute();
  const authors = new Map(rows.map(({ id, author_id }) => [id, author_id]));
  return eventIds.map((id) => ({ id, author_id: authors.get(id) ?? 0 }));
}

/** Audit of gates. */
export const auditedGate: AuditedKind = {
  name: 'gate',
  async snapshot(db, id) {
    const gate = await findGate(db, id);
    if (!gate) return undefined;
    const { name, expires_utc, events } = gate;
    return { title: name, fields: { name, events, expires_utc, ...rulesOf(gate) } };
  },
};
