import { fold } from '../lib/text/text.ts';
import { ORIGINS } from './city.ts';
import type { RandomSource } from './random.ts';
import type { Origin } from './schemas.ts';

export interface Person {
  name: string;
  /** Below `.example`, a reserved domain. */
  email: string;
}

/** Each repeated by its weight; not empty, since `ORIGINS` is not. */
const WEIGHTED = ORIGINS.flatMap((origin) => Array<Origin>(origin.weight ?? 1).fill(origin)) as [Origin, ...Origin[]];

const HOSTS = ['post.example', 'tides.example', 'mail.example', 'courriel.example', 'inbox.example'] as const;
/** Letters that do not decompose into a Latin letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae' };

const written = (name: string): string => name.split('|')[0] ?? '';
const latin = (name: string): string =>
  fold(name.split('|').at(-1) ?? '')
    .replace(/[łđøßæ]/g, (letter) => LETTERS[letter] ?? '')
    .replace(/[^a-z]+/g, '');

/** A fictional person. Names may repeat. */
export function person(random: RandomSource): Person {
  const { given, family, isFamilyFirst } = random.pick(WEIGHTED);
  const [first, last] = [random.pick(given), random.pick(family)];
  const name = isFamilyFirst ? [written(last), written(first)] : [written(first), written(last)];
  return { name: name.join(' '), email: `${latin(first)}.${latin(last)}@${random.pick(HOSTS)}` };
}
