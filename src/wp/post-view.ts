import { z } from 'zod';
import { ownedAs } from '../calendar/posts/post.ts';
import { category, tag } from '../calendar/terms/taxonomies.ts';
import { renderTerms } from '../calendar/terms/view.ts';
import { mayEdit } from '../http/core/auth.ts';
import type { RequestContext } from '../http/core/endpoint.ts';
import { escapeHtml } from '../lib/text/text.ts';
import { embeds, linksSchema } from './list.ts';
import { mediaSchema, renderMedia } from './media-view.ts';
import type { PostRow, PostType, ShownPost } from './post-type.ts';
import { renderTerm, termSchema } from './term-view.ts';
import { postDates, rawName, textSchema } from './texts.ts';

/** Event, venue or organizer; rendered by `renderPosts`. */
export const postSchema = z
  .object({
    id: z.int(),
    date: z.string(),
    date_gmt: z.string(),
    guid: textSchema,
    modified: z.string(),
    modified_gmt: z.string(),
    slug: z.string(),
    status: z.string(),
    type: z.string(),
    link: z.string(),
    title: textSchema,
    content: textSchema,
    excerpt: textSchema.optional(),
    author: z.int(),
    featured_media: z.int().describe('Id of the image; 0 for none.'),
    comment_status: z.literal('closed'),
    ping_status: z.literal('closed'),
    template: z.literal(''),
    meta: z.record(z.string(), z.unknown()),
    tags: z.array(z.int()).optional(),
    tribe_events_cat: z.array(z.int()).optional(),
    _links: linksSchema,
    _embedded: z
      .object({
        'wp:featuredmedia': z.array(mediaSchema).optional(),
        'wp:term': z.array(z.array(termSchema)).optional(),
      })
      .optional(),
  })
  .meta({ id: 'WpPost', description: 'An event, a venue or an organizer.' });

type Post = z.output<typeof postSchema>;

export interface Presentation {
  context?: string;
  _embed?: string;
}

/** Renders records: the members of their own resource, under the names of `wp/v2`. */
export async function renderPosts<Row extends PostRow>(
  type: PostType<Row>,
  shown: readonly ShownPost<Row>[],
  { ctx, context, _embed }: Presentation & { ctx: RequestContext },
): Promise<Post[]> {
  const posts = shown.map((post) => renderPost(type, post, { ctx, isEdited: context === 'edit' }));
  const terms = embeds(_embed, 'wp:term') ? await embeddedTerms(shown, ctx) : undefined;
  const withMedia = embeds(_embed, 'wp:featuredmedia');
  if (!terms && !withMedia) return posts;
  return posts.map((post, index) => {
    const { image } = shown[index] ?? {};
    const own = terms?.[index];
    const _embedded = {
      ...(withMedia && image && { 'wp:featuredmedia': [renderMedia(image, ctx)] }),
      ...(own && { 'wp:term': own }),
    };
    return Object.keys(_embedded).length === 0 ? post : { ...post, _embedded };
  });
}

function renderPost<Row extends PostRow>(
  { type, meta }: PostType<Row>,
  { row, native, image, isMasked = false, terms }: ShownPost<Row>,
  { ctx, isEdited }: { ctx: RequestContext; isEdited: boolean },
): Post {
  const { urls, context, viewer } = ctx;
  const raw = (text: string) => (isEdited && mayEdit(viewer, ownedAs(row)) ? { raw: text } : {});
  const { date, date_gmt, modified, modified_gmt } = postDates(native, context.config.timezone);
  const { status, url, slug = '', description = '', excerpt } = native;
  const guid = urls.page(`/?post_type=${type}&p=${row.id}`);
  return {
    id: row.id,
    ...{ date, date_gmt, guid: { rendered: escapeHtml(guid), ...raw(guid) }, modified, modified_gmt },
    slug,
    status,
    type,
    link: url,
    title: { rendered: escapeHtml(row.title), ...raw(rawName(row.title)) },
    content: { rendered: description, protected: isMasked, ...raw(row.description) },
    ...(excerpt !== undefined && {
      excerpt: { rendered: excerpt, protected: isMasked, ...raw(row.excerpt ?? '') },
    }),
    author: row.author_id,
    featured_media: image?.id ?? 0,
    ...{ comment_status: 'closed', ping_status: 'closed', template: '' },
    meta: Object.fromEntries(
      Object.entries(meta).map(([key, { field, show }]) => [key, (show ? show(native) : native[field]) ?? '']),
    ),
    ...(terms && { tags: terms.tags.map(({ id }) => id), tribe_events_cat: terms.categories.map(({ id }) => id) }),
    _links: linksOf(type, { id: row.id, image: image?.id, hasTerms: terms !== undefined }, ctx),
  };
}

function linksOf(
  type: string,
  { id, image, hasTerms }: { id: number; image?: number; hasTerms: boolean },
  { urls }: RequestContext,
): z.output<typeof linksSchema> {
  const collection = urls.rest('wp', `/${type}`);
  const embeddable = true;
  const termsOf = (taxonomy: string, path: string) => ({
    taxonomy,
    embeddable,
    href: urls.rest('wp', `/${path}?post=${id}`),
  });
  return {
    self: [{ href: `${collection}/${id}` }],
    collection: [{ href: collection }],
    ...(image !== undefined && { 'wp:featuredmedia': [{ embeddable, href: urls.rest('wp', `/media/${image}`) }] }),
    ...(hasTerms && {
      'wp:term': [termsOf(urls.taxonomy('tag'), 'tags'), termsOf(urls.taxonomy('category'), 'tribe_events_cat')],
    }),
  };
}

/** The terms of each record, in the order of the links; undefined for records without terms. */
async function embeddedTerms(shown: readonly ShownPost<PostRow>[], ctx: RequestContext) {
  const render = async (kind: typeof tag, member: 'tags' | 'categories') => {
    const terms = new Map(shown.flatMap(({ terms }) => (terms?.[member] ?? []).map((term) => [term.id, term])));
    const rendered = (await renderTerms(kind, [...terms.values()], ctx)).map((term) => renderTerm(term, ctx.urls));
    return new Map(rendered.map((term) => [term.id, term]));
  };
  const [tags, categories] = [await render(tag, 'tags'), await render(category, 'categories')];
  return shown.map(({ terms }) => {
    if (!terms) return undefined;
    const pick = (known: typeof tags, ids: readonly { id: number }[]) => ids.flatMap(({ id }) => known.get(id) ?? []);
    return [pick(tags, terms.tags), pick(categories, terms.categories)];
  });
}
