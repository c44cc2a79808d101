import type { Context } from '../../base/context.ts';
import type { Finding } from '../drafts.ts';
import { SourceError } from '../source.ts';
import { type FileImport, fileImport } from './file-steps.ts';
import { loadDump } from './load-dump.ts';
import { loadExport } from './load-export.ts';
import type { Staging } from './staging.ts';
import { openUploads } from './uploads.ts';

/** A site in files: an SQL dump, an export, or the database itself, and a copy of its uploads. */

export interface SiteFiles {
  kind: 'sql' | 'wxr' | 'mysql';
  /** Path of the file, or address of the database. */
  file: string;
  /** Folder of the uploads; without one, images are left out. */
  uploads?: string;
  /** Beginning of the names of tables. */
  prefix?: string;
  /** Maximum unpacked bytes of the file. */
  maxBytes?: number;
  /** Password of the account at the database, if its address has none. */
  password?: string;
}

const OPENERS: Readonly<
  Record<SiteFiles['kind'], (files: SiteFiles) => Promise<{ staging: Staging; notes: readonly Finding[] }>>
> = {
  sql: async ({ file, prefix, maxBytes }) => ({ staging: await loadDump(file, { prefix, maxBytes }), notes: [] }),
  wxr: ({ file, maxBytes }) => loadExport(file, { maxBytes }),
  mysql: async ({ file, prefix, password }) =>
    (await import('./load-database.ts')).loadDatabase(file, { prefix, password }),
};

/** @throws {SourceError} for files that cannot be read, or that have other content */
export async function openFile(
  files: SiteFiles,
  { maxUploadBytes, timezone }: Pick<Context['config'], 'maxUploadBytes' | 'timezone'>,
): Promise<FileImport & { close(): void }> {
  const { kind, uploads } = files;
  const image = uploads === undefined ? async () => undefined : await openUploads(uploads, maxUploadBytes);
  const { staging, notes } = await OPENERS[kind](files);
  const close = () => staging.close();
  try {
    const opened = fileImport(staging, { notes, file: image, zone: timezone });
    if (!/^https?:$/.test(URL.parse(opened.source.address)?.protocol ?? ''))
      throw new SourceError('The file does not state the address of the site.');
    return { ...opened, close };
  } catch (error) {
    close();
    throw error;
  }
}
