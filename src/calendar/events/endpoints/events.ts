import type { Database } from '../../../db/database.ts';
import { can, mayEdit, type Viewer } from '../../../http/core/auth.ts';
import { created, endpoint, type Method, ok, type RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { checkRevision } from '../../../http/core/revisions.ts';
import { boolean, sharedParameter } from '../../../http/input/schemas.ts';
import { nextDay, toUtc } from '../../../lib/dates/dates.ts';
import { logChange } from '../../../platform/audit/log.ts';
import { isLocked } from '../../posts/event-password.ts';
import { ownedAs } from '../../posts/post.ts';
import { membersToWrite } from '../../posts/unchanged-members.ts';
import {
  type Address,
  byId,
  bySlug,
  finderOf,
  getReadable,
  isBySlug,
  missingErrors,
  passwordField,
  readProperties,
  requireEvent,
  type Suffix,
  type Target,
} from '../access.ts';
import { auditedEvent } from '../audited.ts';
import { eventListEndpoint } from '../lists/list.ts';
import { loadRelations } from '../relations.ts';
import { reload, renderWithRelations } from '../render-event.ts';
import { leaveSeries, lockSeriesOf } from '../series/own-changes.ts';
import { applyToSeries, isKept, keepOwnFields, ownFields, scopeFields, scopeOf, trashFrom } from '../series/scope.ts';
import { renderOccurrence } from '../series/series-view.ts';
import { continueWork } from '../series/series-writes.ts';
import { type Event, findEvent, removeEvent } from '../store.ts';
import type { EventTickets } from '../ticketing.ts';
import { eventSchema, renderEvent, renderOptions, withoutMask } from '../view.ts';
import { changeEvent, createEvent } from './save.ts';
import { eventFields, findReferences } from './write-fields.ts';

/** Events: `/events`, `/events/{id}` and `/events/by-slug/{slug}`. */
export const eventEndpoints = (tickets: EventTickets) => [
  eventListEndpoint(tickets),
  createEndpoint(tickets),
  ...singleEndpoints(byId, tickets),
  ...singleEndpoints(bySlug, tickets),
];

const createEndpoint = (tickets: EventTickets) =>
  endpoint({
    namespace: 'events',
    methods: ['POST'],
    path: '/events',
    name: 'events.create',
    summary: 'Create an event',
    description:
      'Also creates the venues, organizers, categories and tags that it names and that do not exist, in one transaction. A venue or ' +
      'an organizer with an `id` is linked, and changed if it differs from the stored one.',
    input: eventFields,
    required: ['title', 'start_date', 'end_date'],
    body: 'EventInput',
    responses: { 201: eventSchema },
    errors: ['rest_missing_callback_param', 'rest_forbidden', 'edit-conflict'],
    find: (input, ctx, addProblem) => findReferences(input, { ctx, addProblem, isUpdate: false }),
    may: (viewer) => can(viewer, 'edit'),
    async handle(ctx, input, references) {
      const id = await createEvent({ input, references, ctx });
      return created(await renderWithRelations(await reload(id, ctx), ctx, tickets));
    },
  });

/** Viewers who may not edit at all must not learn which ids exist. */
function mayChange(viewer: Viewer, target: Target | undefined): boolean {
  if (!target) return false;
  return target.event ? mayEdit(viewer, ownedAs(target.event)) : can(viewer, 'edit');
}

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
  responses: { 200: eventSchema },
});

/** Endpoints that read, delete and change one event. */
const singleEndpoints = <S extends Suffix>(address: Address<S>, tickets: EventTickets) => [
  readEndpoint(address, tickets),
  deleteEndpoint(address, tickets),
  updateEndpoint(address, tickets),
];

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

/** Like `renderWithRelations`, for a single read: with the available seats, and until when these stay the same. */
async function renderSingle(event: Event, ctx: RequestContext, tickets: EventTickets) {
  const relations = await loadRelations(ctx, [event], tickets, { withAvailability: true });
  const body = renderEvent(event, relations, { ...renderOptions(ctx), isSingle: true });
  const { freshUntil } = relations.ticketing;
  if (event.series_id === null) return { body, freshUntil };
  // The words of a recurrence leave out the present year.
  const midnight = nextDay(toUtc(ctx.now), ctx.context.config.timezone);
  return { body: { ...body, ...(await renderOccurrence(event, ctx)) }, freshUntil: Math.min(freshUntil, midnight) };
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
      ...missingErrors(address),
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
        // The work leaves past events alone. If there are many, a job finishes it.
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
