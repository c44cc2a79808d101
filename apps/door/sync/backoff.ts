const FIRST = 1000;
const LONGEST = 60_000;

/**
 * Milliseconds to wait after failures in a row: doubled each time, half of it random, so that the phones of an evening do
 * not all return at once; at least as long as the server asks.
 * @param retryAfter seconds that the server asked for
 */
export function waitAfter(failures: number, retryAfter: number | undefined, random: () => number): number {
  const longest = Math.min(FIRST * 2 ** Math.max(0, failures - 1), LONGEST);
  return Math.max(longest / 2 + (longest / 2) * random(), (retryAfter ?? 0) * 1000);
}
