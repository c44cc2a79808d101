import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { can, mayEdit, mayRead, type Viewer } from '../http/auth.ts';
import {
  type AnyEndpoint,
  type Call,
  created,
  endpoint,
  type Fields,
  type Looking,
  type Method,
  ok,
  type Refuse,
  type Reply,
} from '../http/endpoint.ts';
import { ApiError, type ErrorCode, invalidParam } from '../http/errors.ts';
import { boolean, clearable, filledText, integer, searchText, text } from '../http/input.ts';
import { listReply, pageFields, pageOf } from '../http/pagination.ts';
import { toWall } from '../lib/dates.ts';
import { plainText } from '../lib/text.ts';
import { fetchForeignImage, findImages, type PreparedImage, saveImage } from './image.ts';
import { changeLinkedPost, createLinkedPost, type LinkedPostForm, type LinkedPostInput } from './linked-post-save.ts';
import {
  findLinkedPost,
  findLinkedPostBySlug,
  type LinkedPost,
  listLinkedPosts,
  removeLinkedPost,
  unlinkFromEvents,
} from './linked-post-store.ts';
import { type LinkedPostLook, renderLinkedPost } from './linked-post-view.ts';
import { findPostReferences, ownedAs, type PostInput, type PostReferences, postFields } from './post.ts';
import { statusFilterField, visibilityFor } from './status-filter.ts';
import { given } from './term.ts';
import { requireVisibleEvent } from './visible-event.ts';

/** What sets one kind of linked post apart from another: its words, its fields, and how it is shown. */
export interface LinkedPostKind extends LinkedPostForm, LinkedPostLook {
  kind: 'venue' | 'organizer';
  /** Last word of the routes, and key of the list. */
  plural: 'venues' | 'organizers';
  /** Write fields besides the name, the shared ones and the attributes. */
  fields: Fields;
  /** Refuses what no single field can: a coordinate without the other. */
  check?(input: Readonly<Record<string, unknown>>, refuse: Refuse): void;
  schema: z.ZodType;
}

/** The endpoints of a kind of linked post: list, create, and read, change, delete by id and by slug. */
export function linkedPostEndpoints(kind: LinkedPostKind): AnyEndpoint[] {
  return [
    listEndpoint(kind),
    createEndpoint(kind),
    ...singleEndpoints(kind, byId(kind)),
    ...singleEndpoints(kind, bySlug(kind)),
  ];
}

/** Name and values of every field a kind is written with; also the shape of an inline object in an event. */
export const writeFields = (kind: LinkedPostKind): Fields => ({
  ...postFields,
  [kind.kind]: filledText(`Name of the ${kind.kind}.`, { max: 500 }),
  description: clearable(text('Description. HTML is cleaned.')),
  ...kind.attributes,
  ...kind.fields,
});

function listEndpoint(kind: LinkedPostKind): AnyEndpoint {
  const { plural } = kind;
  return endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: `/${plural}`,
    name: `${plural}.list`,
    summary: `List ${plural} by name`,
    input: {
      ...pageFields,
      search: searchText('Words that must all occur in the name, the description or the other text fields.'),
      event: integer('Only those of this event.', { min: 1 }),
      has_events: boolean('Only those with events, or without any.'),
      only_with_upcoming: boolean('Only those with an event that is still to start.'),
      ...statusFilterField,
    },
    answers: {
      200: z.object({
        [plural]: z.array(kind.schema),
        rest_url: z.string(),
        next_rest_url: z.string().optional(),
        previous_rest_url: z.string().optional(),
        total: z.int(),
        total_pages: z.int(),
      }),
    },
    errors: [`${kind.kind}-archive-page-not-found`],
    async find(input, call, refuse) {
      if (input.event !== undefined) await requireVisibleEvent('event', input.event, { call, refuse });
      return visibilityFor(call.viewer, input.status, refuse);
    },
    async handle(call, input, visibility) {
      const { db, config } = call.context;
      const page = pageOf(input, config.perPage);
      const filter = {
        kind: kind.kind,
        visibility,
        search: input.search,
        event: input.event,
        hasEvents: input.has_events,
        ...(input.only_with_upcoming && {
          upcoming: { from: toWall(call.now), visibility: visibilityFor(call.viewer, undefined, () => undefined) },
        }),
      };
      const { total, posts } = await listLinkedPosts(db, {
        filter,
        limit: page.perPage,
        offset: page.offset,
      });
      const { page: _page, per_page: _perPage, status: _status, ...params } = input;
      return listReply({
        key: plural,
        items: await renderAll(kind, posts, { call }),
        total,
        page,
        url: call.urls.rest('events', `/${plural}/`),
        params: { per_page: page.perPage, ...params, status: visibility.label, i18n_language: call.askedLanguage },
        pastTheEnd: `${kind.kind}-archive-page-not-found`,
      });
    },
  });
}

