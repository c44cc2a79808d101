import type { Database } from '../../db/database.ts';
import { findRecordKind } from '../../db/record-ids.ts';
import { can, mayEdit, type Viewer } from '../../http/core/auth.ts';
import {
  type AddProblem,
  endpoint,
  type Fields,
  type GuardedContext,
  type Method,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { boolean, filledText, integer, sharedParameter } from '../../http/input/schemas.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { logChange } from '../../platform/audit/log.ts';
import { isLocked } from '../posts/event-password.ts';
import { ownedAs } from '../posts/post.ts';
import { membersToWrite } from '../posts/unchanged-members.ts';
import { mayRead } from '../posts/visibility.ts';
import { auditedEvent } from './audited.ts';
import { admitPassword } from './password.ts';
import { reload, renderSingle, renderWithRelations } from './render-event.ts';
import { changeEvent } from './save.ts';
import { leaveSeries, lockSeriesOf } from './series/own-changes.ts';
import { applyToSeries, keepOwnFields, ownFields, scopeFields, scopeOf } from './series/scope.ts';
import { continueWork } from './series/series-writes.ts';
import { isKept, trashFrom } from './series/trash-series.ts';
import { type Event, findEvent, findEventBySlug, removeEvent } from './store.ts';
import type { EventTickets } from './ticketing.ts';
import { eventSchema, withoutMask } from './view.ts';
import { eventFields, findReferences } from './write-fields.ts';

/** Suffix of the names of endpoints. */
type Suffix = '' | '_by_slug';

/** How a route identifies one event. */
export interface Address<S extends Suffix = Suffix> {
  path: string;
  suffix: S;
  fields: Fields;
  find(input: Readonly<Record<string, unknown>>, ctx: RequestContext): Promise<Event | undefined>;
}

export const byId: Address<''> = {
  path: '/events/{id}',
  suffix: '',
  fields: { id: integer('Id of the event.') },
  find: (input, ctx) => findEvent(ctx.context.db, Number(scalarText(input.id) ?? 0)),
};

export const bySlug: Address<'_by_slug'> = {
  path: '/events/by-slug/{slug}',
  suffix: '_by_slug',
  fields: { slug: filledText('Slug of the event.', { max: 300 }) },
  find: (input, ctx) => findEventBySlug(ctx.context.db, scalarText(input.slug) ?? ''),
};

/** Event of a request. The handler reports missing events, after the permission check. */
interface Target {
  event?: Event;
}

/** Viewers who may not edit at all must not learn which ids exist. */
function mayChange(viewer: Viewer, target: Target | undefined): boolean {
  if (!target) return false;
  return target.event ? mayEdit(viewer, ownedAs(target.event)) : can(viewer, 'edit');
}

async function requireEvent(
  { event }: Target,
  input: Readonly<Record<string, unknown>>,
  ctx: RequestContext,
): Promise<Event> {
  if (event) return event;
  const kind = typeof input.id === 'number' ? await findRecordKind(ctx.context.db, input.id) : undefined;
  throw new ApiError(kind !== undefined && kind !== 'event' ? 'rest-invalid-event-id' : 'rest-event-not-found');
}

const passwordField = {
  password: sharedParameter('event_password', filledText('Password of the event, if it has one.', { max: 200 })),
};

const isBySlug = ({ suffix }: Address): boolean => suffix !== '';

/** Properties shared by the endpoints of one event. */
const shared = <S extends Suffix, A extends string>(
  { path, suffix }: Address<S>,
  action: A,
  methods: readonly Method[],
) => ({
  namespace: 'events' as const,
  methods,
  path,
  name: `events.${action}${suffix}` as const,
  answers: { 200: eventSchema },
});

/** Error for a missing event: an unknown slug is an invalid parameter. */
const missing = (address: Address) =>
  isBySlug(address) ? [] : (['rest-event-not-found', 'rest-invalid-event-id'] as const);

const finderOf =
  (address: Address) =>
  async (input: Readonly<Record<string, unknown>>, ctx: RequestContext, addProblem: AddProblem): Promise<Target> => {
    const event = await address.find(input, ctx);
    if (!event && isBySlug(address)) addProblem('slug', { key: 'param.event_unknown' });
    return { event };
  };

/** Endpoints that read, delete and change one event. */
export const singleEndpoints = <S extends Suffix>(address: Address<S>, tickets: EventTickets) => [
  readEndpoint(address, tickets),
  deleteEndpoint(address, tickets),
  updateEndpoint(address, tickets),
];

/** Properties shared by the endpoints that read one event. */
export const readProperties = (address: Address) => ({
  input: { ...address.fields, ...passwordField },
  errors: [...missing(address), 'event-no-longer-available', 'event-not-accessible'] as const,
  find: finderOf(address),
});

/**
 * The event of a request, which may be locked for the viewer.
 * @throws {ApiError} if it does not exist, or the viewer may not read it
 */
export async function getReadable(
  target: Target,
  input: Readonly<Record<string, unknown>> & { password?: string },
  ctx: GuardedContext,
): Promise<Event> {
  const event = await requireEvent(target, input, ctx);
  if (!mayRead(ctx.viewer, event))
    throw new ApiError(event.status === 'trash' ? 'event-no-longer-available' : 'event-not-accessible');
  await admitPassword(ctx, input.password, [event]);
  return event;
}

function readEndpoint<S extends Suffix>(address: Address<S>, tickets: EventTickets) {
  const common = readProperties(address);
  return endpoint({
    ...shared(address, 'read', ['GET']),
    ...common,
    summary: 'Read an event',
    errors: [...common.errors, 'event-password-protected'],
    async handle(ctx, input, target) {
      const event = await getReadable(target, input, ctx);
      if (isLocked(event, ctx.viewer, input.password)) throw new ApiError('event-password-protected');
      const { body, freshUntil } = await renderSingle(event, ctx, tickets);
      return { body, revision: event.revision, freshUntil, showsSeats: body.ticketed !== false };
    },
  });
}

function deleteEndpoint<S extends Suffix>(address: Address<S>, tickets: EventTickets) {
  return endpoint({
    ...shared(address, 'delete', ['DELETE']),
    summary: 'Move an event to the trash',
    input: {
      ...address.fields,
      ...passwordField,
      force: sharedParameter('force', boolean('Delete it permanently instead.')),
      ...scopeFields,
    },
    errors: [
      ...missing(address),
      ...(['rest_forbidden', 'event-is-in-trash', 'series-is-in-trash'] as const),
      ...(['series-has-holders', 'edit-conflict'] as const),
    ],
    find: finderOf(address),
    may: mayChange,
    async handle(ctx, input, target) {
      const event = await requireEvent(target, input, ctx);
      const scope = scopeOf(input, event, ctx);
      if (input.force && scope !== 'this') throw invalidParam('force', 'param.series_force');
      if (input.force) return removePermanently(event, ctx, tickets);
      if (event.status === 'trash') throw new ApiError('event-is-in-trash');
      if (scope !== 'this') {
        const following = { ctx, tickets, scope, confirmHolders: input.confirm_holders === true };
        await trashFrom(event, following);
        const named = await reload(event.id, ctx);
        // The work leaves past events, and does the last of many later.
        const isDone = named.status === 'trash' || (await isKept(named, following));
        if (isDone) return ok(await renderWithRelations(named, ctx, tickets));
      }
      await changeEvent(event.id, { input: { status: 'trash' }, references: {}, ctx });
      return ok(await renderWithRelations(await reload(event.id, ctx), ctx, tickets));
    },
    showCurrent: showCurrent(tickets),
  });
}

/** The event as shown in responses to writes. */
const showCurrent =
  (tickets: EventTickets) =>
  async (ctx: RequestContext, input: Readonly<Record<string, unknown>>, target: Target): Promise<unknown> => {
    const { id } = await requireEvent(target, input, ctx);
    return renderWithRelations(await reload(id, ctx), ctx, tickets);
  };

function updateEndpoint<S extends Suffix>(address: Address<S>, tickets: EventTickets) {
  return endpoint({
    ...shared(address, 'update', ['POST', 'PUT', 'PATCH']),
    summary: 'Change an event',
    description:
      'Omitted fields keep their values. The whole record may be sent back as it was read: unchanged members count as not sent. ' +
      'Setting a status restores an event from the trash.',
    input: {
      ...eventFields,
      ...address.fields,
      ...passwordField,
      'body.slug': eventFields.slug,
      move_sales: boolean(
        'true: the sale periods and discounts of its tickets move by as many days as its start; sales that end when it starts still do.',
      ),
      ...scopeFields,
      own_fields: ownFields,
    },
    body: 'EventChange',
    errors: [
      ...(['rest-event-not-found', 'rest-invalid-event-id', 'rest_forbidden', 'edit-conflict'] as const),
      ...(['series-has-holders', 'series-is-in-trash', 'event-is-in-trash'] as const),
    ],
    async changesIn(copy, input, ctx) {
      const event = await address.find(input, ctx);
      if (!event || !mayEdit(ctx.viewer, ownedAs(event))) return copy;
      return membersToWrite(withoutMask(copy), await renderWithRelations(event, ctx, tickets));
    },
    async find(input, ctx, addProblem) {
      const event = await address.find(input, ctx);
      if (event && scopeOf(input, event, ctx) !== 'this' && input.status === 'trash')
        addProblem('status', { key: 'param.series_trash' });
      if (event && scopeOf(input, event, ctx) !== 'this' && input.own_fields !== undefined)
        addProblem('own_fields', { key: 'param.own_fields' });
      return { event, references: await findReferences(input, { ctx, addProblem, current: event, isUpdate: true }) };
    },
    may: mayChange,
    async handle(ctx, input, target) {
      const event = await requireEvent(target, input, ctx);
      const slug = isBySlug(address) ? input['body.slug'] : input.slug;
      const write = { input: { ...input, slug }, references: target.references, ctx };
      const moveSales = (db: Database, from: Event, to: Event) => tickets.moveSales(db, { from, to, ctx });
      const scope = scopeOf(input, event, ctx);
      const others = { ctx, tickets, confirmHolders: input.confirm_holders === true };
      const kept = ctx.urls.isReference ? undefined : input.own_fields;
      await changeEvent(event.id, write, {
        afterwards: input.move_sales ? moveSales : undefined,
        last: kept && ((db) => keepOwnFields(db, event.id, { ctx, kept })),
        ...(scope !== 'this' && { follow: applyToSeries({ ...others, scope }) }),
      });
      const changed = await reload(event.id, ctx);
      if (scope !== 'this' && changed.series_id !== null) await continueWork(changed.series_id, { ctx, tickets });
      return ok(await renderWithRelations(changed, ctx, tickets));
    },
    showCurrent: showCurrent(tickets),
  });
}

async function removePermanently(event: Event, ctx: RequestContext, tickets: EventTickets) {
  const body = await renderWithRelations(event, ctx, tickets);
  await ctx.context.db.transaction(async (db) => {
    await lockSeriesOf(db, event.id);
    await db.dialect.lock(db, `post-${event.id}`);
    const current = await findEvent(db, event.id);
    // The event was removed concurrently: only one request may decrement the counts of its terms.
    if (!current) throw new ApiError('rest-event-not-found');
    checkRevision(ctx, current);
    await tickets.withdraw(db, event.id, ctx);
    await leaveSeries(db, event.id, ctx.now);
    await logChange(db, ctx.actor, { kind: auditedEvent, id: event.id }, () => removeEvent(db, current));
  });
  return ok(body);
}
