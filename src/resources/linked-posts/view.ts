import { z } from 'zod';
import type { MediaTable } from '../../db/tables.ts';
import type { Urls } from '../../http/urls.ts';
import { paragraphs } from '../../lib/html.ts';
import { ldDescription, plainLd } from '../../lib/json-ld.ts';
import { type Image, imageSchema, renderImage } from '../media/images.ts';
import { globalId, globalIdSchema, postSchema, renderPost } from '../posts/view.ts';
import { translationsSchema } from '../translations/rules.ts';
import type { LinkedPost } from './store.ts';

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
  /** Which fields exist in which language, for callers who may edit the record. */
  translations?: Readonly<Record<string, readonly string[]>>;
}

/** A venue or an organizer as answers show it. Empty members are left out, as in the reference. */
export function renderLinkedPost(
  look: LinkedPostLook,
  post: LinkedPost,
  { urls, image, withJsonLd, translations }: LookAt,
) {
  const picture = image && renderImage(image, urls);
  const members = {
    ...renderPost(look.kind, post, urls),
    [look.kind]: post.title,
    description: paragraphs(post.description),
    slug: post.slug,
    image: picture,
    ...(look.derive?.(post.attributes) ?? post.attributes),
    ...look.extra?.(post),
    translations,
    json_ld: withJsonLd && post.status === 'publish' ? plainLd(look.jsonLd(post, picture)) : undefined,
  };
  const filled = Object.entries(members).filter(([, value]) => value !== '' && value !== undefined && value !== null);
  return { ...Object.fromEntries(filled), ...look.always?.(post), ...globalId(post.id, urls) };
}

/** The members of schema.org that places and people share. */
export const thingLd = (type: string, post: LinkedPost, image: Image | undefined) => ({
  '@context': 'http://schema.org',
  '@type': type,
  name: post.title,
  description: ldDescription(post.description),
  ...(image && { image: image.url }),
});

/** The schema of what `renderLinkedPost` makes: `kind` names the title, `members` are those of the one kind. */
export const linkedPostSchema = (kind: string, attributes: readonly string[], members: z.ZodRawShape) =>
  z.object({
    ...postSchema,
    [kind]: z.string(),
    description: z.string().optional(),
    slug: z.string().optional(),
    image: imageSchema.optional(),
    ...Object.fromEntries(attributes.map((name) => [name, z.string().optional()])),
    ...members,
    translations: translationsSchema.optional(),
    json_ld: z.record(z.string(), z.unknown()).optional(),
    ...globalIdSchema,
  });
