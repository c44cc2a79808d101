import { can } from '../../http/core/auth.ts';
import type { LookupContext } from '../../http/core/endpoint.ts';
import { findCurrentFile } from './image-file.ts';

/** The meaning of `image` in a request: a stored image, or a URL to fetch one from. */
export type ImageReference = { id: number } | { url: string };

/**
 * Looks up an `image` parameter: the id of an uploaded image, its URL, or the URL of a remote image (only for viewers
 * who may upload files). Anything else is refused; remote images are fetched later. For accounts without write access
 * nothing is looked up: `may` of the endpoint refuses them in any case.
 */
export async function findImageReference(
  name: string,
  value: string,
  { ctx, addProblem }: LookupContext,
): Promise<ImageReference | undefined> {
  const { db } = ctx.context;
  const isId = /^\s*\d+\s*$/.test(value);
  const url = isId ? null : URL.parse(value);
  if (!isId && !/^https?:$/.test(url?.protocol ?? '')) return void addProblem(name, { key: 'param.image' });
  if (ctx.viewer.account && !can(ctx.viewer, 'edit')) return undefined;
  if (!url) {
    const id = Number(value);
    const known = await db.query
      .selectFrom('media')
      .select('id')
      .where('id', '=', Math.min(id, Number.MAX_SAFE_INTEGER))
      .executeTakeFirst();
    // Visitors must not learn which images exist.
    if (known && can(ctx.viewer, 'edit')) return { id };
    return void addProblem(name, { key: 'param.image_unknown' });
  }
  if (!can(ctx.viewer, 'upload')) return void addProblem(name, { key: 'param.image_not_allowed' });
  const own = url.origin === ctx.urls.origin ? /^\/uploads\/(.+)$/.exec(url.pathname)?.[1] : undefined;
  const former = own && (await findCurrentFile(db, own));
  const known = await db.query
    .selectFrom('media')
    .select('id')
    .where((eb) => (own ? eb('file', '=', former ?? own) : eb('source_url', '=', url.href)))
    .executeTakeFirst();
  if (known) return { id: known.id };
  if (own) return void addProblem(name, { key: 'param.image_unknown' });
  return { url: url.href };
}
