import { asciiLatin, normalized, plainText, withoutEnds } from './text.ts';

/** Appended to the slug of a trashed record, so that its slug is free for others. Not counted in the limit. */
export const TRASH_SUFFIX = '__trashed';

const MAX_BYTES = 200;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi;
// Signs that would decompose into unrelated letters or marks.
const SIGNS = /[™℠´¨¯¸˘˙˚˛˜˝]/g;
const SEPARATORS = /[\s./\p{Pd}\p{Z}]+/gu;
// Removes signs, letters that look like an apostrophe, and invisible marks. Keeps ASCII words, letters and marks of
// other scripts, and pictographs.
const DROPPED = /[^\w\-\p{L}\p{N}\p{M}\p{So}]|\u034f|[©®°¦\ufffd\u02b0-\u02ff]|[\ufe00-\ufe0f]/gu;
const STRAY_MARKS = /(?<![\p{L}\p{N}\p{M}\p{So}])\p{M}+/gu;
const LATIN_ACCENTS = /(\p{Script=Latin})\p{M}+/gu;
/** One character of a slug: a percent-encoded UTF-8 character, or an ASCII one. */
const CHARACTER = /%[c-f][\da-f](?:%[89ab][\da-f])*|./gs;

const TRIED_IN_ORDER = 10;
const MAX_NUMBER = 2 ** 40;

/**
 * Makes a slug, the part of a URL that names a record: tags and entities are removed, Latin letters become ASCII, other
 * scripts lower-case percent-encoded UTF-8; dots, slashes and dashes separate. At most 200 bytes of `[a-z0-9%_-]`, cut
 * between characters. Idempotent. Empty if no character can be used.
 * @example
 * slugify('Fête de la Musique!'); // 'fete-de-la-musique'
 */
export function slugify(text: string): string {
  const plain = plainText(decodePercent(text)).replace(ENTITY, '').replace(SIGNS, '').replaceAll('×', 'x');
  const kept = normalized(plain, 'NFKD').toLowerCase().replace(SEPARATORS, '-').replace(DROPPED, '');
  const letters = normalized(asciiLatin(kept.replace(STRAY_MARKS, '').replace(LATIN_ACCENTS, '$1')), 'NFC');
  const encoded = letters.replace(/[^\w-]+/g, (run) => encodeURIComponent(run).toLowerCase());
  return truncate(withoutEnds(encoded.replace(/-+/g, '-'), '-'), MAX_BYTES);
}

/** The stored form of a requested slug, whatever its letter case or script. */
export const storedSlug = (text: string): string => (/^[\w%-]*$/.test(text) ? text.toLowerCase() : slugify(text));

/** The percent-encoded form of a decoded slug, as stored and used in URLs. */
export const encodedSlug = (slug: string): string => encodeURIComponent(slug).toLowerCase();

/**
 * `base` if it is free, else `base-2`, `base-3` ... within 200 bytes. The first ten numbers are tried in order, then a
 * free number right after a taken one is found by binary search, so that the thousandth record of a name costs some
 * twenty look-ups. An empty base stays empty: the caller must name such a record in another way.
 */
export async function uniqueSlug(base: string, isTaken: (slug: string) => Promise<boolean>): Promise<string> {
  if (base === '' || !(await isTaken(base))) return base;
  const isNumberTaken = (number: number) => isTaken(withSuffix(base, `-${number}`));
  for (let number = 2; number <= TRIED_IN_ORDER; number++) {
    if (!(await isNumberTaken(number))) return withSuffix(base, `-${number}`);
  }
  let taken = TRIED_IN_ORDER;
  let free = taken * 2;
  while (await isNumberTaken(free)) {
    if (free > MAX_NUMBER) throw new Error(`No free slug for ${base}`);
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isNumberTaken(middle)) taken = middle;
    else free = middle;
  }
  return withSuffix(base, `-${free}`);
}

/** Appends `suffix` (ASCII) to a slug, which is shortened to fit the limit. */
function withSuffix(base: string, suffix: string): string {
  return truncate(base, MAX_BYTES - suffix.length) + suffix;
}

/** Decodes percent-encoded UTF-8, so that a slug sent back stays the same; invalid sequences are removed. */
function decodePercent(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function truncate(slug: string, maxBytes: number): string {
  if (slug.length <= maxBytes) return slug;
  let length = 0;
  for (const [character] of slug.matchAll(CHARACTER)) {
    if (length + character.length > maxBytes) break;
    length += character.length;
  }
  return withoutEnds(slug.slice(0, length), '-');
}
