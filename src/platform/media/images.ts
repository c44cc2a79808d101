import { z } from 'zod';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import type { Urls } from '../../http/core/urls.ts';
import { additions, link } from '../../http/output/output.ts';
import { loadTranslations, type RecordName } from '../translations/store.ts';

/** Images of events, venues and organizers: uploaded or downloaded, with their renditions. */

const renditionSchema = z
  .object({ width: z.int(), height: z.int(), 'mime-type': z.string(), filesize: z.int(), url: link })
  .meta({ id: 'ImageSize', description: 'One rendition of an image. Sizes in pixels and bytes.' });

/** Image in responses; rendered by `renderImage`. */
export const imageSchema = z
  .object({
    url: link,
    id: z.int(),
    extension: z.string(),
    width: z.int(),
    height: z.int(),
    filesize: z.int(),
    sizes: z.record(z.string(), renditionSchema).optional(),
    alt: z.string().optional().describe('Alternative text, which describes the image.'),
    focus: z
      .object({ x: z.number().min(0).max(100), y: z.number().min(0).max(100) })
      .optional()
      .describe(
        'Focal point, which stays visible when the image is cropped, in per cent from the left and from the top.',
      ),
  })
  .meta({
    id: 'Image',
    description:
      'A featured image. `sizes` is absent when the original is too small for any rendition; `alt` and `focus` are ' +
      'absent only under `/wp-json/tribe`: no text, and the centre.',
  });

export type Image = z.output<typeof imageSchema>;

/** A rendition as stored in `sizes` of an image, by name. */
export interface StoredSize {
  file: string;
  width: number;
  height: number;
  mime_type: string;
  filesize: number;
}

/** Path of the uploads folder in URLs. */
export const UPLOADS = '/uploads/';

const uploadUrl = (urls: Urls, file: string): string => urls.page(`${UPLOADS}${file}`);

/** The renditions of an image, by name. */
export function storedSizes({ sizes }: Pick<MediaTable, 'sizes'>): Record<string, StoredSize> {
  return JSON.parse(sizes) as Record<string, StoredSize>; // written by `prepareImage`
}

/** Paths of the original and its renditions in the uploads folder. */
export const filesOfImage = (row: Pick<MediaTable, 'file' | 'sizes'>): string[] => [
  row.file,
  ...Object.values(storedSizes(row)).map(({ file }) => file),
];

const UNDESCRIBED = { alt: '', focus: { x: 50, y: 50 } };

/** Renders an image, whose text is in the language of the response, with the URLs of its files. */
export function renderImage(row: MediaTable, urls: Urls): Image {
  const sizes = Object.entries(storedSizes(row)).map(([name, { file, width, height, mime_type, filesize }]) => [
    name,
    { width, height, 'mime-type': mime_type, filesize, url: uploadUrl(urls, file) },
  ]);
  const { id, extension, width, height, filesize, alt, focus_x: x, focus_y: y } = row;
  return {
    url: uploadUrl(urls, row.file),
    id,
    extension,
    width,
    height,
    filesize,
    ...(sizes.length > 0 && { sizes: Object.fromEntries(sizes) }),
    ...additions({ alt, focus: { x, y } }, UNDESCRIBED, urls),
  };
}

const imagesById = byIds((query, ids) => query.selectFrom('media').selectAll().where('id', 'in', ids));

/** Images by id; missing ones are absent. */
export async function findImages(db: Database, ids: readonly number[]): Promise<Map<number, MediaTable>> {
  return new Map((await imagesById(db, ids)).map((row) => [row.id, row]));
}

/** @throws {ApiError} media-not-found */
export async function getImage(db: Database, id: number): Promise<MediaTable> {
  const row = (await findImages(db, [id])).get(id);
  if (!row) throw new ApiError('media-not-found');
  return row;
}

/** Images with their texts in the language of the request; missing ones are absent. */
export async function findShownImages(ctx: RequestContext, ids: readonly number[]) {
  const [stored, texts] = await Promise.all([
    findImages(ctx.context.db, ids),
    loadTranslations(ctx, namesOfImages(ids)),
  ]);
  return new Map([...stored].map(([id, row]) => [id, texts.show('media', row)]));
}

/** Translatable records of images. */
export const namesOfImages = (ids: readonly number[]): RecordName[] => ids.map((id) => ({ kind: 'media', id }));
