/** Addresses and codes that embed events in other sites. */

export interface Embed {
  /** A list of events, a month of them, or a single event. */
  content: 'list' | 'month' | 'event';
  /** The slug of the single event, without encoding. */
  event: string;
  /** Filters and length of the list, by attribute; a month has no length. */
  filters: Readonly<Record<Attribute, string>>;
  /** Language, if not the first of the site. */
  language: string;
  /** Colour scheme; empty to follow the device. */
  theme: '' | 'light' | 'dark';
}

/** Attributes of the element, and the parameters of the calendar that they set. */
const PARAMETERS = {
  category: 'categories',
  tag: 'tags',
  venue: 'venue',
  organizer: 'organizer',
  search: 'search',
  limit: 'limit',
} as const;

type Attribute = keyof typeof PARAMETERS;

// Object.keys does not carry the key type.
const ATTRIBUTES = Object.keys(PARAMETERS) as Attribute[];

/** Path of the embedded page. */
export function embedPath(embed: Embed): string {
  const { content, event, language, theme } = embed;
  const prefix = language === '' ? '' : `/${encodeURIComponent(language)}`;
  const pairs = filtersOf(embed).map(([name, value]) => [PARAMETERS[name], value]);
  const query = new URLSearchParams([...pairs, ...(theme === '' ? [] : [['theme', theme]])] as [string, string][]);
  return `${prefix}/embed/${PATHS[content](event)}/${query.size > 0 ? `?${query}` : ''}`;
}

const PATHS: Readonly<Record<Embed['content'], (event: string) => string>> = {
  list: () => 'events',
  month: () => 'month',
  event: (event) => `event/${encodeURIComponent(event)}`,
};

/** The filters that are set, as far as the content has them. */
const filtersOf = ({ content, filters }: Embed): (readonly [Attribute, string])[] =>
  ATTRIBUTES.filter(
    (name) => filters[name] !== '' && content !== 'event' && (content === 'list' || name !== 'limit'),
  ).map((name) => [name, filters[name]]);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const tag = (name: string, attributes: readonly (readonly [string, string])[]): string =>
  `<${name}${attributes.map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')}></${name}>`;

/** Code of the element and its script; the element adapts to the height of its content. */
export function elementCode(embed: Embed, { origin, title }: { origin: string; title: string }): string {
  const { content, event, language, theme } = embed;
  const attributes: (readonly [string, string])[] = [
    ['view', content === 'month' ? 'month' : ''],
    ['event', content === 'event' ? event : ''],
    ...filtersOf(embed),
    ['language', language],
    ['theme', theme],
    ['title', title],
  ];
  const given = attributes.filter(([, value]) => value !== '');
  return `<script src="${escaped(origin)}/embed.js" async></script>\n${tag('marquee-events', given)}`;
}

interface FrameOptions {
  origin: string;
  title: string;
  /** In pixels. */
  height: number;
}

/** Code of an iframe with a fixed height, for pages without scripts. */
export const frameCode = (embed: Embed, { origin, title, height }: FrameOptions): string =>
  tag('iframe', [
    ['src', `${origin}${embedPath(embed)}`],
    ['title', title],
    ['width', '100%'],
    ['height', String(height)],
    ['loading', 'lazy'],
    ['style', 'border: 0'],
  ]);
