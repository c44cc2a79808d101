import { z } from 'zod';
import { ANONYMOUS } from '../../../http/core/auth.ts';
import { ANY_TIME, type EndpointResponse, endpoint, type RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { filledText, integer } from '../../../http/input/schemas.ts';
import { escapeHtml } from '../../../lib/text/text.ts';
import { findImages, renderImage } from '../../../platform/media/images.ts';
import { getSite } from '../../../platform/site/settings.ts';
import { loadTranslations } from '../../../platform/translations/store.ts';
import { mayRead } from '../../posts/visibility.ts';
import { type Event, findEventBySlug } from '../store.ts';

/** Default width and height of the frame in pixels, limited by the parameters. */
const WIDTH = 600;
const HEIGHT = 420;

const pixels = (about: string) => integer(about, { min: 1, max: 10_000 });

const schema = z.object({
  version: z.literal('1.0'),
  type: z.literal('rich'),
  provider_name: z.string(),
  provider_url: z.string(),
  title: z.string(),
  html: z.string(),
  width: z.int(),
  height: z.int(),
  thumbnail_url: z.string().optional(),
  thumbnail_width: z.int().optional(),
  thumbnail_height: z.int().optional(),
});

/** oEmbed data for embedding an event in other sites, by its URL: https://oembed.com (version 1.0). */
export const oembedEndpoint = endpoint({
  namespace: 'root',
  methods: ['GET'],
  path: '/oembed/1.0/embed',
  name: 'events.oembed',
  summary: 'Describe how to embed an event',
  input: {
    url: filledText('URL of an event page.', { max: 2000 }),
    format: filledText('`json` (default) or `xml`.', { max: 10 }),
    maxwidth: pixels('Maximum width of the frame in pixels.'),
    maxheight: pixels('Maximum height of the frame in pixels.'),
  },
  required: ['url'],
  responses: { 200: schema },
  media: ['text/xml'],
  errors: ['oembed_invalid_url'],
  async find({ url = '' }, ctx) {
    const slug = slugIn(url, ctx);
    const event = slug === undefined ? undefined : await findEventBySlug(ctx.context.db, slug);
    if (!event || !mayRead(ANONYMOUS, event)) throw new ApiError('oembed_invalid_url');
    return event;
  },
  async handle(ctx, { format, maxwidth = WIDTH, maxheight = HEIGHT }, event: Event): Promise<EndpointResponse> {
    const body = await describe(event, ctx, { width: Math.min(WIDTH, maxwidth), height: Math.min(HEIGHT, maxheight) });
    if (format !== 'xml') return { body, freshUntil: ANY_TIME };
    return { body: undefined, raw: { type: 'text/xml; charset=UTF-8', content: xmlOf(body) }, freshUntil: ANY_TIME };
  },
});

/** The slug in the URL of an event of this site, in any language. */
function slugIn(address: string, { urls, context }: RequestContext): string | undefined {
  const url = URL.parse(address);
  if (url?.host !== new URL(urls.origin).host) return undefined;
  const [, language, slug] = /^(?:\/([\w-]+))?\/event\/([^/]+)(?:\/embed)?\/?$/.exec(url.pathname) ?? [];
  const isKnown = language === undefined || context.config.languages.some((known) => known.toLowerCase() === language);
  return isKnown ? slug : undefined;
}

async function describe(event: Event, ctx: RequestContext, size: { width: number; height: number }) {
  const { urls, context } = ctx;
  const isLocked = event.password !== '';
  const images = await findImages(context.db, event.image_id === null || isLocked ? [] : [event.image_id]);
  const row = images.get(event.image_id ?? 0);
  const image = row && renderImage(row, urls);
  const { title } = (await loadTranslations(ctx, [{ kind: 'event', id: event.id }])).show('event', event);
  const source = escapeHtml(urls.page(`/embed/event/${event.slug}/`));
  return {
    version: '1.0' as const,
    type: 'rich' as const,
    provider_name: (await getSite(context, ctx.language)).name,
    provider_url: urls.origin,
    title,
    html: `<iframe src="${source}" width="${size.width}" height="${size.height}" title="${escapeHtml(title)}" loading="lazy" style="border:0"></iframe>`,
    ...size,
    ...(image && { thumbnail_url: image.url, thumbnail_width: image.width, thumbnail_height: image.height }),
  };
}

const xmlOf = (body: Readonly<Record<string, string | number>>): string =>
  `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${Object.entries(body)
    .map(([name, value]) => `<${name}>${escapeHtml(String(value))}</${name}>`)
    .join('')}</oembed>\n`;
