import { findRecordKind } from '../../db/record-ids.ts';
import { can } from '../../http/core/auth.ts';
import type { AddProblem, Fields, GuardedContext, RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { filledText, integer, sharedParameter } from '../../http/input/schemas.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { isLocked, type Lockable as LockableEvent } from '../posts/event-password.ts';
import { mayRead } from '../posts/visibility.ts';
import { type Event, findEvent, findEventBySlug, isPasswordOfAny } from './store.ts';

/** The event of a request: how a route names it, and whether its viewer and its password allow reading it. */

/** Suffix of the names of endpoints. */
export type Suffix = '' | '_by_slug';

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
export interface Target {
  event?: Event;
}

/** @throws {ApiError} if the event of a request does not exist */
export async function requireEvent(
  { event }: Target,
  input: Readonly<Record<string, unknown>>,
  ctx: RequestContext,
): Promise<Event> {
  if (event) return event;
  const kind = typeof input.id === 'number' ? await findRecordKind(ctx.context.db, input.id) : undefined;
  throw new ApiError(kind !== undefined && kind !== 'event' ? 'rest-invalid-event-id' : 'rest-event-not-found');
}

export const passwordField = {
  password: sharedParameter('event_password', filledText('Password of the event, if it has one.', { max: 200 })),
};

export const isBySlug = ({ suffix }: Address): boolean => suffix !== '';

/** Error for a missing event: an unknown slug is an invalid parameter. */
export const missingErrors = (address: Address) =>
  isBySlug(address) ? [] : (['rest-event-not-found', 'rest-invalid-event-id'] as const);

export const finderOf =
  (address: Address) =>
  async (input: Readonly<Record<string, unknown>>, ctx: RequestContext, addProblem: AddProblem): Promise<Target> => {
    const event = await address.find(input, ctx);
    if (!event && isBySlug(address)) addProblem('slug', { key: 'param.event_unknown' });
    return { event };
  };

/** Properties shared by the endpoints that read one event. */
export const readProperties = (address: Address) => ({
  input: { ...address.fields, ...passwordField },
  errors: [...missingErrors(address), 'event-no-longer-available', 'event-not-accessible'] as const,
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

type Lockable = LockableEvent & { id: number };

/**
 * Counts an attempt before the password is compared, so that it cannot be guessed. Every route that takes a password
 * calls this before its query. An attempt that unlocks all given events is not counted.
 * @param events the requested events; `any` for a list, which compares the password with every event
 * @throws {ApiError} too_many_attempts
 */
export async function admitPassword(
  ctx: GuardedContext,
  password: string | undefined,
  events: readonly Lockable[] | 'any',
): Promise<void> {
  if (password === undefined) return;
  if (events === 'any') return admitAnywhere(ctx, password);
  const locked = events.filter((event) => isLocked(event, ctx.viewer, undefined));
  const [only, ...others] = locked;
  if (!only) return;
  const attempt = {
    kind: 'event-password',
    subject: others.length === 0 ? `event-${only.id}` : undefined,
    secret: password,
    stored: JSON.stringify(locked.map((event) => [event.id, event.password])),
    client: ctx.client,
  } as const;
  await ctx.limits.checkSecret(attempt, () => !locked.some((event) => isLocked(event, ctx.viewer, password)));
}

/**
 * A list compares a password with every event, so a new one always counts: otherwise authors could set a guess as the
 * password of their own event and try it on all others for free.
 */
async function admitAnywhere({ context, viewer, client, limits }: GuardedContext, password: string): Promise<void> {
  if (can(viewer, 'edit_others')) return;
  const attempt = { kind: 'event-password', secret: password, stored: 'any', client, isNeverFree: true } as const;
  await limits.checkSecret(attempt, () => isPasswordOfAny(context.db, password));
}
