import { SCOPE_NAMES, type Scope } from '../../http/auth.ts';
import type { AddProblem } from '../../http/endpoint.ts';
import { type DateExpression, type LocalTime, localToUtc, resolveDate, toUtc } from '../../lib/dates.ts';

/** Scopes of a request; unknown ones are refused. */
export function readScopes(sent: readonly string[], addProblem: AddProblem): Scope[] {
  const known = sent.filter((scope): scope is Scope => (SCOPE_NAMES as string[]).includes(scope));
  if (known.length < sent.length)
    addProblem('scopes', { key: 'param.one_of', values: { allowed: SCOPE_NAMES.join(', ') } });
  return known;
}

/** Expiry of a token in UTC, or null for none. A past time is refused: such a token would never work. */
export function readExpiry(
  expires: DateExpression | undefined,
  { zone, now }: { zone: string; now: Date },
  addProblem: AddProblem,
): LocalTime | null {
  if (!expires) return null;
  const resolved = resolveDate(expires, { zone, now });
  if (!resolved) {
    addProblem('expires', { key: 'param.date' });
    return null;
  }
  const utc = resolved.kind === 'local' ? localToUtc(resolved.local, zone).utc : resolved.utc;
  if (utc <= toUtc(now)) addProblem('expires', { key: 'param.future' });
  return utc;
}
