import { listLinkedPosts } from '../calendar/linked-posts/filter.ts';
import { asLinkedPostInput, type LinkedPostKind, writeFields } from '../calendar/linked-posts/kind.ts';
import { findReferences, insertWithImage, updateWithImage } from '../calendar/linked-posts/save.ts';
import { findLinkedPost, type LinkedPost } from '../calendar/linked-posts/store.ts';
import { renderAll } from '../calendar/linked-posts/view.ts';
import type { PostReferences } from '../calendar/posts/post.ts';
import { isVisibleTo } from '../calendar/posts/visibility.ts';
import { assertFound, type RequestContext } from '../http/core/endpoint.ts';
import { clearable, filledText } from '../http/input/schemas.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import { findShownImages } from '../platform/media/images.ts';
import { readLanguage } from '../platform/translations/rules.ts';
import type { PostType, ShownPost } from './post-type.ts';

const slug = clearable(filledText('Slug.', { max: 300 }));

/** One kind of linked posts, by the rules of `calendar/linked-posts`. */
export const linkedPostType = (kind: LinkedPostKind): PostType<LinkedPost, PostReferences> => ({
  type: `tribe_${kind.name}`,
  name: `wp_${kind.plural}`,
  singular: kind.name,
  plural: kind.plural,
  fields: { ...writeFields(kind), slug },
  names: { title: kind.name, content: 'description' },
  meta: Object.fromEntries(Object.entries(kind.metaKeys).map(([key, field]) => [key, { field }])),
  required: [kind.name],
  async list(ctx, { visibility, search, include, slugs }, page) {
    const { viewer, context } = ctx;
    const filter = {
      ...{ kind: kind.name, language: readLanguage(ctx), visibility, search, include, slugs },
      events: { visibility, reader: { viewer } },
    };
    const { total, posts } = await listLinkedPosts(context.db, { filter, limit: page.perPage, offset: page.offset });
    return { total, rows: posts };
  },
  find: (ctx, id) => findLinkedPost(ctx.context.db, kind.name, id),
  mayRead: isVisibleTo,
  show: (ctx, posts) => show(kind, posts, ctx),
  references: (input, lookup) => findReferences(kind, input, lookup),
  create: (ctx, { input: { slug, ...input }, references }) =>
    insertWithImage(kind, asLinkedPostInput(input), { ctx, references, slug: slugOf(slug) }),
  update: (ctx, id, { input: { slug, ...input }, references }) =>
    updateWithImage(kind, { id, input: asLinkedPostInput(input) }, { ctx, references, slug: slugOf(slug) }),
});

/** A cleared slug is made from the name again. */
const slugOf = (sent: unknown): string | undefined => (sent === undefined ? undefined : (scalarText(sent) ?? ''));

async function show(
  kind: LinkedPostKind,
  posts: readonly LinkedPost[],
  ctx: RequestContext,
): Promise<ShownPost<LinkedPost>[]> {
  const ids = posts.flatMap(({ image_id }) => (image_id === null ? [] : [image_id]));
  const [images, natives] = [await findShownImages(ctx, ids), await renderAll(kind, posts, { ctx })];
  return posts.map((post, index) => {
    const native = assertFound(natives[index]);
    const row = { ...post, title: scalarText(native[kind.name]) ?? post.title };
    return { row, native, image: post.image_id === null ? undefined : images.get(post.image_id) };
  });
}
