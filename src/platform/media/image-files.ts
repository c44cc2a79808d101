import { access, opendir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Database } from '../../db/database.ts';
import { originalOf } from './image-names.ts';
import { filesOfImage } from './images.ts';

/** Compares the uploads folder with the images in the database, in batches. */

const BATCH = 2000;

/** Files of one kind. */
interface FoundFiles {
  count: number;
  /** Example path in the uploads folder. */
  example: string;
}

export interface ImageFileProblems {
  /** Files that are missing. */
  missing?: FoundFiles;
  /** Files that belong to no image. They are harmless. */
  stray?: FoundFiles;
}

/** Finds missing and stray files. Read-only. During an upload there may be files whose image is not stored yet. */
export async function compareImageFiles(db: Database, folder: string): Promise<ImageFileProblems> {
  const missing = await collect(missingFiles(db, folder));
  const stray = await collect(strayFiles(db, folder));
  return { ...(missing && { missing }), ...(stray && { stray }) };
}

async function collect(files: AsyncIterable<string>): Promise<FoundFiles | undefined> {
  let found: FoundFiles | undefined;
  for await (const file of files) found = { count: (found?.count ?? 0) + 1, example: found?.example ?? file };
  return found;
}

async function* missingFiles(db: Database, folder: string): AsyncGenerator<string> {
  const batch = (after: number) =>
    db.query
      .selectFrom('media')
      .select(['id', 'file', 'sizes'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
  for (let rows = await batch(0); rows.length > 0; rows = await batch(rows.at(-1)?.id ?? 0)) {
    for (const file of rows.flatMap(filesOfImage)) if (!(await exists(join(folder, file)))) yield file;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function* strayFiles(db: Database, folder: string): AsyncGenerator<string> {
  for await (const files of batchesOf(folder)) {
    const originals = [...new Set(files.map(originalOf))];
    const rows = await db.query.selectFrom('media').select(['file', 'sizes']).where('file', 'in', originals).execute();
    const known = new Set(rows.flatMap(filesOfImage));
    yield* files.filter((file) => !known.has(file));
  }
}

/** Paths of all files in a folder, with slashes; empty if the folder does not exist. */
async function* batchesOf(folder: string): AsyncGenerator<string[]> {
  if (!(await exists(folder))) return;
  let files: string[] = [];
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile()) continue;
    files.push(relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
    if (files.length < BATCH) continue;
    yield files;
    files = [];
  }
  if (files.length > 0) yield files;
}
