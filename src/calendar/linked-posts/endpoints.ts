import { sharedCache } from '../../db/current-cache.ts';
import type { Database } from '../../db/database.ts';
import { can, isAnonymous } from '../../http/core/auth.ts';
import {
  ANY_TIME,
  type AnyEndpoint,
  created,
  endpoint,
  type Fields,
  type InputOf,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { boolean, integer, searchText, sharedParameter, withDefault } from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { capitalize, withArticle } from '../../lib/text/text.ts';
import { readLanguage } from '../../platform/translations/rules.ts';
import { statusFilterField, visibilityFor } from '../posts/visibility.ts';
import { checkEventVisible } from '../posts/visible-records.ts';
import { type LinkedPostFilter, listLinkedPosts } from './filter.ts';
import { asLinkedPostInput, type LinkedPostKind, writeFields } from './kind.ts';
import { findOrCreate } from './reuse.ts';
import { createLinkedPost, findReferences, insertWithImage } from './save.ts';
import { byId, bySlug, renderOne, singleEndpoints } from './single.ts';
import { renderListed } from './view.ts';

/** The endpoints of a kind of linked post: list, create, and read, change, delete by id and by slug. */
export function linkedPostEndpoints(kind: LinkedPostKind): AnyEndpoint[] {
  return [
    listEndpoint(kind),
    createEndpoint(kind),
    ...singleEndpoints(kind, byId(kind)),
    ...singleEndpoints(kind, bySlug(kind)),
  ];
}

const listFields = {
  ...pageFields,
  search: sharedParameter(
    'linked_post_search',
    searchText('Words that must all occur in the name, the description or the other text fields.'),
  ),
  event: sharedParameter('linked_post_event', integer('Only records linked to this event.', { min: 1 })),
  has_events: sharedParameter('has_events', boolean('true: only records with events; false: only records without.')),
  only_with_upcoming: sharedParameter(
    'only_with_upcoming',
    withDefault(boolean('Only records with an event that has not started yet.'), false),
  ),
  ...statusFilterField,
};

function listEndpoint(kind: LinkedPostKind): AnyEndpoint {
  const { plural } = kind;
  return endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: `/${plural}`,
    name: `${plural}.list`,
    summary: `List ${plural} by name`,
    // TypeScript cannot know the filters of a single kind.
    input: { ...listFields, ...ownFields(kind) } as typeof listFields,
    responses: { 200: listSchema(plural, kind.schema, `${capitalize(kind.name)}List`) },
    responseHeaders: LIST_HEADERS,
    errors: [`${kind.name}-archive-page-not-found`],
    async find(input, ctx, addProblem) {
      if (input.event !== undefined) await checkEventVisible('event', input.event, { ctx, addProblem });
      return visibilityFor(ctx.viewer, input.status, addProblem);
    },
    async handle(ctx, input, visibility) {
      const { db, config } = ctx.context;
      const page = pageOf(input, config.perPage);
      const filter = filterOf(input, ctx, {
        ...{ kind: kind.name, language: readLanguage(ctx), visibility },
        own: ownConditions(kind, input, db),
      });
      const state = await sharedCache(ctx.context, isAnonymous(ctx.viewer));
      const { total, posts } = await listLinkedPosts(db, { filter, limit: page.perPage, offset: page.offset });
      const { page: _page, per_page: _perPage, status: _status, ...params } = input;
      return listResponse({
        key: plural,
        items: await renderListed(kind, posts, { ctx, state }),
        total,
        page,
        url: ctx.urls.rest('events', `/${plural}/`),
        params: { per_page: page.perPage, ...params, status: visibility.label, i18n_language: ctx.askedLanguage },
        pastTheEnd: `${kind.name}-archive-page-not-found`,
        freshUntil: input.only_with_upcoming ? undefined : ANY_TIME,
      });
    },
  });
}

const ownFields = ({ filters = {} }: LinkedPostKind): Fields =>
  Object.fromEntries(Object.entries(filters).map(([name, { field }]) => [name, field]));

const ownConditions = ({ filters = {} }: LinkedPostKind, input: Readonly<Record<string, unknown>>, db: Database) =>
  Object.entries(filters).flatMap(([name, { where }]) => (input[name] === undefined ? [] : [where(input[name], db)]));

function filterOf(
  { search, event, has_events: hasEvents, only_with_upcoming }: Partial<InputOf<typeof listFields>>,
  { viewer, now }: RequestContext,
  fixed: Pick<LinkedPostFilter, 'kind' | 'language' | 'visibility' | 'own'>,
): LinkedPostFilter {
  return {
    ...fixed,
    search,
    event,
    hasEvents,
    upcomingFrom: only_with_upcoming ? toUtc(now) : undefined,
    events: {
      // Counts events regardless of the listed records.
      visibility: visibilityFor(viewer, undefined, () => undefined),
      reader: { viewer },
    },
  };
}

function createEndpoint(kind: LinkedPostKind): AnyEndpoint {
  return endpoint({
    namespace: 'events',
    methods: ['POST'],
    path: `/${kind.plural}`,
    name: `${kind.plural}.create`,
    summary: `Create ${withArticle(kind.name)}`,
    description:
      'Under `/wp-json/tribe` a published record of the same name is returned instead, unless the input contradicts it; ' +
      'missing fields are added if the user may edit it.',
    input: writeFields(kind),
    required: [kind.name],
    body: `${capitalize(kind.name)}Input`,
    responses: { 201: kind.schema },
    errors: ['rest_missing_callback_param', 'rest_forbidden'],
    find: (input, ctx, addProblem) => findReferences(kind, input, { ctx, addProblem, isUpdate: false }),
    may: (viewer) => can(viewer, 'edit'),
    async handle(ctx, input, references) {
      const save = ctx.urls.isReference ? findOrCreate : createLinkedPost;
      const id = await insertWithImage(kind, asLinkedPostInput(input), { ctx, references, save });
      return created(await renderOne(kind, id, ctx));
    },
  });
}
