import type sanitizeHtml from 'sanitize-html';
import { attributeValue, htmlToText, sanitize } from './text.ts';

const BLOCK_TAGS =
  'address blockquote dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table tbody td ' +
  'tfoot th thead tr ul caption col colgroup';
const INLINE_TAGS =
  'a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr';

const BLOCK_TAG = new RegExp(`</?(?:${BLOCK_TAGS.replaceAll(' ', '|')})[\\s/>]`, 'i');
const VOID_TAG = /^<(?:br|img|wbr)\b/i;
const LINE_END = /\r\n|\r|\n/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

// Browsers parse broken nesting differently after each repair; in practice the second pass already changes nothing.
const MAX_PASSES = 4;

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: `${BLOCK_TAGS} ${INLINE_TAGS}`.split(' '),
  allowedAttributes: {
    // Not `class`: a text could look like buttons and notices of the site.
    '*': ['dir', 'lang', 'title'],
    a: ['href', 'rel', 'target'],
    blockquote: ['cite'],
    col: ['span'],
    colgroup: ['span'],
    del: ['cite', 'datetime'],
    details: ['open'],
    img: ['alt', 'height', 'src', 'width'],
    ins: ['cite', 'datetime'],
    li: ['value'],
    ol: ['reversed', 'start', 'type'],
    q: ['cite'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    time: ['datetime'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  // Elements whose content is not readable text; they are removed with it.
  nonTextTags: 'script style textarea option xmp noscript noembed noframes iframe object template title'.split(' '),
  nestingLimit: 60,
  transformTags: { a: safeLink },
  exclusiveFilter: ({ tag, attribs: { src } }) =>
    tag === 'img' && (src === undefined || isInterfaceAddress(attributeValue(src))),
};

/** Path of the REST API, on any host and below any folder. */
const INTERFACE_PATH = /\/(?:wp-json|(?:calendar|tribe)\/(?:events|tickets|admin)\/v1)(?:\/|$)/i;
const OWN_INTERFACE_PATH = /^\/(?:wp-json|calendar)(?:\/|$)/i;
/** Placeholder for the site's own host, which is not known here. */
const OWN_HOST = 'site.invalid';
/** On a page served by https, `https:/path` is a path of the site; elsewhere it names the host `path`. */
const OWN_ORIGINS = [`http://${OWN_HOST}/`, `https://${OWN_HOST}/`];

/**
 * Whether an image points to the REST API: browsers would request it as soon as the text is shown, with the reader's
 * session.
 */
const isInterfaceAddress = (src: string): boolean => OWN_ORIGINS.some((base) => isInterfaceAddressFrom(base, src));

function isInterfaceAddressFrom(base: string, src: string): boolean {
  if (!URL.canParse(src, base)) return true;
  const { host, pathname, searchParams } = new URL(src, base);
  if (searchParams.has('rest_route')) return true;
  const path = decoded(pathname).replace(/\/+/g, '/');
  return INTERFACE_PATH.test(path) || (host === OWN_HOST && OWN_INTERFACE_PATH.test(path));
}

/** Percent-decodes a text; returns it unchanged if that fails. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Reduces the HTML of a post to an allow-list of tags, attributes and URL schemes. Scripts, styles, frames and event
 * handlers are removed; the text of other unknown tags stays. Idempotent.
 *
 * Text without any `<` cannot contain markup and is returned as is: `Fish & chips` is valid HTML. In text with tags,
 * entities are decoded where the character can be written literally, and `&`, `<`, `>` are escaped. Text that is nested
 * extremely deep or has over 5000 elements loses its tags.
 */
export function cleanHtml(html: string): string {
  let clean = tidy(html);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    if (!clean.includes('<')) return clean;
    const next = sanitize(clean, OPTIONS);
    if (next === undefined) break;
    if (tidy(next) === clean) return clean;
    clean = tidy(next);
  }
  return escapeText(htmlToText(clean));
}

/**
 * Adds paragraphs to clean HTML with line breaks and no block tags: a blank line separates paragraphs, a single line
 * break becomes `<br />`. Other HTML is returned as is. Idempotent. An inline element that spans a blank line cannot be
 * split into paragraphs; it gets two `<br />`.
 */
export function paragraphs(html: string): string {
  if (!LINE_END.test(html.trim()) || BLOCK_TAG.test(html)) return html;
  const blocks: string[][] = [[]];
  let openTags = 0;
  for (const line of linesOf(html)) {
    if (line === '' && openTags === 0) blocks.push([]);
    else blocks.at(-1)?.push(line);
    openTags += tagBalance(line);
  }
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `<p>${lines.map(withoutBreak).join('<br />\n')}</p>`)
    .join('\n');
}

/** Trimmed lines; a line break inside a tag (in an attribute value) is not part of the text. */
function linesOf(html: string): string[] {
  const oneLineTags = html.trim().replace(/<[^<>]*>/g, (tag) => tag.replace(/\s+/g, ' '));
  return oneLineTags.split(LINE_END).map((line) => line.trim());
}

function tagBalance(line: string): number {
  const tags = (line.match(/<[^<>]*>/g) ?? []).filter((tag) => !VOID_TAG.test(tag));
  return tags.reduce((balance, tag) => balance + (tag.startsWith('</') ? -1 : 1), 0);
}

function withoutBreak(line: string, index: number, lines: readonly string[]): string {
  return index < lines.length - 1 ? line.replace(/<br ?\/?>$/i, '').trimEnd() : line;
}

/** Named targets and `rel=opener` would give the other page access to this one; `_blank` alone does not. */
function safeLink(tagName: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const { target, rel, ...safe } = attribs;
  const relations = (rel ?? '').split(/\s+/).filter((word) => word !== '' && word.toLowerCase() !== 'opener');
  if (target?.toLowerCase() === '_blank') safe.target = '_blank';
  if (relations.length > 0) safe.rel = relations.join(' ');
  return { tagName, attribs: safe };
}

function tidy(html: string): string {
  return html.toWellFormed().replace(CONTROLS, '').trim();
}

/** Text for use in HTML between tags. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
