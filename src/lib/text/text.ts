import { createRequire } from 'node:module';
import type sanitizeHtml from 'sanitize-html';

const require = createRequire(import.meta.url);

// Each alternative can end without its closing part, so no input makes the engine scan ahead in vain: linear time.
const SCRIPT = '<(script|style)(?=[\\s/>]|$)[^]*?(?:</\\2(?=[\\s/>]|$)[^<>]*>?|$)';
const COMMENT = '<!--[^]*?(?:-->|$)';
const BOGUS = '<[!?][^<>]*>?';

const BLOCK_NAMES =
  'address article aside blockquote br caption dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header ' +
  'hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul';
const BLOCKS: readonly string[] = BLOCK_NAMES.split(' ');
const BLOCK = `(${BLOCKS.join('|')})(?![^\\s/<>])`;
const TAG = `</?(?:(?=${BLOCK})|)[a-z](?:=\\s*"[^"]*"|=\\s*'[^']*'|[^<>])*>?`;
/** Captures a stray `<` before the tag, and the name of a block element. */
const MARKUP = new RegExp(`(</?(?=<))?(?:${SCRIPT}|${COMMENT}|${TAG}|${BOGUS})`, 'gi');

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const CONTROLS = /[\0-\x08\x0e-\x1f\x7f-\x9f]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: see `withoutMarkup`
const AFTER_LEFT_OVER = /(<\/?)\x01[a-z\d]*\x02/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see `withoutMarkup`
const BLOCK_TAG = /\x01[a-z\d]+\x02/gi;

/**
 * Embeddings, overrides and isolates: unclosed, they reorder what a list or a terminal shows after the text. The marks
 * used in Hebrew and Arabic (U+200E, U+200F, U+061C) open nothing and stay.
 */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** All white space except the two spaces used before French punctuation. */
const BREAKING_SPACE = /[^\S\u00a0\u202f]+/g;
const SPACE_IN_LINE = /[^\S\n\u00a0\u202f]+/g;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// Latin letters that Unicode does not decompose into an ASCII letter and marks.
const LATIN: ReadonlyMap<string, string> = new Map(
  (
    'ß:ss æ:ae œ:oe ø:o ł:l đ:d ð:d þ:th ı:i ȷ:j ħ:h ŋ:n ŧ:t ĸ:k ƒ:f ə:e ǝ:e ɛ:e ɔ:o ɵ:o ɓ:b ƀ:b ɖ:d ɗ:d ǥ:g ɣ:g ɠ:g ' +
    'ɨ:i ɩ:i ƙ:k ƚ:l ɫ:l ɲ:n ɍ:r ʈ:t ʉ:u ʋ:v ƴ:y ɏ:y ƶ:z ȥ:z ȼ:c ɇ:e ɉ:j ⱥ:a ⱦ:t ⱪ:k'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);
const LATIN_LETTER = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'gu');

/** Characters with several common variants, mapped to the variant that search uses. */
const TYPED_ALIKE: Readonly<Record<string, string>> = {
  ς: 'σ',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
};

// Accents and vowel points. Marks of Indic scripts and kana form different letters and stay.
const ACCENTS =
  /[[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]&&[\p{M}--[\u3099-\u309a]]]/gv;

/** Consecutive marks, including kana that become marks. */
const MARKS = /[\p{M}\uff9e\uff9f]+/gu;
/** Limit of the Stream-Safe Text Format (UAX 15): normalisation is quadratic in the number of consecutive marks. */
const MAX_MARKS = 30;

const MAX_SEARCH_WORDS = 20;
const MAX_DEPTH = 1000;
/**
 * Maximum number of elements: ten times as many as in a long description. Each takes the parser about two microseconds.
 */
const MAX_ELEMENTS = 5000;

/**
 * One line of plain text, for titles, names and address fields: without tags (even unclosed ones), scripts or styles
 * and their content, control characters and bidirectional controls; white space is collapsed except for non-breaking
 * spaces. Entities are neither created nor decoded, and a `<` that starts no tag is text. Idempotent; the result never
 * contains a tag.
 */
export const plainText = (text: string): string => withoutMarkup(text).replace(BREAKING_SPACE, ' ').trim();

