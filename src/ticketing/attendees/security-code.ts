import type { GuardedContext } from '../../http/core/endpoint.ts';
import { isSameSecret } from '../../lib/hash.ts';
import { hasRightById } from '../tickets/event-scope.ts';
import type { Attendee } from './store.ts';

/**
 * Whether a security code belongs to an attendee.
 * @throws {ApiError} too_many_attempts
 */
export const isCodeOf = (attendee: Attendee, code: string, ctx: GuardedContext): Promise<boolean> =>
  isOneOfCodes(attendee, { code, codes: [attendee.security_code] }, ctx);

/**
 * Whether a code is one of the codes of an attendee, who may not exist: attempts count alike, so that limits do not reveal
 * which attendees exist. Viewers who may read the codes are never limited, so that wrong codes at the door cannot block
 * scanners.
 * @param attendee without an event if it does not exist
 * @param codes the present and former ones
 * @throws {ApiError} too_many_attempts
 */
export async function isOneOfCodes(
  { id, event_id }: Pick<Attendee, 'id'> & Partial<Pick<Attendee, 'event_id'>>,
  { code, codes }: { code: string; codes: readonly string[] },
  ctx: GuardedContext,
): Promise<boolean> {
  const isRight = () => codes.some((right) => isSameSecret(code, right));
  if (event_id !== undefined && (await hasRightById(ctx, 'read_attendees', event_id))) return isRight();
  const subject = `attendee-${id}`;
  const attempt = {
    kind: 'security-code',
    subject,
    secret: code,
    stored: codes.join(' '),
    client: ctx.client,
  } as const;
  return ctx.limits.checkSecret(attempt, isRight);
}
