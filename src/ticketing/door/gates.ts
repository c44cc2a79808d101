import type { Insertable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { GatesTable } from '../../db/tables/door.ts';
import { hasEventRights, type OwnedEvent, type Viewer } from '../../http/core/auth.ts';
import {
  type AddProblem,
  type AnyEndpoint,
  assertFound,
  created,
  endpoint,
  type InputOf,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { resolveUtcParam } from '../../http/input/date-param.ts';
import { boolean, clearable, date, ids, integer, oneOf, plainLine, someOf } from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { DOOR_MODES } from '../../lib/door/door-verdict.ts';
import { REENTRIES } from '../../lib/door/timeline.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import { auditedDevice } from './device-store.ts';
import {
  auditedGate,
  findGate,
  type Gate,
  gateSchema,
  listGates,
  NAME_FORMS,
  ownersOf,
  renderGates,
  settleGate,
} from './gate-store.ts';
import { ensureSigningKey } from './signing.ts';

/** Gates: `/door/gates`. */

const MAX_EVENTS = 50;
const MAX_TICKETS = 200;
const WEEK_MINUTES = 7 * 24 * 60;

const gateFields = {
  name: plainLine('Name, as people at the door call it.', { max: 100 }),
  event_ids: ids(`Events, at most ${MAX_EVENTS}.`),
  modes: someOf('What its devices may do: `in`, `out`, `look`. Default: all.', DOOR_MODES),
  reentry: oneOf(
    '`never`: a ticket admits once. `after_out` (default): again after its holder was scanned out. `always`: any number of times.',
    REENTRIES,
  ),
  names: oneOf('Names on its devices: `full` (default), `short` for `Ada L.`, or `none`.', NAME_FORMS),
  ticket_ids: clearable(ids('The only tickets that it admits; null for all of its events.')),
  may_search: boolean('Whether its devices may look for attendees by name; default true.'),
  may_undo: boolean('Whether its devices may take their own scans back, for five minutes; default true.'),
  may_override: boolean('Whether its devices may let the holder of a used ticket in again; default false.'),
  may_sell: boolean('Whether its devices may sell places and take money; for accounts that may sell. Default false.'),
  needs_pin: boolean('Whether its devices lock their list with a PIN; default false.'),
  strict_minutes: clearable(
    integer('Age of the list, in minutes, from which devices admit nothing on their own; null for any.', {
      min: 1,
      max: WEEK_MINUTES,
    }),
  ),
  expires: clearable(date('Time from which its devices are refused; null for never.')),
};
type GateInput = Partial<InputOf<typeof gateFields>>;

export interface GateTarget {
  gate: Gate | undefined;
  /** Events of the gate, before and after the request. */
  events: OwnedEvent[];
}

/** Tests if a viewer may manage a gate: has the right over the attendees of all of its events. */
export const mayManageGate = (viewer: Viewer, target: GateTarget | undefined): boolean =>
  hasEventRights(viewer, 'manage_attendees', target?.gate || target?.events.length ? target : undefined);

/** The right to sell comes from accounts that have it, also for further events of a gate that sells. */
function mayWriteGate(viewer: Viewer, target: GateTarget | undefined, input: GateInput): boolean {
  if (!mayManageGate(viewer, target)) return false;
  const sellsMore = input.may_sell ?? (input.event_ids !== undefined && target?.gate?.may_sell === 1);
  return !sellsMore || hasEventRights(viewer, 'sell', target?.events.length ? target : undefined);
}

/** The gate of a request. A missing gate is refused in the same way as one that the viewer may not manage. */
export async function findGateTarget(id: number | undefined, { context }: RequestContext): Promise<GateTarget> {
  const gate = id === undefined ? undefined : await findGate(context.db, id);
  return { gate, events: await ownersOf(context.db, gate?.events ?? []) };
}

async function findTarget(
  input: GateInput & { id?: number },
  ctx: RequestContext,
  addProblem: AddProblem,
): Promise<GateTarget> {
  const { db } = ctx.context;
  const { gate, events } = await findGateTarget(input.id, ctx);
  const named = input.event_ids ?? [];
  if (named.length > MAX_EVENTS) addProblem('event_ids', { key: 'param.too_many', values: { max: MAX_EVENTS } });
  const owners = await ownersOf(db, named.slice(0, MAX_EVENTS));
  const all = [...events, ...owners];
  if (!hasEventRights(ctx.viewer, 'manage_attendees', { events: all })) return { gate, events: all };
  const isUnknown = named.length > 0 && (await countEvents(db, named)) < new Set(named).size;
  if (isUnknown) addProblem('event_ids', { key: 'param.event_unknown' });
  const { ticket_ids } = input;
  if (ticket_ids && !(await areTicketsOf(db, ticket_ids, input.event_ids ?? gate?.events ?? []))) {
    addProblem('ticket_ids', { key: 'param.ticket_unknown' });
  }
  return { gate, events: all };
}

const countEvents = async (db: Database, eventIds: readonly number[]): Promise<number> =>
  (
    await db.query
      .selectFrom('events')
      .select('id')
      .where('id', 'in', [...eventIds])
      .execute()
  ).length;

async function areTicketsOf(db: Database, ticketIds: readonly number[], eventIds: readonly number[]): Promise<boolean> {
  if (ticketIds.length > MAX_TICKETS) return false;
  const rows = await db.query
    .selectFrom('tickets')
    .select('id')
    .where('id', 'in', [...ticketIds])
    .where('event_id', 'in', [0, ...eventIds])
    .execute();
  return rows.length === new Set(ticketIds).size;
}

export const NEW_GATE = {
  modes: DOOR_MODES.join(','),
  reentry: 'after_out',
  names: 'full',
  ticket_ids: '[]',
  may_search: 1,
  may_undo: 1,
  may_override: 0,
  may_sell: 0,
  needs_pin: 0,
  strict_minutes: null,
  expires_utc: null,
  events_key: '',
  settled_version: null,
} satisfies Omit<Insertable<GatesTable>, 'name' | 'created_utc'>;

const FLAGS = ['may_search', 'may_undo', 'may_override', 'may_sell', 'needs_pin'] as const;

/** The columns that a request changes. */
function columnsOf(input: GateInput, { now }: RequestContext): Partial<Insertable<GatesTable>> {
  const { name, modes, reentry, names, ticket_ids, strict_minutes, expires } = input;
  const flags = FLAGS.flatMap((flag) => (input[flag] === undefined ? [] : [[flag, input[flag] ? 1 : 0]]));
  return {
    ...(name !== undefined && { name }),
    ...(modes && { modes: DOOR_MODES.filter((mode) => modes.includes(mode)).join(',') }),
    ...(reentry && { reentry }),
    ...(names && { names }),
    ...(ticket_ids !== undefined && { ticket_ids: JSON.stringify(ticket_ids ?? []) }),
    ...Object.fromEntries(flags),
    ...(strict_minutes !== undefined && { strict_minutes }),
    ...(expires !== undefined && { expires_utc: expires && resolveUtcParam('expires', expires, now) }),
  };
}

const KEY_BYTES = 8;

async function linkEvents(
  db: Database,
  gateId: number,
  { event_ids: eventIds, random }: { event_ids: readonly number[] | undefined; random: (bytes: number) => Buffer },
): Promise<void> {
  if (!eventIds) return;
  await db.query.deleteFrom('gate_events').where('gate_id', '=', gateId).execute();
  const events_key = random(KEY_BYTES).toString('hex');
  await db.query.updateTable('gates').set({ events_key, settled_version: null }).where('id', '=', gateId).execute();
  const rows = [...new Set(eventIds)].map((event_id) => ({ gate_id: gateId, event_id }));
  await db.query.insertInto('gate_events').values(rows).execute();
}

const shown = async (db: Database, id: number) => {
  const gate = await findGate(db, id);
  // Before its first device asks for a list.
  if (gate) await settleGate(db, gate);
  return gate && (await renderGates(db, [gate]))[0];
};

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/door/gates',
  name: 'gates.list',
  summary: 'List gates',
  description: 'Latest first. Only gates where the user manages the attendees of every event.',
  input: { ...pageFields, event_id: integer('Only gates of this event.', { min: 1 }) },
  responses: { 200: listSchema('gates', gateSchema, 'GateList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: (viewer) => hasEventRights(viewer, 'manage_attendees'),
  async handle({ context, viewer, urls }, { event_id: event, ...paging }) {
    const page = pageOf(paging, context.config.perPage);
    const { total, gates } = await listGates(
      context.db,
      { viewer, right: 'manage_attendees', event },
      { limit: page.perPage, offset: page.offset },
    );
    return listResponse({
      key: 'gates',
      items: await renderGates(context.db, gates),
      total,
      page,
      url: urls.rest('admin', '/door/gates'),
      params: { event_id: event, per_page: page.perPage },
    });
  },
});

const create = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/door/gates',
  name: 'gates.create',
  summary: 'Create a gate',
  input: gateFields,
  required: ['name', 'event_ids'],
  body: 'GateInput',
  responses: { 201: gateSchema },
  errors: ['rest_forbidden', 'rest_missing_callback_param'],
  find: findTarget,
  may: mayWriteGate,
  async handle(ctx, input) {
    const { context, actor, now } = ctx;
    const id = await context.db.transaction(async (db) => {
      const values = { ...NEW_GATE, ...columnsOf(input, ctx), name: input.name, created_utc: toUtc(now) };
      const row = await db.query.insertInto('gates').values(values).returning('id').executeTakeFirstOrThrow();
      await linkEvents(db, row.id, { ...input, random: context.random });
      await ensureSigningKey(db, ctx);
      await logCreation(db, actor, { kind: auditedGate, id: row.id });
      return row.id;
    });
    return created(await shown(context.db, id));
  },
});