async function renderAll(
  kind: LinkedPostKind,
  posts: readonly LinkedPost[],
  { call, withJsonLd }: { call: Call; withJsonLd?: boolean },
) {
  const ids = posts.flatMap(({ image_id }) => (image_id === null ? [] : [image_id]));
  const images = await findImages(call.context.db, ids);
  const imageOf = ({ image_id }: LinkedPost) => (image_id === null ? undefined : images.get(image_id));
  return posts.map((post) => renderLinkedPost(kind, post, { urls: call.urls, image: imageOf(post), withJsonLd }));
}

async function renderOne(kind: LinkedPostKind, id: number, call: Call) {
  const post = await findLinkedPost(call.context.db, kind.kind, id);
  if (!post) throw gone(kind);
  return (await renderAll(kind, [post], { call }))[0];
}

/** Refuses what a write names and does not exist, and a name that is nothing but tags. */
async function findReferences(kind: LinkedPostKind, input: LinkedPostInput, looking: Looking): Promise<PostReferences> {
  const { refuse } = looking;
  const name = input[kind.kind];
  if (typeof name === 'string' && plainText(name) === '') refuse(kind.kind, { key: 'param.filled_text' });
  kind.check?.(input, refuse);
  return findPostReferences(input as PostInput, looking);
}

/** Runs a write with the image it names: fetched before the transaction, removed again if the transaction fails. */
export async function withImage<T>(
  { image }: PostReferences,
  call: Call,
  work: (image: PreparedImage | undefined) => Promise<T>,
): Promise<T> {
  const prepared = image && 'url' in image ? await fetchForeignImage('image', image.url, call) : undefined;
  try {
    return await work(prepared);
  } catch (error) {
    await prepared?.discard();
    throw error;
  }
}

function createEndpoint(kind: LinkedPostKind): AnyEndpoint {
  return endpoint({
    namespace: 'events',
    methods: ['POST'],
    path: `/${kind.plural}`,
    name: `${kind.plural}.create`,
    summary: `Create one of the ${kind.plural}`,
    input: writeFields(kind),
    required: [kind.kind],
    answers: { 201: kind.schema },
    errors: ['rest_missing_callback_param', 'rest_forbidden'],
    find: (input, call, refuse) => findReferences(kind, input as LinkedPostInput, { call, refuse }),
    may: (viewer) => can(viewer, 'edit'),
    handle: (call, input, references) =>
      withImage(references, call, async (prepared) => {
        const id = await call.context.db.transaction(async (db) => {
          const imageId = prepared ? await saveImage(db, prepared) : knownImage(references);
          return createLinkedPost(kind, input as LinkedPostInput, { db, call, imageId });
        });
        return created(await renderOne(kind, id, call));
      }),
  });
}

export const knownImage = ({ image }: PostReferences): number | null | undefined =>
  image && 'id' in image ? image.id : (image as null | undefined);

/** How a request names one record. */
interface Address {
  path: string;
  suffix: string;
  fields: Fields;
  find(input: Readonly<Record<string, unknown>>, call: Call): Promise<LinkedPost | undefined>;
  parameter: string;
}

const byId = (kind: LinkedPostKind): Address => ({
  path: `/${kind.plural}/{id}`,
  suffix: '',
  parameter: 'id',
  fields: { id: integer(`Id of the ${kind.kind}.`) },
  find: (input, call) => findLinkedPost(call.context.db, kind.kind, Number(input.id ?? 0)),
});

const bySlug = (kind: LinkedPostKind): Address => ({
  path: `/${kind.plural}/by-slug/{slug}`,
  suffix: '_by_slug',
  parameter: 'slug',
  fields: { slug: filledText(`Slug of the ${kind.kind}.`) },
  find: (input, call) => findLinkedPostBySlug(call.context.db, kind.kind, String(input.slug ?? '')),
});

