import { can } from '../../http/auth.ts';
import { type AnyEndpoint, created, endpoint, type InputOf, type RequestContext } from '../../http/endpoint.ts';
import { LIST_HEADERS, listReply, listSchema, pageFields, pageOf } from '../../http/pagination.ts';
import { boolean, integer, searchText, sharedParameter, withDefault } from '../../http/schemas.ts';
import { toWall } from '../../lib/dates.ts';
import { capitalize } from '../../lib/text.ts';
import { statusFilterField, visibilityFor } from '../posts/status-filter.ts';
import { checkEventVisible } from '../posts/visible-records.ts';
import { readLanguage } from '../translations/rules.ts';
import { type LinkedPostFilter, listLinkedPosts } from './filter.ts';
import { asLinkedPostInput, findReferences, type LinkedPostKind, renderAll, renderOne, writeFields } from './kind.ts';
import { findOrCreate } from './reuse.ts';
import { createLinkedPost } from './save.ts';
import { byId, bySlug, singleEndpoints } from './single.ts';
import { insertWithImage } from './write-fields.ts';

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
  event: sharedParameter('linked_post_event', integer('Only those of this event.', { min: 1 })),
  has_events: sharedParameter('has_events', boolean('Only those with events, or without any.')),
  only_with_upcoming: sharedParameter(
    'only_with_upcoming',
    withDefault(boolean('Only those with an event that is still to start.'), false),
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
    input: listFields,
    answers: { 200: listSchema(plural, kind.schema, `${capitalize(kind.kind)}List`) },
    answerHeaders: LIST_HEADERS,
    errors: [`${kind.kind}-archive-page-not-found`],
    async find(input, ctx, addProblem) {
      if (input.event !== undefined) await checkEventVisible('event', input.event, { ctx, addProblem });
      return visibilityFor(ctx.viewer, input.status, addProblem);
    },
    async handle(ctx, input, visibility) {
      const { db, config } = ctx.context;
      const page = pageOf(input, config.perPage);
      const filter = filterOf(input, ctx, { kind: kind.kind, language: readLanguage(ctx), visibility });
      const { total, posts } = await listLinkedPosts(db, { filter, limit: page.perPage, offset: page.offset });
      const { page: _page, per_page: _perPage, status: _status, ...params } = input;
      return listReply({
        key: plural,
        items: await renderAll(kind, posts, { ctx }),
        total,
        page,
        url: ctx.urls.rest('events', `/${plural}/`),
        params: { per_page: page.perPage, ...params, status: visibility.label, i18n_language: ctx.askedLanguage },
        pastTheEnd: `${kind.kind}-archive-page-not-found`,
      });
    },
  });
}

function filterOf(
  { search, event, has_events: hasEvents, only_with_upcoming }: Partial<InputOf<typeof listFields>>,
  { viewer, now }: RequestContext,
  fixed: Pick<LinkedPostFilter, 'kind' | 'language' | 'visibility'>,
): LinkedPostFilter {
  return {
    ...fixed,
    search,
    event,
    hasEvents,
    upcomingFrom: only_with_upcoming ? toWall(now) : undefined,
    events: {
      // Regardless of which records are listed.
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
    summary: `Create one of the ${kind.plural}`,
    description:
      'Under `/wp-json/tribe` a published record of the same name, if nothing that is sent contradicts it, is answered ' +
      'instead; what it lacks is added by those who may edit it.',
    input: writeFields(kind),
    required: [kind.kind],
    body: `${capitalize(kind.kind)}Input`,
    answers: { 201: kind.schema },
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
