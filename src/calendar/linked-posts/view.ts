import { z } from 'zod';
import { type CachedData, renderCached } from '../../db/data-cache.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import { mayEdit } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import type { Urls } from '../../http/core/urls.ts';
import { jsonLdDescription, safeJsonLd } from '../../lib/json-ld.ts';
import type { LinkedKind } from '../../lib/linked-kinds.ts';
import { paragraphs } from '../../lib/text/html.ts';
import { findShownImages, type Image, imageSchema, renderImage } from '../../platform/media/images.ts';
import { translationsSchema } from '../../platform/translations/rules.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { ownedAs } from '../posts/post.ts';
import { globalId, globalIdSchema, postSchema, renderPost } from '../posts/view.ts';
import type { LinkedPostKind } from './kind.ts';
import type { LinkedPost } from './store.ts';

/** Schemas of text attributes; empty ones are omitted. */
type Texts<A extends string> = Record<A, z.ZodOptional<z.ZodString>>;

/** Schema of `renderLinkedPost`: `kind` names the title, `members` are the members of that kind alone. */
export const linkedPostSchema = <K extends LinkedKind, A extends string, M extends z.ZodRawShape>(
  kind: K,
  attributes: Readonly<Record<A, unknown>>,
  members: M,
) =>
  z.object({
    ...postSchema,
    ...({ [kind]: z.string() } as Record<K, z.ZodString>),
    description: z.string().optional(),
    slug: z.string().optional(),
    image: imageSchema.optional(),
    ...(Object.fromEntries(Object.keys(attributes).map((name) => [name, z.string().optional()])) as Texts<A>),
    ...members,
    translations: translationsSchema.optional(),
    json_ld: z.record(z.string(), z.unknown()).optional(),
    ...globalIdSchema,
  });

export interface RenderOptions {
  urls: Urls;
  image?: MediaTable;
  /** Only in single reads of published records. */
  withJsonLd?: boolean;
  /** Existing texts by language, for viewers who may edit the record. */
  translations?: Readonly<Record<string, readonly string[]>>;
}

/** A record of any kind in responses; `LinkedRecord` has the attributes of one kind. */
type Rendered = z.output<z.ZodObject<typeof postSchema>> & Readonly<Record<string, unknown>>;

/** Renders a record. Empty members are omitted, as in the reference. */
export function renderLinkedPost(
  kind: LinkedPostKind,
  post: LinkedPost,
  { urls, image, withJsonLd, translations }: RenderOptions,
): Rendered {
  const picture = image && renderImage(image, urls);
  const members = {
    [kind.name]: post.title,
    description: paragraphs(post.description),
    slug: post.slug,
    image: picture,
    ...(kind.derive?.(post.attributes) ?? post.attributes),
    ...kind.extra?.(post),
    translations,
    json_ld: withJsonLd && post.status === 'publish' ? safeJsonLd(kind.jsonLd(post, picture)) : undefined,
  };
  return {
    ...renderPost(kind.name, post, urls),
    ...withoutEmpty(members),
    ...kind.always?.(post),
    ...globalId(post.id, urls),
  };
}

function withoutEmpty(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const name in members) {
    const { [name]: value } = members;
    if (value !== '' && value !== undefined && value !== null) filled[name] = value;
  }
  return filled;
}

/** Renders records, with one query each for images and texts. */
export async function renderAll(
  kind: LinkedPostKind,
  posts: readonly LinkedPost[],
  { ctx, withJsonLd }: { ctx: RequestContext; withJsonLd?: boolean },
) {
  const ids = posts.flatMap(({ image_id }) => (image_id === null ? [] : [image_id]));
  const [images, texts] = await Promise.all([findShownImages(ctx, ids), loadTranslations(ctx, posts)]);
  const imageOf = ({ image_id }: LinkedPost) => (image_id === null ? undefined : images.get(image_id));
  return posts.map((post) =>
    renderLinkedPost(kind, texts.show(kind.name, post), {
      urls: ctx.urls,
      image: imageOf(post),
      withJsonLd,
      translations: mayEdit(ctx.viewer, ownedAs(post)) ? texts.coverage(kind.name, post) : undefined,
    }),
  );
}

/** Records for a list, as `renderCached` returns them. */
export const renderListed = (
  kind: LinkedPostKind,
  posts: readonly LinkedPost[],
  { ctx, state }: { ctx: RequestContext; state: CachedData | undefined },
): Promise<readonly unknown[]> =>
  renderCached(state, posts, {
    prefix: `${kind.name} ${ctx.language} ${ctx.urls.style}`,
    render: (missing) => renderAll(kind, missing, { ctx }),
  });

/** The schema.org members common to all kinds. */
export const thingJsonLd = (type: string, post: LinkedPost, image: Image | undefined) => ({
  '@context': 'http://schema.org',
  '@type': type,
  name: post.title,
  description: jsonLdDescription(post.description),
  ...(image && { image: image.url }),
});
