import { isZone } from '../../lib/dates/dates.ts';
import { type Finding, idOf } from '../drafts.ts';
import { importedTitle } from '../texts.ts';
import { isSerialized, membersOfPhp, phpText, readPhpValue } from './php-value.ts';
import type { Meta, Post, Staging } from './staging.ts';

/** Facts of a staged site that its records share. */
export interface Site {
  staging: Staging;
  /** Address without a slash at its end. */
  home: string;
  /** Zone of events without one. */
  zone: string;
  /** Labels of custom fields by key. */
  customFields: ReadonlyMap<string, string>;
  currency: { symbol: string; isAfter: boolean };
}

/** @param zone of events without one, for a site whose file does not name its zone */
export function siteOf(staging: Staging, zone: string): Site {
  const options = membersOfPhp(readPhpValue(staging.option('tribe_events_calendar_options')));
  const labels = [...membersOfPhp(options.get('custom-fields')).values()].map((value) => {
    const field = membersOfPhp(value);
    return [phpText(field.get('name')), importedTitle(phpText(field.get('label'))).slice(0, 200)] as const;
  });
  return {
    staging,
    home: (staging.option('home') || staging.option('siteurl'))
      .slice(0, 2000)
      .trim()
      .replace(/(?<!\/)\/+$/, ''),
    zone: zoneOf(staging) ?? zone,
    customFields: new Map(labels.filter(([name]) => name !== '')),
    currency: {
      symbol: importedTitle(phpText(options.get('defaultCurrencySymbol'))),
      isAfter: options.get('reverseCurrencyPosition') === true || options.get('reverseCurrencyPosition') === '1',
    },
  };
}

/** The zone of the site, which may have only an offset such as `5.5`. */
function zoneOf(staging: Staging): string | undefined {
  const named = staging.option('timezone_string');
  if (named !== '' && isZone(named)) return named;
  const told = staging.option('gmt_offset');
  if (told === '') return undefined;
  const offset = Number(told);
  if (!Number.isFinite(offset) || Math.abs(offset) > 14 || offset === 0) return 'UTC';
  return `UTC${offset > 0 ? '+' : ''}${offset}`;
}

/** First value of the first key that has one. */
export const first = (meta: Meta, ...keys: readonly string[]): string => {
  for (const key of keys) {
    const value = meta.get(key)?.[0];
    if (value !== undefined && value !== '') return value;
  }
  return '';
};

/** Keys with a single value in each record. */
const SINGLE = ['_EventStartDate', '_EventEndDate', '_EventTimezone', '_EventVenueID', '_EventAllDay'];

/** Problems of the values of a record: several values of one key, and corrupt values. */
export function metaFindings(meta: Meta): Finding[] {
  const several = SINGLE.filter((key) => new Set(meta.get(key)).size > 1);
  const corrupt = [...meta].filter(([, values]) =>
    values.some((value) => isSerialized(value) && readPhpValue(value) === undefined),
  );
  return [
    ...several.map((key) => ({ code: 'several-values', detail: `${key}: ${meta.get(key)?.join(', ')}` })),
    ...corrupt.map(([key]) => ({ code: 'corrupt', detail: key })),
  ];
}

const PUBLISHABLE = new Set(['publish', 'future', 'draft', 'pending', 'private', 'trash']);

/** Members that all posts share, in the form of the original's interface. */
export function postItem(post: Post): Record<string, unknown> {
  return {
    ...{ id: post.id, date: post.date, date_utc: post.date_gmt, modified_utc: post.modified_gmt },
    status: PUBLISHABLE.has(post.status) ? post.status : 'draft',
    slug: post.name,
  };
}

export const postFindings = ({ status }: Post): Finding[] =>
  PUBLISHABLE.has(status) ? [] : [{ code: 'status-unknown', detail: status.slice(0, 40) }];

/** The image of a record; without an address if its file is unknown. */
export function imageItem(meta: Meta, site: Site): Record<string, unknown> | false {
  const id = idOf(first(meta, '_thumbnail_id'));
  return id !== 0 && { id, url: imageUrl(id, site), details: imageDetails(id, site) };
}

export function imageUrl(id: number, { staging, home }: Site): string {
  const file = first(staging.meta('post', id), '_wp_attached_file');
  const post = file === '' ? undefined : staging.post(id);
  return post?.type === 'attachment' ? `${home}/wp-content/uploads/${encodeURI(file)}` : '';
}

/** Title, alternative text and date of an image, in the form of `wp/v2/media`. */
export function imageDetails(id: number, { staging }: Site): Record<string, unknown> {
  const post = staging.post(id);
  return {
    ...(post && { title: { rendered: post.title }, slug: post.name, date_gmt: post.date_gmt.replace(' ', 'T') }),
    alt_text: first(staging.meta('post', id), '_wp_attachment_image_alt'),
  };
}

const MAX_BLOCKS = 20;

/** A text as the original shows it: with reusable blocks, and with paragraphs if it has no blocks. */
export function renderedText(text: string, { staging }: Site): string {
  let left = MAX_BLOCKS;
  const whole = text.replace(
    /<!-- wp:block \{[^{}]{0,200}"ref":(\d{1,12})[^{}]{0,200}\} \/-->/g,
    (_whole, ref: string) => {
      left -= 1;
      const block = left >= 0 ? staging.post(Number(ref)) : undefined;
      return block?.type === 'wp_block' && block.status === 'publish' ? block.content : '';
    },
  );
  const parts = whole.split(/<!--(?:more|nextpage)[^>]{0,100}-->/);
  return parts.map((part) => (part.includes('<!-- wp:') ? part : withParagraphs(part))).join('\n');
}

const BLOCK =
  /^<\/?(?:address|article|aside|blockquote|details|div|dl|dt|dd|fieldset|figure|figcaption|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|script|section|style|table|tbody|td|tfoot|th|thead|tr|ul|video)\b/i;

/** Makes paragraphs of lines, as the original does when it shows a text. */
function withParagraphs(text: string): string {
  if (/<pre\b/i.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (BLOCK.test(part) ? part : `<p>${part.replaceAll('\n', '<br />\n')}</p>`))
    .join('\n');
}
