/** Addresses and codes that embed events in other sites. */

export interface Embed {
  /** A list of events or a single event. */
  content: 'list' | 'event';
  /** The slug of the single event, without encoding. */
  event: string;
  /** Filters and length of the list, by attribute. */
  filters: Readonly<Record<Attribute, string>>;
  /** Language, if not the first of the site. */
  language: string;
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
export function embedPath({ content, event, filters, language }: Embed): string {
  const prefix = language === '' ? '' : `/${encodeURIComponent(language)}`;
  if (content === 'event') return `${prefix}/embed/event/${encodeURIComponent(event)}/`;
  const pairs = ATTRIBUTES.flatMap((name) => (filters[name] === '' ? [] : [[PARAMETERS[name], filters[name]]]));
  const query = new URLSearchParams(pairs).toString();
  return `${prefix}/embed/events/${query && `?${query}`}`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const tag = (name: string, attributes: readonly (readonly [string, string])[]): string =>
  `<${name}${attributes.map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')}></${name}>`;

/** Code of the element and its script; the element adapts to the height of its content. */
export function elementCode(embed: Embed, { origin, title }: { origin: string; title: string }): string {
  const { content, event, filters, language } = embed;
  const own =
    content === 'event' ? [['event', event] as const] : ATTRIBUTES.map((name) => [name, filters[name]] as const);
  const attributes = [...own, ['language', language] as const, ['title', title] as const];
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
