import type { z } from 'zod';
import { mayEdit } from '../../http/auth.ts';
import type { AddProblem, Fields, LookupContext, RequestContext } from '../../http/endpoint.ts';
import { invalidParam } from '../../http/errors.ts';
import { clearable, filledText, text, translatable, withDefault } from '../../http/schemas.ts';
import { findImages } from '../media/images.ts';
import { findPostReferences, ownedAs, type PostReferences, postFields } from '../posts/post.ts';
import { checkName } from '../translations/rules.ts';
import { loadTranslations } from '../translations/store.ts';
import type { LinkedPostForm, LinkedPostInput } from './save.ts';
import { findLinkedPost, type LinkedPost } from './store.ts';
import { type LinkedPostLook, renderLinkedPost } from './view.ts';

/** What sets one kind of linked post apart from another: its words, its fields, and how it is shown. */
export interface LinkedPostKind extends LinkedPostForm, LinkedPostLook {
  kind: 'venue' | 'organizer';
  /** Last word of the routes, and key of the list. */
  plural: 'venues' | 'organizers';
  /** Write fields besides the name, the shared ones and the attributes. */
  fields: Fields;
  /** Whether two texts of an attribute say the same; those of other attributes may differ in letter case and spaces. */
  isSame?: Readonly<Record<string, (one: string, other: string) => boolean>>;
  /** Refuses what no single field can: a coordinate without the other. */
  check?(input: Readonly<Record<string, unknown>>, addProblem: AddProblem): void;
  schema: z.ZodType;
}

/** Whether two web addresses are the same once they are written alike: `https://a.example` and `https://A.example/`. */
export const isSameWebsite = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.parse(one)?.href === URL.parse(other)?.href;

/** Name and values of every field a kind is written with; also the shape of an inline object in an event. */
export const writeFields = (kind: LinkedPostKind): Fields => ({
  ...postFields,
  [kind.kind]: translatable(
    clearable(filledText(`Name of the ${kind.kind}. \`null\` removes its translation.`, { max: 500 })),
  ),
  description: withDefault(translatable(clearable(text('Description. HTML is cleaned.'))), null),
  image: withDefault(postFields.image, null),
  ...kind.attributes,
  ...kind.fields,
});

/** What the schemas of `writeFields` let through: those of the kind's own fields are known to the kind alone. */
export const asLinkedPostInput = (input: Readonly<Record<string, unknown>>): LinkedPostInput =>
  input as LinkedPostInput;

/** Some records as answers show them, with their images and their texts in one query each. */
export async function renderAll(
  kind: LinkedPostKind,
  posts: readonly LinkedPost[],
  { ctx, withJsonLd }: { ctx: RequestContext; withJsonLd?: boolean },
) {
  const ids = posts.flatMap(({ image_id }) => (image_id === null ? [] : [image_id]));
  const [images, texts] = await Promise.all([findImages(ctx.context.db, ids), loadTranslations(ctx, posts)]);
  const imageOf = ({ image_id }: LinkedPost) => (image_id === null ? undefined : images.get(image_id));
  return posts.map((post) =>
    renderLinkedPost(kind, texts.show(kind.kind, post), {
      urls: ctx.urls,
      image: imageOf(post),
      withJsonLd,
      translations: mayEdit(ctx.viewer, ownedAs(post)) ? texts.coverage(kind.kind, post) : undefined,
    }),
  );
}

/**
 * A record as it is after a write.
 * @throws {InvalidParams} when it is gone
 */
export async function renderOne(kind: LinkedPostKind, id: number, ctx: RequestContext) {
  const post = await findLinkedPost(ctx.context.db, kind.kind, id);
  if (!post) throw gone(kind);
  return (await renderAll(kind, [post], { ctx }))[0];
}

/** Refuses what a write names and does not exist, and a name that is nothing but tags. */
export async function findReferences(
  kind: LinkedPostKind,
  sent: Readonly<Record<string, unknown>>,
  { isUpdate, ...lookup }: LookupContext & { isUpdate: boolean },
): Promise<PostReferences> {
  const { addProblem } = lookup;
  const input = asLinkedPostInput(sent);
  checkName(kind.kind, input, { ...lookup, isUpdate });
  kind.check?.(input, addProblem);
  return findPostReferences(input, lookup);
}

/** Somebody else removed the record while this request was at work. */
export const gone = ({ kind }: Pick<LinkedPostKind, 'kind'>) => invalidParam('id', `param.${kind}_unknown`);
