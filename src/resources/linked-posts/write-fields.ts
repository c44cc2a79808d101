import type { Database } from '../../db/database.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { saveImage } from '../media/images.ts';
import { knownImage, type PostReferences, withImage } from '../posts/post.ts';
import { gone, type LinkedPostKind } from './kind.ts';
import { changeLinkedPost, createLinkedPost, type LinkedPostInput, type Saving } from './save.ts';
import { findLinkedPost, type LinkedPost, unlinkFromEvents } from './store.ts';

/** Writes of one venue or organizer, each a transaction of its own. */

interface Write {
  ctx: RequestContext;
  references: PostReferences;
  /** As sent; absent leaves it to the rules. */
  slug?: string;
}

/** Creates a record with the image it names, or finds the one that is meant, and gives its id. */
export const insertWithImage = (
  kind: LinkedPostKind,
  input: LinkedPostInput,
  {
    ctx,
    references,
    slug,
    save = createLinkedPost,
  }: Write & { save?: (kind: LinkedPostKind, input: LinkedPostInput, saving: Saving) => Promise<number> },
): Promise<number> =>
  withImage(references, ctx, (prepared) =>
    ctx.context.db.transaction(async (db) => {
      const imageId = prepared ? await saveImage(db, prepared) : await knownImage(db, references);
      return save(kind, input, { db, ctx, imageId, slug });
    }),
  );

/**
 * Changes a record, with the image that the write names.
 * @throws {InvalidParams} when it is gone
 */
export const updateWithImage = (
  kind: LinkedPostKind,
  { id, input }: { id: number; input: LinkedPostInput },
  { ctx, references, slug }: Write,
): Promise<void> =>
  withImage(references, ctx, (prepared) =>
    ctx.context.db.transaction(async (db) => {
      const current = await lockLinkedPost(kind, id, db);
      const imageId = prepared ? await saveImage(db, prepared) : await knownImage(db, references);
      await changeLinkedPost(kind, { current, input }, { db, ctx, imageId, slug });
      if (input.status === 'trash') await unlinkFromEvents(db, kind.kind, id);
    }),
  );

/**
 * The record as it is now, locked: a write replaces the whole row, which may have changed since it was looked up.
 * @throws {InvalidParams} when it is gone
 */
export async function lockLinkedPost({ kind }: LinkedPostKind, id: number, db: Database): Promise<LinkedPost> {
  await db.dialect.lock(db, `post-${id}`);
  const current = await findLinkedPost(db, kind, id);
  if (!current) throw gone({ kind });
  return current;
}
