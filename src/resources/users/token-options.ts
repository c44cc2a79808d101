import { SCOPE_NAMES, type Scope } from '../../http/auth.ts';
import type { AddProblem } from '../../http/endpoint.ts';
import { type LocalTime, parseDate, toWall, wallToUtc } from '../../lib/dates.ts';

/** Scopes of a request; unknown ones are refused. */
export function readScopes(sent: readonly string[], addProblem: AddProblem): Scope[] {
  const known = sent.filter((scope): scope is Scope => (SCOPE_NAMES as string[]).includes(scope));
  if (known.length < sent.length)
    addProblem('scopes', { key: 'param.one_of', values: { allowed: SCOPE_NAMES.join(', ') } });
  return known;
}

/** End of a token in UTC, or null for none. A time that has passed is refused: such a token would never work. */
export function readExpiry(
  sent: string | undefined,
  { zone, now }: { zone: string; now: Date },
  addProblem: AddProblem,
): LocalTime | null {
  const parsed = sent === undefined ? undefined : parseDate(sent, { zone, now });
  if (!parsed) return null;
  const utc = parsed.kind === 'wall' ? wallToUtc(parsed.wall, zone).utc : parsed.utc;
  if (utc <= toWall(now)) addProblem('expires', { key: 'param.future' });
  return utc;
}
