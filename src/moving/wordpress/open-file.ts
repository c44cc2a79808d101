import type { Context } from '../../base/context.ts';
import { SourceError } from '../source.ts';
import { type FileImport, fileImport } from './file-steps.ts';
import { loadDump } from './load-dump.ts';
import { loadExport } from './load-export.ts';
import { openUploads } from './uploads.ts';

/** A site in files: an SQL dump or an export, and a copy of its uploads. */

export interface SiteFiles {
  kind: 'sql' | 'wxr';
  file: string;
  /** Folder of the uploads; without one, images are left out. */
  uploads?: string;
  /** Beginning of the names of tables in a dump. */
  prefix?: string;
  /** Most that the file may unpack to. */
  maxBytes?: number;
}

/** @throws {SourceError} for files that cannot be read, or that are of something else */
export async function openFile(
  { kind, file, uploads, prefix, maxBytes }: SiteFiles,
  { maxUploadBytes, timezone }: Pick<Context['config'], 'maxUploadBytes' | 'timezone'>,
): Promise<FileImport & { close(): void }> {
  const image = uploads === undefined ? async () => undefined : await openUploads(uploads, maxUploadBytes);
  const { staging, notes } =
    kind === 'sql'
      ? { staging: await loadDump(file, { prefix, maxBytes }), notes: [] }
      : await loadExport(file, { maxBytes });
  const close = () => staging.close();
  try {
    const opened = fileImport(staging, { notes, file: image, zone: timezone });
    if (!/^https?:$/.test(URL.parse(opened.source.address)?.protocol ?? ''))
      throw new SourceError('The file does not tell the address of the site.');
    return { ...opened, close };
  } catch (error) {
    close();
    throw error;
  }
}