/** Like `plainText`, but keeps line breaks, at most two in a row: for multi-line fields. */
export function plainLines(text: string): string {
  const lines = withoutMarkup(text)
    .replace(/\r\n?|[\v\f\u2028\u2029]/g, '\n')
    .replace(SPACE_IN_LINE, ' ');
  return lines
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * Block elements leave a space. So does a tag after a stray `<`: `<<b>script>` would become a tag when `<b>` is
 * removed. Each replacement is a constant, with \x01 and \x02, which no longer occur in the text, around the name of a
 * block: a function would take several times as long.
 */
const withoutMarkup = (text: string): string =>
  text
    .toWellFormed()
    .replace(CONTROLS, '')
    .replace(DIRECTION_CONTROLS, '')
    .replace(MARKUP, '$1\x01$3\x02')
    .replace(AFTER_LEFT_OVER, '$1 ')
    .replace(BLOCK_TAG, ' ')
    .replaceAll('\x01\x02', '');

/** Text that both databases can store: no NUL, which PostgreSQL rejects, and no unpaired surrogates. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

/** Whether a text is invisible: only white space, control characters and zero-width characters. */
export const isBlank = (text: string): boolean => !/[^\p{C}\p{Z}]/u.test(text);

/** Whether two names look the same to a reader, ignoring case and the kind of spaces between words. */
export const isSameName = (a: string, b: string): boolean =>
  plainSpaces(a).toLowerCase() === plainSpaces(b).toLowerCase();

/** A name with ordinary spaces in place of non-breaking ones. */
export const plainSpaces = (name: string): string => name.replace(/[\u00a0\u202f]/g, ' ');

/** `normalize` in linear time: only the first thirty marks of a letter count. */
export const normalized = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text.replace(MARKS, (run) => (run.length > MAX_MARKS ? [...run].slice(0, MAX_MARKS).join('') : run)).normalize(form);

/** The folded form of a text, used for search and sorting: no accents, no case, no ligatures. Idempotent. */
export const fold = (text: string): string => foldDecomposed(normalized(text.toWellFormed(), 'NFKD'));

function foldDecomposed(text: string): string {
  const bare = text.toLowerCase().replace(ACCENTS, '');
  const alike = asciiLatin(bare).replace(/[ς‘’“”–—]/g, (char) => TYPED_ALIKE[char] ?? char);
  return collapse(normalized(alike, 'NFC'));
}

/**
 * Maximum length of a searchable folded text: enough for the longest record, unless folding expands it, as with
 * ligatures of eighteen letters. Indexing a million letters would take a second.
 */
const MAX_SEARCH_TEXT = 70_000;
/** Letters of living languages decompose into four characters at most. */
const MAX_DECOMPOSED = 4 * MAX_SEARCH_TEXT;

/** The searchable form of the texts of a record. */
export function foldAll(texts: readonly string[]): string {
  const decomposed = normalized(texts.join('\n').toWellFormed(), 'NFKD').slice(0, MAX_DECOMPOSED);
  return foldDecomposed(decomposed).slice(0, MAX_SEARCH_TEXT).toWellFormed();
}

/** Lower-case Latin letters without an ASCII base (ß, ø, æ ...) as ASCII letters; everything else as it is. */
export function asciiLatin(text: string): string {
  return text.replace(LATIN_LETTER, (letter) => LATIN.get(letter) ?? letter);
}

/**
 * The distinct terms of a search text, at most 20. Text in double quotes is one term.
 * @param prepare folds the text as the searched columns are folded
 */
export function searchWords(text: string, prepare: (text: string) => string = fold): string[] {
  if (text === '') return [];
  const words = new Set<string>();
  for (const [word, phrase] of prepare(text).matchAll(/"([^"]*)"|[^\s"]+/g)) {
    const term = (phrase ?? withoutEnds(word, ',;')).trim();
    if (term !== '') words.add(term);
    if (words.size === MAX_SEARCH_WORDS) break;
  }
  return [...words];
}

