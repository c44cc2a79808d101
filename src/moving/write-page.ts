import type { Database } from '../db/database.ts';
import { type PreparedImage, withImageFiles } from '../platform/media/image-storage.ts';
import type { InProcessContext } from '../platform/users/in-process-context.ts';
import { saveChanges } from './changes.ts';
import type { Writing } from './draft-params.ts';
import { type Import, moveImport, type Position, PositionLost } from './links.ts';
import { type Counts, countAction, IMPORT_REQUEST } from './plan.ts';

/** Writes pages of records: each is one transaction, together with the position after it. */

interface Page<Image> {
  ctx: InProcessContext;
  /** The import, at the position of the page. */
  run: Import;
  next: Position;
  /** Counts before the page. */
  counts: Counts;
  /** Images whose files are written, but not their records. */
  images: readonly Image[];
  /** Whether an image was stored after it was fetched, for example by another process. */
  isStored(db: Database, image: Image): Promise<boolean>;
  store(db: Database, image: Image, writing: Writing): Promise<unknown>;
}

/**
 * Stores the images of a page, and then writes its records. Files of images that are not stored are removed.
 * @param write called again if the transaction is retried; adds to the counts that it gets
 * @returns the result of `write`, with the counts after the page
 * @throws {PositionLost} if another process has advanced the import
 */
export async function writePage<Image extends { prepared: PreparedImage }, T>(
  { ctx: { actor, ...rest }, run, next, counts, images, isStored, store }: Page<Image>,
  write: (db: Database, writing: Writing, counts: Counts) => Promise<T>,
): Promise<{ counts: Counts; result: T }> {
  const { db } = rest.context;
  const ctx = { ...rest, actor: actor && { ...actor, requestId: `${IMPORT_REQUEST}${run.id}` } };
  const files = images.map(({ prepared }) => prepared);
  const stored = new Set<Image>();
  const after = await withImageFiles(db, files, () =>
    db.transaction(async (trx) => {
      stored.clear();
      const mine = structuredClone(counts);
      const writing: Writing = { ctx, source: run.source, importId: run.id, changes: [] };
      await trx.dialect.lock(trx, `import-${run.source}`);
      for (const image of images) {
        if (await isStored(trx, image)) continue;
        stored.add(image);
        await store(trx, image, writing);
        countAction(mine, 'create', 'media');
      }
      const result = await write(trx, writing, mine);
      await saveChanges(trx, run.id, writing.changes);
      if (!(await moveImport(trx, run, { ...next, counts: JSON.stringify(mine) }))) throw new PositionLost();
      return { counts: mine, result };
    }),
  );
  for (const image of images) if (!stored.has(image)) await image.prepared.discard().catch(() => undefined);
  return after;
}