interface Target {
  post?: LinkedPost;
  references: PostReferences;
}

function singleEndpoints(kind: LinkedPostKind, address: Address): AnyEndpoint[] {
  const find = async (input: Readonly<Record<string, unknown>>, call: Call, refuse: Refuse): Promise<Target> => {
    const post = await address.find(input, call);
    if (!post) refuse(address.parameter, { key: `param.${kind.kind}_unknown` });
    return { post, references: {} };
  };
  const may = (viewer: Viewer, { post }: Target) => mayEdit(viewer, ownedAs(given(post)));
  const shared = (action: string, methods: readonly Method[]) => ({
    namespace: 'events' as const,
    methods,
    path: address.path,
    name: `${kind.plural}.${action}${address.suffix}`,
    answers: { 200: kind.schema },
  });
  return [
    endpoint({
      ...shared('read', ['GET']),
      summary: `Read one of the ${kind.plural}`,
      input: address.fields,
      errors: [`${kind.kind}-not-accessible`],
      find,
      async handle(call, _input, { post }) {
        const found = given(post);
        const isShut = found.status === 'trash' && !can(call.viewer, 'read_others');
        if (isShut || !mayRead(call.viewer, found)) throw new ApiError(`${kind.kind}-not-accessible`);
        return ok((await renderAll(kind, [found], { call, withJsonLd: true }))[0]);
      },
    }),
    endpoint({
      ...shared('delete', ['DELETE']),
      summary: `Move one of the ${kind.plural} to the trash`,
      description: `Events lose the ${kind.kind} and keep everything else.`,
      input: { ...address.fields, force: boolean('Remove it for good instead.') },
      errors: ['rest_forbidden', `${kind.kind}-is-in-trash` as ErrorCode],
      find,
      may,
      handle: async (call, input, { post }) =>
        input.force ? purge(kind, given(post), call) : trash(kind, given(post).id, call),
    }),
    endpoint({
      ...shared('update', ['POST', 'PUT', 'PATCH']),
      summary: `Change one of the ${kind.plural}`,
      description: 'What is not sent stays as it is. A status takes a record out of the trash.',
      input: { ...writeFields(kind), ...address.fields },
      errors: ['rest_forbidden'],
      async find(input, call, refuse) {
        const { post } = await find(input, call, refuse);
        return { post, references: await findReferences(kind, input as LinkedPostInput, { call, refuse }) };
      },
      may,
      handle: (call, input, { post, references }) =>
        withImage(references, call, async (prepared) => {
          const { id } = given(post);
          await call.context.db.transaction(async (db) => {
            const current = await lockLinkedPost(kind, id, db);
            const imageId = prepared ? await saveImage(db, prepared) : knownImage(references);
            await changeLinkedPost(kind, { current, input: input as LinkedPostInput }, { db, call, imageId });
            if (input.status === 'trash') await unlinkFromEvents(db, kind.kind, id);
          });
          return ok(await renderOne(kind, id, call));
        }),
    }),
  ];
}

async function trash(kind: LinkedPostKind, id: number, call: Call): Promise<Reply> {
  await call.context.db.transaction(async (db) => {
    const current = await lockLinkedPost(kind, id, db);
    if (current.status === 'trash') throw new ApiError(`${kind.kind}-is-in-trash`);
    await changeLinkedPost(kind, { current, input: { status: 'trash' } }, { db, call });
    await unlinkFromEvents(db, kind.kind, id);
  });
  return ok(await renderOne(kind, id, call));
}

/** The record as it is now: what `find` saw may have been changed since, and a write replaces the whole row. */
async function lockLinkedPost({ kind }: LinkedPostKind, id: number, db: Database): Promise<LinkedPost> {
  await db.dialect.lock(db, `post-${id}`);
  const current = await findLinkedPost(db, kind, id);
  if (!current) throw gone({ kind });
  return current;
}

/** Somebody else removed the record while this request was at work. */
const gone = ({ kind }: Pick<LinkedPostKind, 'kind'>) => invalidParam('id', `param.${kind}_unknown`);

async function purge(kind: LinkedPostKind, post: LinkedPost, call: Call): Promise<Reply> {
  const [body] = await renderAll(kind, [post], { call });
  await call.context.db.transaction(async (db) => {
    await unlinkFromEvents(db, kind.kind, post.id);
    await removeLinkedPost(db, post.id);
  });
  return ok(body);
}
