import { cleanHtml } from '../lib/text/html.ts';
import { htmlToText, plainText, sanitize } from '../lib/text/text.ts';
import { originalOf } from '../platform/media/former-files.ts';

/** Adapts texts of another site to this one. */

export interface TextOptions {
  /** Origin and folder of the source, without a slash at its end. */
  address: string;
  /** Address of a stored image in place of the one at the source; undefined if it is not stored. */
  imageAt(url: string): string | undefined;
  /** Reports a shortcode that is left out. */
  onShortcode(name: string): void;
}

/** Longest text of a record. */
const MAX_TEXT = 50_000;

/** Elements that the editor of the source renders into texts, and that this site shows by itself. */
const RENDERED =
  /(?:^|\s)(?:tribe-block|tribe-events-schedule|tribe-events-c-subscribe-dropdown|tribe-events)(?:\s|__|$)/;

/** Pages that this site serves at the same path. */
const SAME_PATH = /^\/(?:event|events|venue|organizer|tag)(?:\/|$)/;

/** A shortcode, its attributes without brackets. Each part has a bounded length. */
const SHORTCODE = /\[(\/?)([a-z][a-z\d_-]{1,40})((?:\s[^[\]<>]{0,500})?)\/?\]/gi;
const KNOWN = new Set(['gallery', 'caption', 'embed', 'audio', 'video', 'playlist', 'wp_caption']);

/** HTML of a text for this site: clean, with links to this site, and without shortcodes. */
export function importedHtml(html: string, options: TextOptions): string {
  const own = html.includes('tribe-') ? withoutRendered(html) : html;
  const text = cleanHtml(withoutShortcodes(withOwnLinks(own, options), options));
  return text.length <= MAX_TEXT ? text : htmlToText(text).slice(0, MAX_TEXT);
}

/** A title as plain text: the source shows it with entities, and maybe with tags. */
export const importedTitle = (title: string): string => plainText(htmlToText(plainText(title)));

/** Whether `importedHtml` cuts a text. */
export const isCut = (html: string): boolean => html.length > MAX_TEXT && cleanHtml(html).length > MAX_TEXT;

const withoutRendered = (html: string): string =>
  sanitize(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    exclusiveFilter: ({ attribs }) => RENDERED.test(attribs.class ?? ''),
  })?.trim() ?? html;

/** Leaves out tags of shortcodes, but not words in brackets such as `[sic]`. */
function withoutShortcodes(html: string, { onShortcode }: TextOptions): string {
  const closed = new Set([...html.matchAll(SHORTCODE)].flatMap(([, slash, name = '']) => (slash ? [name] : [])));
  return html.replace(SHORTCODE, (tag, _slash, name: string, attributes: string) => {
    const isOne = KNOWN.has(name.toLowerCase()) || closed.has(name) || /[_-]/.test(name) || attributes.includes('=');
    if (!isOne) return tag;
    onShortcode(name);
    return '';
  });
}

const ADDRESS = /\b(href|src)=(["'])(https?:\/\/[^"'<>\s]{1,2000})\2/gi;

/** Replaces addresses of pages and images of the source. */
function withOwnLinks(html: string, { address, imageAt }: TextOptions): string {
  const host = new URL(address).host;
  return html.replace(ADDRESS, (whole, name: string, quote: string, written: string) => {
    const url = URL.parse(written.replaceAll('&amp;', '&').replaceAll('&#038;', '&'));
    if (!url || url.host !== host) return whole;
    const own =
      imageAt(url.href) ?? (SAME_PATH.test(url.pathname) ? `${url.pathname}${url.search}${url.hash}` : undefined);
    return own === undefined ? whole : `${name}=${quote}${own.replaceAll('&', '&amp;')}${quote}`;
  });
}

/** Addresses of images of the source in a text. */
export function imagesIn(html: string, address: string): string[] {
  const host = new URL(address).host;
  return [...html.matchAll(ADDRESS)].flatMap(([, name = '', , written = '']) => {
    const url = name.toLowerCase() === 'src' ? URL.parse(written.replaceAll('&amp;', '&')) : undefined;
    return url && url.host === host && /\.(?:png|jpe?g|gif|webp|avif)$/i.test(url.pathname) ? [originalOf(url)] : [];
  });
}

/** Converts plain text of a file to HTML, with paragraphs and lines. Brackets in it are not shortcodes. */
export function htmlOfText(text: string): string {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return paragraphs.map((one) => `<p>${escaped(one).replaceAll('\n', '<br>')}</p>`).join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '[': '&#91;',
  ']': '&#93;',
};
const escaped = (text: string): string => text.replace(/[&<>[\]]/g, (character) => ENTITIES[character] ?? character);

export const isWebAddress = (text: string): boolean =>
  text.length <= 2000 && /^https?:\/\/[^\s"<>]+$/i.test(text) && URL.canParse(text);
