import { SCOPE_NAMES, type Scope } from '../../http/auth.ts';
import type { Refuse } from '../../http/endpoint.ts';
import { parseDate, toWall, type Wall, wallToUtc } from '../../lib/dates.ts';

/** Scopes of a request; unknown ones are refused. */
export function readScopes(given: readonly string[], refuse: Refuse): Scope[] {
  const known = given.filter((scope): scope is Scope => (SCOPE_NAMES as string[]).includes(scope));
  if (known.length < given.length)
    refuse('scopes', { key: 'param.one_of', values: { allowed: SCOPE_NAMES.join(', ') } });
  return known;
}

/** End of a token in UTC, or null for none. A time that has passed is refused: such a token would never work. */
export function readExpiry(
  given: string | undefined,
  { zone, now }: { zone: string; now: Date },
  refuse: Refuse,
): Wall | null {
  const parsed = given === undefined ? undefined : parseDate(given, { zone, now });
  if (!parsed) return null;
  const utc = parsed.kind === 'wall' ? wallToUtc(parsed.wall, zone).utc : parsed.utc;
  if (utc <= toWall(now)) refuse('expires', { key: 'param.future' });
  return utc;
}
