import { mayReadAttendees } from '../../http/core/auth.ts';
import type { GuardedContext } from '../../http/core/endpoint.ts';
import { isSameSecret } from '../../lib/hash.ts';
import type { Attendee } from './store.ts';

/**
 * Whether a security code belongs to an attendee. Viewers who may read the code are never limited, so that wrong codes
 * at the door cannot block scanners.
 * @throws {ApiError} too_many_attempts
 */
export async function isCodeOf(
  { id, event_id, security_code }: Attendee,
  code: string,
  ctx: GuardedContext,
): Promise<boolean> {
  if (mayReadAttendees(ctx.viewer, event_id)) return isSameSecret(code, security_code);
  return countedIsCodeOf(id, { code, right: security_code }, ctx);
}

/**
 * The same for an attendee who may not exist: attempts count alike, so that limits do not reveal which attendees exist.
 */
export async function isCodeOfAny(
  attendee: Attendee | undefined,
  { id, code }: { id: number; code: string },
  ctx: GuardedContext,
): Promise<boolean> {
  return attendee ? isCodeOf(attendee, code, ctx) : countedIsCodeOf(id, { code, right: undefined }, ctx);
}

function countedIsCodeOf(
  id: number,
  { code, right }: { code: string; right: string | undefined },
  { client, limits }: GuardedContext,
): Promise<boolean> {
  const attempt = {
    kind: 'security-code',
    subject: `attendee-${id}`,
    secret: code,
    stored: right ?? '',
    client,
  } as const;
  return limits.checkSecret(attempt, () => right !== undefined && isSameSecret(code, right));
}
