import { z } from 'zod';
import type { MediaTable } from '../db/tables.ts';
import type { Urls } from '../http/urls.ts';
import { paragraphs } from '../lib/html.ts';
import { htmlToText } from '../lib/text.ts';
import { type Image, imageSchema, renderImage } from './image.ts';
import type { LinkedPost } from './linked-post-store.ts';

/** The members that every answer about a post begins with. */
export const postSchema = {
  id: z.int(),
  author: z.string().describe('Id of the author, as text.'),
  status: z.string(),
  date: z.string(),
  date_utc: z.string(),
  modified: z.string(),
  modified_utc: z.string(),
  url: z.string(),
};

export const globalIdSchema = { global_id: z.string(), global_id_lineage: z.array(z.string()) };

export interface PostRow {
  id: number;
  author_id: number;
  status: string;
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
  slug: string;
}

/** Address of the public page; a record that is not published has one by id only. */
export function pageUrl(kind: string, { id, status, slug }: PostRow, urls: Urls): string {
  if (status === 'publish' || status === 'private') return urls.page(`/${kind}/${slug}/`);
  return urls.page(`/?post_type=${urls.postType(kind)}&p=${id}`);
}

export const renderPost = (kind: string, row: PostRow, urls: Urls) => ({
  id: row.id,
  author: String(row.author_id),
  status: row.status,
  date: row.date,
  date_utc: row.date_utc,
  modified: row.modified,
  modified_utc: row.modified_utc,
  url: pageUrl(kind, row, urls),
});

export const globalId = (id: number, urls: Urls, type?: string) => ({
  global_id: urls.globalId(id, type),
  global_id_lineage: [urls.globalId(id, type)],
});

/** How one kind is shown, besides what both have. */
export interface LinkedPostLook {
  kind: 'venue' | 'organizer';
  /** Attributes in the order answers list them; `derive` may add some. */
  derive?(attributes: LinkedPost['attributes']): Record<string, string>;
  /** Members after the attributes, dropped when empty. */
  extra?(post: LinkedPost): Record<string, unknown>;
  /** Members that are always there. */
  always?(post: LinkedPost): Record<string, unknown>;
  /** schema.org. */
  jsonLd(post: LinkedPost, image: Image | undefined): Record<string, unknown>;
}

export interface LookAt {
  urls: Urls;
  image?: MediaTable;
  /** Single reads carry it, and only of what is published. */
  withJsonLd?: boolean;
}

/** A venue or an organizer as answers show it. Empty members are left out, as in the reference. */
export function renderLinkedPost(look: LinkedPostLook, post: LinkedPost, { urls, image, withJsonLd }: LookAt) {
  const picture = image && renderImage(image, urls);
  const members = {
    ...renderPost(look.kind, post, urls),
    [look.kind]: post.title,
    description: paragraphs(post.description),
    slug: post.slug,
    image: picture,
    ...(look.derive?.(post.attributes) ?? post.attributes),
    ...look.extra?.(post),
    json_ld: withJsonLd && post.status === 'publish' ? look.jsonLd(post, picture) : undefined,
  };
  const filled = Object.entries(members).filter(([, value]) => value !== '' && value !== undefined && value !== null);
  return { ...Object.fromEntries(filled), ...look.always?.(post), ...globalId(post.id, urls) };
}

/** The members of schema.org that places and people share. */
export const thingLd = (type: string, post: LinkedPost, image: Image | undefined) => ({
  '@context': 'http://schema.org',
  '@type': type,
  name: post.title,
  description: htmlToText(post.description),
  ...(image && { image: image.url }),
});

export const linkedPostSchema = (kind: string, attributes: readonly string[], members: z.ZodRawShape) =>
  z.object({
    ...postSchema,
    [kind]: z.string(),
    description: z.string().optional(),
    slug: z.string().optional(),
    image: imageSchema.optional(),
    ...Object.fromEntries(attributes.map((name) => [name, z.string().optional()])),
    ...members,
    json_ld: z.record(z.string(), z.unknown()).optional(),
    ...globalIdSchema,
  });
