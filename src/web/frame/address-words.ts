import type { PathAlias } from '../../db/site-settings.ts';
import { segmentsOf } from './address.ts';

/**
 * Path on this site for a path of a former site in another language. The longest prefix counts; undefined if none
 * matches.
 */
export function withPresentWords(path: string, words: readonly PathAlias[]): string | undefined {
  const segments = segmentsOf(path) ?? [];
  const known = segments.map((segment) => segment.normalize('NFC').toLowerCase());
  const [word] = words
    .map(({ from, to }) => ({ from: from.split('/'), to }))
    .filter(({ from }) => from.every((part, index) => part === known[index]))
    .toSorted((a, b) => b.from.length - a.from.length);
  if (!word) return undefined;
  const rest = segments.slice(word.from.length).map(encodeURIComponent);
  return `/${[word.to, ...rest].join('/')}/`;
}
