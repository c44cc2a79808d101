import type { AddressWord } from '../../db/site-settings.ts';
import { segmentsOf } from './address.ts';

/**
 * The path on this site for one of a former site, whose addresses begin with words of another language. Of several
 * beginnings the longest counts; undefined if the path has none of them.
 */
export function withPresentWords(path: string, words: readonly AddressWord[]): string | undefined {
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
