import type { RequestContext } from '../../http/endpoint.ts';
import { clearable, filledText } from '../../http/schemas.ts';
import { listLinkedPosts } from '../linked-posts/filter.ts';
import {
  asLinkedPostInput,
  findReferences,
  type LinkedPostKind,
  renderAll,
  writeFields,
} from '../linked-posts/kind.ts';
import { findLinkedPost, type LinkedPost } from '../linked-posts/store.ts';
import { insertWithImage, updateWithImage } from '../linked-posts/write-fields.ts';
import { findImages } from '../media/images.ts';
import { organizer } from '../organizers/organizer.ts';
import type { PostReferences } from '../posts/post.ts';
import { isVisibleTo } from '../posts/visible-records.ts';
import { readLanguage } from '../translations/rules.ts';
import { venue } from '../venues/venue.ts';
import type { MetaFields, Native, PostType, ShownPost } from './post-type.ts';

const slug = clearable(filledText('Slug.', { max: 300 }));

/** Venues or organizers, by the rules of linked posts. */
const linkedPostType = (kind: LinkedPostKind, meta: MetaFields): PostType<LinkedPost, PostReferences> => ({
  type: `tribe_${kind.kind}`,
  name: `wp_${kind.plural}`,
  plural: kind.plural,
  fields: { ...writeFields(kind), slug },
  names: { title: kind.kind, content: 'description' },
  meta,
  required: [kind.kind],
  async list(ctx, { visibility, search, include, slugs }, page) {
    const { viewer, context } = ctx;
    const filter = {
      ...{ kind: kind.kind, language: readLanguage(ctx), visibility, search, include, slugs },
      events: { visibility, reader: { viewer } },
    };
    const { total, posts } = await listLinkedPosts(context.db, { filter, limit: page.perPage, offset: page.offset });
    return { total, rows: posts };
  },
  find: (ctx, id) => findLinkedPost(ctx.context.db, kind.kind, id),
  mayRead: isVisibleTo,
  show: (ctx, posts) => show(kind, posts, ctx),
  references: (input, lookup) => findReferences(kind, input, lookup),
  create: (ctx, { input: { slug, ...input }, references }) =>
    insertWithImage(kind, asLinkedPostInput(input), { ctx, references, slug: slugOf(slug) }),
  update: (ctx, id, { input: { slug, ...input }, references }) =>
    updateWithImage(kind, { id, input: asLinkedPostInput(input) }, { ctx, references, slug: slugOf(slug) }),
});

/** A slug that is cleared is made from the name again. */
const slugOf = (sent: unknown): string | undefined => (sent === undefined ? undefined : String(sent ?? ''));

async function show(
  kind: LinkedPostKind,
  posts: readonly LinkedPost[],
  ctx: RequestContext,
): Promise<ShownPost<LinkedPost>[]> {
  const ids = posts.flatMap(({ image_id }) => (image_id === null ? [] : [image_id]));
  const [images, natives] = [await findImages(ctx.context.db, ids), await renderAll(kind, posts, { ctx })];
  return posts.map((post, index) => {
    // Its members begin with those of `postSchema` in resources/posts/view.ts.
    const native = natives[index] as unknown as Native;
    const row = { ...post, title: String(native[kind.kind] ?? post.title) };
    return { row, native, image: post.image_id === null ? undefined : images.get(post.image_id) };
  });
}

/** Meta keys for fields that answers show under the name of the field. */
const plain = (prefix: string, fields: Readonly<Record<string, string>>): MetaFields =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [`${prefix}${key}`, { field }]));

export const venueType = linkedPostType(
  venue,
  plain('_Venue', {
    Address: 'address',
    City: 'city',
    Country: 'country',
    Province: 'province',
    State: 'state',
    StateProvince: 'stateprovince',
    Zip: 'zip',
    Phone: 'phone',
    URL: 'website',
    Lat: 'geo_lat',
    Lng: 'geo_lng',
    ShowMap: 'show_map',
    ShowMapLink: 'show_map_link',
  }),
);

export const organizerType = linkedPostType(
  organizer,
  plain('_Organizer', { Phone: 'phone', Website: 'website', Email: 'email' }),
);
