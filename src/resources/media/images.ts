import { z } from 'zod';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { MediaTable } from '../../db/tables.ts';
import { link } from '../../http/output.ts';
import type { Urls } from '../../http/urls.ts';

/** Images of events, venues and organizers: uploaded or downloaded, with their renditions. */

const renditionSchema = z
  .object({ width: z.int(), height: z.int(), 'mime-type': z.string(), filesize: z.int(), url: link })
  .meta({ id: 'ImageSize', description: 'One rendition of an image. Sizes in pixels and bytes.' });

/** An image in answers; rendered by `renderImage`. */
export const imageSchema = z
  .object({
    url: link,
    id: z.int(),
    extension: z.string(),
    width: z.int(),
    height: z.int(),
    filesize: z.int(),
    sizes: z.record(z.string(), renditionSchema).optional(),
  })
  .meta({
    id: 'Image',
    description: 'A featured image. `sizes` is absent when the original is too small for any rendition.',
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

const uploadUrl = (urls: Urls, file: string): string => urls.page(`/uploads/${file}`);

/** The renditions of an image, by name. */
function storedSizes({ sizes }: Pick<MediaTable, 'sizes'>): Record<string, StoredSize> {
  return JSON.parse(sizes) as Record<string, StoredSize>; // written by `prepareImage`
}

/** Paths of the original and its renditions in the uploads folder. */
export const filesOfImage = (row: Pick<MediaTable, 'file' | 'sizes'>): string[] => [
  row.file,
  ...Object.values(storedSizes(row)).map(({ file }) => file),
];

/** Renders an image with the URLs of its files. */
export function renderImage(row: MediaTable, urls: Urls): Image {
  const sizes = Object.entries(storedSizes(row)).map(([name, { file, width, height, mime_type, filesize }]) => [
    name,
    { width, height, 'mime-type': mime_type, filesize, url: uploadUrl(urls, file) },
  ]);
  const { id, extension, width, height, filesize } = row;
  return {
    url: uploadUrl(urls, row.file),
    id,
    extension,
    width,
    height,
    filesize,
    ...(sizes.length > 0 && { sizes: Object.fromEntries(sizes) }),
  };
}

const imagesById = byIds((query, ids) => query.selectFrom('media').selectAll().where('id', 'in', ids));

/** Images by id; missing ones are absent. */
export async function findImages(db: Database, ids: readonly number[]): Promise<Map<number, MediaTable>> {
  return new Map((await imagesById(db, ids)).map((row) => [row.id, row]));
}
