import { mayEdit, type Viewer } from '../../http/core/auth.ts';
import {
  type AddProblem,
  ANY_TIME,
  type AnyEndpoint,
  assertFound,
  type EndpointResponse,
  endpoint,
  type Fields,
  type Method,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { boolean, filledText, integer, sharedParameter } from '../../http/input/schemas.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { capitalize, withArticle } from '../../lib/text/text.ts';
import { logChange } from '../../platform/audit/log.ts';
import { ownedAs, type PostReferences } from '../posts/post.ts';
import { membersToWrite } from '../posts/unchanged-members.ts';
import { isVisibleTo } from '../posts/visibility.ts';
import { auditedLinkedPost } from './audited.ts';
import { asLinkedPostInput, type LinkedPostKind, writeFields } from './kind.ts';
import {
  changeLinkedPost,
  findReferences,
  getLinkedPost,
  lockLinkedPost,
  unlinkFromEvents,
  updateWithImage,
} from './save.ts';
import { findLinkedPost, findLinkedPostBySlug, type LinkedPost, removeLinkedPost } from './store.ts';
import { renderAll } from './view.ts';

/** How a route identifies a record. */
export interface Address {
  path: string;
  suffix: string;
  fields: Fields;
  find(input: Readonly<Record<string, unknown>>, ctx: RequestContext): Promise<LinkedPost | undefined>;
  parameter: string;
}

export const byId = (kind: LinkedPostKind): Address => ({
  path: `/${kind.plural}/{id}`,
  suffix: '',
  parameter: 'id',
  fields: { id: integer(`Id of the ${kind.name}.`) },
  find: (input, ctx) => findLinkedPost(ctx.context.db, kind.name, Number(scalarText(input.id) ?? 0)),
});

export const bySlug = (kind: LinkedPostKind): Address => ({
  path: `/${kind.plural}/by-slug/{slug}`,
  suffix: '_by_slug',
  parameter: 'slug',
  fields: { slug: filledText(`Slug of the ${kind.name}.`, { max: 300 }) },
  find: (input, ctx) => findLinkedPostBySlug(ctx.context.db, kind.name, scalarText(input.slug) ?? ''),
});

interface Target {
  post?: LinkedPost;
  references: PostReferences;
}

const mayChange = (viewer: Viewer, target: Target | undefined): boolean =>
  target?.post !== undefined && mayEdit(viewer, ownedAs(target.post));

/** Properties shared by the endpoints of one record. */
const shared = (
  kind: LinkedPostKind,
  address: Address,
  { action, methods }: { action: string; methods: readonly Method[] },
) => ({
  namespace: 'events' as const,
  methods,
  path: address.path,
  name: `${kind.plural}.${action}${address.suffix}`,
  responses: { 200: kind.schema },
});

const finderOf =
  (kind: LinkedPostKind, address: Address) =>
  async (input: Readonly<Record<string, unknown>>, ctx: RequestContext, addProblem: AddProblem): Promise<Target> => {
    const post = await address.find(input, ctx);
    if (!post) addProblem(address.parameter, { key: 'param.linked_unknown', values: { kind: kind.name } });
    return { post, references: {} };
  };

/** Read, delete and change one record. */
export const singleEndpoints = (kind: LinkedPostKind, address: Address): AnyEndpoint[] => [
  readEndpoint(kind, address),
  deleteEndpoint(kind, address),
  updateEndpoint(kind, address),
];

function readEndpoint(kind: LinkedPostKind, address: Address): AnyEndpoint {
  return endpoint({
    ...shared(kind, address, { action: 'read', methods: ['GET'] }),
    summary: `Read ${withArticle(kind.name)}`,
    input: address.fields,
    errors: [`${kind.name}-not-accessible`],
    find: finderOf(kind, address),
    async handle(ctx, _input, { post }) {
      const found = assertFound(post);
      if (!isVisibleTo(ctx.viewer, found)) throw new ApiError(`${kind.name}-not-accessible`);
      const [body] = await renderAll(kind, [found], { ctx, withJsonLd: true });
      return { body, revision: found.revision, freshUntil: ANY_TIME };
    },
  });
}

function deleteEndpoint(kind: LinkedPostKind, address: Address): AnyEndpoint {
  return endpoint({
    ...shared(kind, address, { action: 'delete', methods: ['DELETE'] }),
    summary: `Move ${withArticle(kind.name)} to the trash`,
    description: `Events lose the ${kind.name} and keep everything else.`,
    input: { ...address.fields, force: sharedParameter('force', boolean('Delete it permanently instead.')) },
    errors: ['rest_forbidden', `${kind.name}-is-in-trash`, 'edit-conflict'],
    find: finderOf(kind, address),
    may: mayChange,
    handle: async (ctx, input, { post }) =>
      input.force ? purge(kind, assertFound(post), ctx) : trash(kind, assertFound(post).id, ctx),
    showCurrent: (ctx, _input, { post }) => renderOne(kind, assertFound(post).id, ctx),
  });
}

function updateEndpoint(kind: LinkedPostKind, address: Address): AnyEndpoint {
  const find = finderOf(kind, address);
  return endpoint({
    ...shared(kind, address, { action: 'update', methods: ['POST', 'PUT', 'PATCH'] }),
    summary: `Change ${withArticle(kind.name)}`,
    description:
      'Omitted fields keep their values. The whole record may be sent back as it was read: unchanged members count as not sent. ' +
      'Setting a status restores a record from the trash.',
    input: { ...writeFields(kind), ...address.fields },
    body: `${capitalize(kind.name)}Change`,
    errors: ['rest_forbidden', 'edit-conflict'],
    async changesIn(copy, input, ctx) {
      const post = await address.find(input, ctx);
      if (!post || !mayChange(ctx.viewer, { post, references: {} })) return copy;
      const [shown = {}] = await renderAll(kind, [post], { ctx });
      return membersToWrite(copy, shown, kind.together);
    },
    async find(input, ctx, addProblem) {
      const { post } = await find(input, ctx, addProblem);
      return { post, references: await findReferences(kind, input, { ctx, addProblem, isUpdate: true }) };
    },
    may: mayChange,
    async handle(ctx, input, { post, references }) {
      const { id } = assertFound(post);
      await updateWithImage(kind, { id, input: asLinkedPostInput(input) }, { ctx, references });
      return ok(await renderOne(kind, id, ctx));
    },
    showCurrent: (ctx, _input, { post }) => renderOne(kind, assertFound(post).id, ctx),
  });
}

/** The record after a write. */
export async function renderOne(kind: LinkedPostKind, id: number, ctx: RequestContext) {
  const post = await getLinkedPost(kind, id, ctx.context.db);
  return (await renderAll(kind, [post], { ctx }))[0];
}

async function trash(kind: LinkedPostKind, id: number, ctx: RequestContext): Promise<EndpointResponse> {
  await ctx.context.db.transaction(async (db) => {
    const current = await lockLinkedPost(kind, id, { db, ctx });
    if (current.status === 'trash') throw new ApiError(`${kind.name}-is-in-trash`);
    await changeLinkedPost(kind, { current, input: { status: 'trash' } }, { db, ctx });
    await unlinkFromEvents(kind, id, db);
  });
  return ok(await renderOne(kind, id, ctx));
}

async function purge(kind: LinkedPostKind, post: LinkedPost, ctx: RequestContext): Promise<EndpointResponse> {
  const [body] = await renderAll(kind, [post], { ctx });
  await ctx.context.db.transaction(async (db) => {
    await lockLinkedPost(kind, post.id, { db, ctx });
    await unlinkFromEvents(kind, post.id, db);
    await logChange(db, ctx.actor, { kind: auditedLinkedPost(kind), id: post.id }, () => removeLinkedPost(db, post));
  });
  return ok(body);
}
