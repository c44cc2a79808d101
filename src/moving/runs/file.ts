import { createWriteStream } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../db/database.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import type { ImportKind } from '../../db/tables/import.ts';
import { secretHash } from '../../lib/hash.ts';
import type { Run } from './store.ts';

/** Uploaded files. They are kept in the database, so that any process may import them. */

/** Bytes of a piece of a file: the default limit of nginx for bodies. */
export const PIECE = 1024 * 1024;

const ENDINGS: readonly (readonly [ending: string, kind: ImportKind])[] = [
  ['.sql', 'sql'],
  ['.sql.gz', 'sql'],
  ['.xml', 'wxr'],
  ['.ics', 'ical'],
  ['.ical', 'ical'],
  ['.csv', 'csv'],
  ['.xlsx', 'csv'],
  ['.tsv', 'csv'],
  ['.txt', 'csv'],
];

export const FILE_ENDINGS = ENDINGS.map(([ending]) => ending);

const endingOf = (name: string) => ENDINGS.find(([ending]) => name.toLowerCase().endsWith(ending));

/** The kind of import that a file is for; undefined for any other file. */
export const kindOfFile = (name: string): ImportKind | undefined => endingOf(name)?.[1];

export async function insertPiece(db: Database, run: number, { number, bytes }: { number: number; bytes: Uint8Array }) {
  await db.query.insertInto('import_chunks').values({ run_id: run, number, bytes }).execute();
}

async function* piecesOf({ query }: Database, run: number): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const piece = await query
      .selectFrom('import_chunks')
      .select('bytes')
      .where('run_id', '=', run)
      .where('number', '=', number)
      .executeTakeFirst();
    if (!piece) return;
    yield piece.bytes;
  }
}

/** Milliseconds after which a folder must belong to a killed process: its claim on the job has lapsed. */
const STALE = 240_000;

/** Removes folders that killed processes have left behind. */
async function removeRemains(prefix: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => undefined);
    const isStale = found && found.mtimeMs < Date.now() - STALE;
    // A folder of another account with such a name must not stop an import.
    if (isStale) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Calls `work` with the path of the file of an import, in a temporary folder that is removed afterwards. */
export async function withFile<T>(db: Database, run: Run, work: (path: string) => Promise<T>): Promise<T> {
  const prefix = `marquee-import-${secretHash(await getCalendarId(db)).slice(0, 12)}-`;
  await removeRemains(prefix);
  const folder = await mkdtemp(join(tmpdir(), prefix));
  try {
    const path = join(folder, `upload${endingOf(run.file_name)?.[0] ?? ''}`);
    await pipeline(piecesOf(db, run.id), createWriteStream(path, { mode: 0o600 }));
    return await work(path);
  } finally {
    // A folder that cannot be removed must not fail the import; a later one removes it.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
