import { SCOPE_NAMES, type Scope } from '../../http/core/auth.ts';
import type { AddProblem } from '../../http/core/endpoint.ts';
import { type DateExpression, type LocalTime, resolveEndIn, toUtc } from '../../lib/dates/dates.ts';

/** Scopes of a request; unknown ones are refused. */
export function readScopes(sent: readonly string[], addProblem: AddProblem): Scope[] {
  const known = sent.filter((scope): scope is Scope => (SCOPE_NAMES as string[]).includes(scope));
  if (known.length < sent.length)
    addProblem('scopes', { key: 'param.one_of', values: { allowed: SCOPE_NAMES.join(', ') } });
  return known;
}

/** Expiry of a token in UTC, or null for none; a day counts whole. A past time is refused: such a token would never work. */
export function readExpiry(
  expires: DateExpression | undefined,
  { zone, now }: { zone: string; now: Date },
  addProblem: AddProblem,
): LocalTime | null {
  if (!expires) return null;
  const utc = resolveEndIn(expires, { zone, now });
  if (utc === undefined) {
    addProblem('expires', { key: 'param.date' });
    return null;
  }
  if (utc <= toUtc(now)) addProblem('expires', { key: 'param.future' });
  return utc;
}