const update = endpoint({
  namespace: 'admin',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/door/gates/{id}',
  name: 'gates.update',
  summary: 'Change a gate',
  description: 'Omitted fields keep their values. Devices learn the new rules when they next synchronise.',
  input: { ...gateFields, id: integer('Id of the gate.', { min: 1 }) },
  required: ['id'],
  body: 'GateChange',
  responses: { 200: gateSchema },
  errors: ['rest_forbidden', 'gate-not-found'],
  find: findTarget,
  may: mayWriteGate,
  async handle(ctx, { id, ...input }, target) {
    if (!target.gate) throw new ApiError('gate-not-found');
    const { context, actor } = ctx;
    await context.db.transaction(async (db) => {
      await db.dialect.lockRow(db, { table: 'gates', id });
      await logChange(db, actor, { kind: auditedGate, id }, async () => {
        const columns = columnsOf(input, ctx);
        if (Object.keys(columns).length > 0) {
          await db.query.updateTable('gates').set(columns).where('id', '=', id).execute();
        }
        await linkEvents(db, id, { event_ids: input.event_ids, random: context.random });
      });
    });
    return ok(await shown(context.db, id));
  },
});

const remove = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/door/gates/{id}',
  name: 'gates.delete',
  summary: 'Delete a gate',
  description: 'Its devices stop working immediately. Its scans and clashes stay.',
  input: { id: integer('Id of the gate.', { min: 1 }) },
  required: ['id'],
  responses: { 200: gateSchema },
  errors: ['rest_forbidden', 'gate-not-found'],
  find: ({ id }, ctx) => findGateTarget(id, ctx),
  may: mayManageGate,
  async handle({ context, actor, now }, { id }, target) {
    const { gate } = assertFound(target);
    if (!gate) throw new ApiError('gate-not-found');
    const [view] = await renderGates(context.db, [gate]);
    await context.db.transaction(async (db) => {
      const devices = await db.query
        .selectFrom('door_devices')
        .select('id')
        .where('gate_id', '=', id)
        .where('revoked_utc', '=', '')
        .orderBy('id')
        .execute();
      for (const device of devices) {
        await logChange(db, actor, { kind: auditedDevice, id: device.id }, () =>
          db.query
            .updateTable('door_devices')
            .set({ revoked_utc: toUtc(now), pairing_hash: null })
            .where('id', '=', device.id)
            .execute(),
        );
      }
      await logChange(db, actor, { kind: auditedGate, id }, async () => {
        await db.query.deleteFrom('gate_events').where('gate_id', '=', id).execute();
        await db.query.deleteFrom('gates').where('id', '=', id).execute();
      });
    });
    return ok(view);
  },
});

export const gateEndpoints: AnyEndpoint[] = [list, create, update, remove];