/** Paragraphs with simple markup, as in most descriptions; the only entities are the ones that `sanitize` writes. */
const PARAGRAPHS =
  /^\s*(?:<p>[^<&]*(?:(?:<(?:\/?(?:b|em|i|strong)|br ?\/?|a(?: (?:href|rel|target|title)="[^"<>]*")*|\/a)>|&(?:amp|lt|gt);)[^<&]*)*<\/p>\s*)*$/;
/** Inline elements of such paragraphs. */
const INLINE = /<\/?(?:b|em|i|strong|a)(?: [^<>]*)?>/g;

/**
 * An HTML fragment as `sanitize` writes it with block elements only, without attributes. Paragraphs need no parser, which
 * takes ten times as long: each read of an event has three descriptions, and a feed hundreds.
 */
function blocksOf(html: string): string {
  if (!/[<&]/.test(html)) return html;
  // With so few elements none is nested too deep.
  const isShort = html.split('<', MAX_DEPTH + 1).length <= MAX_DEPTH;
  return isShort && PARAGRAPHS.test(html) ? html.replace(INLINE, '') : parsedBlocks(html);
}

/** Like `blocksOf`, with the parser. */
export const parsedBlocks = (html: string): string =>
  sanitize(html, { allowedTags: [...BLOCKS], allowedAttributes: {} }) ?? plainText(html);

/**
 * The visible text of an HTML fragment on one line, for search and JSON-LD. Not safe to use as HTML.
 * @param blocks the same fragment with block elements only
 */
export function htmlToText(html: string, blocks = blocksOf(html)): string {
  // Only block elements without attributes are left, so every remaining tag separates words. sanitize-html writes only
  // these three entities.
  return collapse(decodeMarkup(blocks.replace(/<[^<>]*>/g, ' ')).replace(CONTROLS, ''));
}

const decodeMarkup = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/**
 * The visible text of an HTML fragment in lines, with a blank line between blocks, for formats without markup. Not safe
 * to use as HTML.
 * @param blocks the same fragment with block elements only
 */
export function htmlToLines(html: string, blocks = blocksOf(html)): string {
  const lines = collapse(blocks.replace(CONTROLS, ''))
    .replace(/<(?:br|tr)\b[^<>]*>/g, '\n')
    .replace(/<li> ?/g, '\n- ')
    .replace(/<\/(?:li|tr)>/g, '')
    .replace(/<\/?t[dh]>/g, ' ')
    .replace(/<[^<>]*>/g, '\n\n')
    .replace(/ +/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n');
  return decodeMarkup(lines).trim();
}

/** Characters that start tags and entities, control and bidirectional characters, unpaired surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the purpose
const MAY_HIDE = /[<&\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/;

/** Levels of nested entities that are decoded before remaining markup characters are removed. */
const MAX_LAYERS = 5;

/**
 * Text for consumers that may decode entities or render it as HTML: no tags, not even ones hidden by
 * entities (`&lt;b&gt;`, `&amp;lt;b&amp;gt;`). Other entities are decoded: `Fish &amp; chips` gives `Fish & chips`.
 * Idempotent.
 */
export function unescapableText(text: string): string {
  // Fast path for nearly all texts: each read of an event renders dozens.
  if (!MAY_HIDE.test(text)) return text;
  let inert = plainText(text);
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    if (!/&[#a-z]/i.test(inert)) return inert;
    const next = plainText(htmlToText(inert));
    if (next === inert) return inert;
    inert = next;
  }
  return plainText(inert.replace(/[<>&]/g, ' '));
}

/**
 * sanitize-html with limits to nesting, since its parser takes quadratic time over elements that are never closed, and
 * to the number of elements.
 *
 * @returns undefined when elements are nested over 1000 deep, or there are over 5000
 */
export function sanitize(html: string, options: sanitizeHtml.IOptions): string | undefined {
  let [depth, count] = [0, 0];
  const tooMuch = new Error('too many elements');
  const onOpenTag = () => {
    depth += 1;
    count += 1;
    if (depth > MAX_DEPTH || count > MAX_ELEMENTS) throw tooMuch;
  };
  const onCloseTag = () => {
    depth -= 1;
  };
  // Loaded with the first text that needs it: most reads need none of its fifteen packages.
  const clean: typeof sanitizeHtml = require('sanitize-html');
  try {
    return unshielded(clean(shielded(html), { ...options, onOpenTag, onCloseTag }));
  } catch (error) {
    if (error === tooMuch) return undefined;
    throw error;
  }
}

/** Characters that are text but slow to parse, and the control characters that replace them. */
const SHIELDS: Readonly<Record<string, string>> = { '<': '\x80', '&lt;': '\x80', '&gt;': '\x81', '&amp;': '\x82' };
const SHIELDED: Readonly<Record<string, string>> = { '\x80': '&lt;', '\x81': '&gt;', '\x82': '&amp;' };

const SHIELD = /[\x80-\x82]/g;

/** A `<` can begin a tag, a closing tag, a comment or a declaration. */
const shielded = (html: string): string =>
  html.replace(SHIELD, '').replace(/<(?![a-z/!?])|&(?:lt|gt|amp);/gi, (text) => SHIELDS[text] ?? text);

const unshielded = (html: string): string => html.replace(SHIELD, (char) => SHIELDED[char] ?? char);

/** The value of an attribute as a browser reads it, from what `sanitize` passes to an `exclusiveFilter`. */
export const attributeValue = (shieldedValue: string): string => decodeMarkup(unshielded(shieldedValue));

/** Text for use in HTML, between tags and in quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}

/** Trims some characters at both ends of a text. */
export function withoutEnds(text: string, characters: string): string {
  let [start, end] = [0, text.length];
  while (start < end && characters.includes(text.charAt(start))) start += 1;
  while (end > start && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A word with a capital first letter, as in schema names. */
export const capitalize = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** An English noun with its indefinite article: `a venue`, `an organizer`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/**
 * Whether a text has more than `max` characters, counted as in JSON Schema: a surrogate pair is one. Never reads more
 * than twice as many UTF-16 units.
 */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let pairs = 0;
  for (let index = 0; index < text.length; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) {
      pairs += 1;
      index += 1;
    }
  }
  return text.length - pairs > max;
}
