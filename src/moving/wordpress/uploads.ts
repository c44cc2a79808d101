import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { SourceError, type SourceFile } from '../source.ts';

/** Reads images from a copy of the folder `wp-content/uploads`. Nothing outside of it is read. */

const UPLOADS = '/wp-content/uploads/';

/**
 * Path of a file below the uploads, from its address; undefined for addresses elsewhere, and for addresses that lead
 * upwards.
 */
function pathBelowUploads(url: string): string[] | undefined {
  const { pathname = '' } = URL.parse(url) ?? {};
  const at = pathname.indexOf(UPLOADS);
  const below = pathname.slice(at + UPLOADS.length);
  if (at === -1 || below === '' || below.length > 1000) return undefined;
  try {
    const parts = below.split('/').map((part) => decodeURIComponent(part));
    const isSafe = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[/\\\0]/.test(part));
    return isSafe ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** @throws {SourceError} if the folder does not exist */
export async function openUploads(
  folder: string,
  maxBytes: number,
): Promise<(url: string) => Promise<SourceFile | undefined>> {
  const root = await uploadsIn(folder);
  return async (url) => {
    const parts = pathBelowUploads(url);
    if (!parts) return undefined;
    const bytes = await readBelow(root, parts, maxBytes);
    return bytes && { bytes, fileName: parts.at(-1) ?? '' };
  };
}

/** The folder itself, or the uploads in it. */
async function uploadsIn(folder: string): Promise<string> {
  for (const below of ['wp-content/uploads', 'uploads', '.']) {
    const found = await realpath(join(folder, below)).catch(() => undefined);
    if (found !== undefined && (await stat(found)).isDirectory()) return found;
  }
  throw new SourceError(`The folder "${folder}" does not exist. Unpack the uploads first.`);
}

async function readBelow(root: string, parts: readonly string[], maxBytes: number): Promise<Buffer | undefined> {
  // A link may lead to any file of this machine.
  const path = await realpath(join(root, ...parts)).catch(() => undefined);
  if (path === undefined || !path.startsWith(`${root}${sep}`)) return undefined;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (!file) return undefined;
  try {
    const { size } = await file.stat().then((found) => (found.isFile() ? found : { size: Number.POSITIVE_INFINITY }));
    return size <= maxBytes ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}
