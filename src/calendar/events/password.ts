import { can } from '../../http/core/auth.ts';
import type { GuardedContext } from '../../http/core/endpoint.ts';
import { isLocked, type Lockable as LockableEvent } from '../posts/event-password.ts';
import { isPasswordOfAny } from './store.ts';

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
