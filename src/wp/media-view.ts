import { z } from 'zod';
import type { MediaTable } from '../db/tables/platform.ts';
import type { RequestContext } from '../http/core/endpoint.ts';
import { imageSlug, imageTitle } from '../platform/media/image-names.ts';
import { renderImage } from '../platform/media/images.ts';
import { linksSchema } from './list.ts';
import { isoDates, textSchema } from './texts.ts';

const sizeSchema = z.object({
  file: z.string(),
  width: z.int(),
  height: z.int(),
  filesize: z.int(),
  mime_type: z.string(),
  source_url: z.string(),
});

/** Image; rendered by `renderMedia`. */
export const mediaSchema = z
  .object({
    id: z.int(),
    date: z.string(),
    date_gmt: z.string(),
    guid: textSchema,
    modified: z.string(),
    modified_gmt: z.string(),
    slug: z.string().describe('Name of the uploaded file. Several images may share it.'),
    status: z.literal('inherit'),
    type: z.literal('attachment'),
    link: z.string(),
    title: textSchema,
    author: z.int(),
    caption: textSchema,
    description: textSchema,
    alt_text: z.string(),
    media_type: z.literal('image'),
    mime_type: z.string(),
    media_details: z.object({
      width: z.int(),
      height: z.int(),
      file: z.string(),
      filesize: z.int(),
      sizes: z.record(z.string(), sizeSchema),
    }),
    post: z.null(),
    source_url: z.string(),
    meta: z.array(z.never()),
    _links: linksSchema,
  })
  .meta({ id: 'WpMedia', description: 'An uploaded image.' });

/** Renders an image. Captions are empty: Marquee does not store any. The alternative text is in the language of the request. */
export function renderMedia(row: MediaTable, { urls, context }: RequestContext): z.output<typeof mediaSchema> {
  const image = renderImage(row, urls);
  const slug = imageSlug(row);
  const { date, date_gmt } = isoDates(row.date_utc, context.config.timezone);
  const sizes = Object.entries(image.sizes ?? {}).map(([name, { 'mime-type': mime_type, url, ...size }]) => [
    name,
    { ...size, mime_type, file: fileOf(url), source_url: url },
  ]);
  const { width, height, filesize } = row;
  const full = { width, height, filesize, mime_type: row.mime_type, file: fileOf(image.url), source_url: image.url };
  return {
    id: row.id,
    ...{ date, date_gmt, guid: { rendered: image.url }, modified: date, modified_gmt: date_gmt },
    slug,
    status: 'inherit',
    type: 'attachment',
    link: image.url,
    title: { rendered: imageTitle(row) },
    author: row.author_id,
    ...{ caption: { rendered: '' }, description: { rendered: '' }, alt_text: row.alt },
    media_type: 'image',
    mime_type: row.mime_type,
    media_details: { width, height, file: row.file, filesize, sizes: { ...Object.fromEntries(sizes), full } },
    post: null,
    source_url: image.url,
    meta: [],
    _links: {
      self: [{ href: urls.rest('wp', `/media/${row.id}`) }],
      collection: [{ href: urls.rest('wp', '/media') }],
    },
  };
}

const fileOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
