import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { eventScope, hasEventRights, type OwnedEvent, type Viewer } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { boolean, integer, plainLine } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { VERDICTS } from '../../lib/door/door-verdict.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { logChange } from '../../platform/audit/log.ts';
import { scopeConditions } from '../tickets/event-scope.ts';
import type { Clash } from './clash-store.ts';
import { ownersOf } from './gate-store.ts';

/** Clashes at the door, for staff: `/door/clashes`. */

const clashSchema = z
  .object({
    id: z.int(),
    event_id: z.int(),
    attendee: z
      .object({ id: z.int(), name: z.string(), ticket: z.string() })
      .nullable()
      .describe('null for an unknown ticket.'),
    kind: z
      .enum(['twice', 'late-refusal'])
      .describe(
        '`twice`: two entries with one ticket. `late-refusal`: let in offline although the ticket was refused.',
      ),
    reason: z.enum(VERDICTS).describe('Verdict on the later entry.'),
    first: z
      .object({ utc: utcTime, place: z.string() })
      .nullable()
      .describe('Entry that counts; null for a late refusal.'),
    second: z.object({ utc: utcTime, place: z.string() }).describe('Later entry: gate and device.'),
    found_utc: utcTime,
    closed_utc: utcTime.nullable(),
    closed_by: z.int().describe('Account; 0 while it is open.'),
    note: z.string(),
  })
  .meta({ id: 'DoorClash', description: 'A holder who was let in, and should not have been.' });

async function renderClashes(db: Database, clashes: readonly Clash[]): Promise<z.output<typeof clashSchema>[]> {
  const attendees = await db.query
    .selectFrom('attendees')
    .select(['id', 'full_name', 'ticket_title'])
    .where('id', 'in', [0, ...clashes.map(({ attendee_id }) => attendee_id)])
    .execute();
  const byId = new Map(
    attendees.map(({ id, full_name, ticket_title }) => [id, { id, name: full_name, ticket: ticket_title }]),
  );
  return clashes.map((clash) => ({
    id: clash.id,
    event_id: clash.event_id,
    attendee: byId.get(clash.attendee_id) ?? null,
    // clash-store.ts writes no other values.
    kind: clash.kind as 'twice' | 'late-refusal',
    reason: clash.reason as (typeof VERDICTS)[number],
    first: clash.first_utc === '' ? null : { utc: clash.first_utc.slice(0, 19), place: clash.first_place },
    second: { utc: clash.second_utc.slice(0, 19), place: clash.second_place },
    found_utc: clash.found_utc,
    closed_utc: clash.closed_utc || null,
    closed_by: clash.closed_by,
    note: clash.note,
  }));
}

interface Target {
  clash?: Clash;
  events: OwnedEvent[];
}

const mayRead = (viewer: Viewer, target: Target | undefined): boolean =>
  hasEventRights(viewer, 'read_attendees', target?.events.length ? target : undefined);

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/door/clashes',
  name: 'clashes.list',
  summary: 'List clashes at the door',
  description: 'Of events whose attendees the user may read, latest first.',
  input: {
    ...pageFields,
    event_id: integer('Only clashes of this event.', { min: 1 }),
    open: boolean('true: only open ones; false: only closed ones.'),
  },
  responses: { 200: listSchema('clashes', clashSchema, 'DoorClashList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  find: async ({ event_id }, { context }): Promise<Target> => ({
    events: event_id === undefined ? [] : await ownersOf(context.db, [event_id]),
  }),
  may: mayRead,
  async handle({ context, urls, viewer }, { event_id, open, ...paging }) {
    const page = pageOf(paging, context.config.perPage);
    const scope = scopeConditions(eventScope(viewer, 'read_attendees'), sql.ref('door_clashes.event_id'));
    let matching = context.db.query.selectFrom('door_clashes');
    for (const condition of scope) matching = matching.where(condition);
    if (event_id !== undefined) matching = matching.where('event_id', '=', event_id);
    if (open !== undefined) matching = matching.where('closed_utc', open ? '=' : '<>', '');
    const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await matching.selectAll().orderBy('id', 'desc').limit(page.perPage).offset(page.offset).execute();
    return listResponse({
      key: 'clashes',
      items: await renderClashes(context.db, rows),
      total: Number(total),
      page,
      url: urls.rest('admin', '/door/clashes'),
      params: { event_id, open: open === undefined ? undefined : Number(open), per_page: page.perPage },
    });
  },
});

const findClash = (db: Database, id: number): Promise<Clash | undefined> =>
  db.query.selectFrom('door_clashes').selectAll().where('id', '=', id).executeTakeFirst();

/** Audit of clashes; notes may name guests. */
export const auditedClash: AuditedKind = {
  name: 'door_clash',
  async snapshot(db, id) {
    const clash = await findClash(db, id);
    return clash && { title: '', fields: { closed: clash.closed_utc !== '' }, personal: { note: clash.note } };
  },
};

const close = endpoint({
  namespace: 'admin',
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/door/clashes/{id}',
  name: 'clashes.update',
  summary: 'Close a clash with a note, or open it again',
  input: {
    id: integer('Id of the clash.', { min: 1 }),
    closed: boolean('true closes it, false opens it again.'),
    note: plainLine('Outcome.', { max: 500 }),
  },
  required: ['id'],
  body: 'DoorClashChange',
  responses: { 200: clashSchema },
  errors: ['rest_forbidden', 'clash-not-found'],
  async find({ id }, { context }): Promise<Target> {
    const clash = id === undefined ? undefined : await findClash(context.db, id);
    return { clash, events: clash ? await ownersOf(context.db, [clash.event_id]) : [] };
  },
  may: (viewer, target) =>
    hasEventRights(viewer, 'manage_attendees', target?.events.length ? { events: target.events } : undefined),
  async handle({ context, viewer, now, actor }, { id, closed, note }, { clash }) {
    if (!clash) throw new ApiError('clash-not-found');
    const by =
      closed === false
        ? { closed_utc: '', closed_by: 0 }
        : { closed_utc: toUtc(now), closed_by: viewer.account?.id ?? 0 };
    const change = { ...(closed !== undefined && by), note: note ?? clash.note };
    const row = await context.db.transaction((db) =>
      logChange(db, actor, { kind: auditedClash, id }, () =>
        db.query.updateTable('door_clashes').set(change).where('id', '=', id).returningAll().executeTakeFirst(),
      ),
    );
    if (!row) throw new ApiError('clash-not-found');
    return ok((await renderClashes(context.db, [row]))[0]);
  },
});

export const clashEndpoints: AnyEndpoint[] = [list, close];
