import type { Viewer } from '../../http/core/auth.ts';
import {
  type AddProblem,
  ANY_TIME,
  type AnyEndpoint,
  assertFound,
  created,
  endpoint,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { integer } from '../../http/input/schemas.ts';
import { withArticle } from '../../lib/text/text.ts';
import { logChange } from '../../platform/audit/log.ts';
import { membersToWrite } from '../posts/unchanged-members.ts';
import { auditedTaxonomy } from './audited.ts';
import { termListEndpoint } from './list.ts';
import { changeTerm, createTerm, fieldsOf, findReferences, getTerm, lockTerm } from './save.ts';
import { findTerm, removeTerm, type Term } from './store.ts';
import { mayWriteTerms, type TermKind } from './taxonomies.ts';
import { renderTerms, termLinks, termSchema } from './view.ts';

/** The five endpoints of a kind of term. */
export function termEndpoints(kind: TermKind): AnyEndpoint[] {
  return [termListEndpoint(kind), createEndpoint(kind), readEndpoint(kind), updateEndpoint(kind), deleteEndpoint(kind)];
}

const mayWrite = (kind: TermKind) => (viewer: Viewer) => mayWriteTerms(kind, viewer);

async function renderWithLinks(kind: TermKind, ctx: RequestContext, term: Term) {
  const [body] = await renderTerms(kind, [term], ctx);
  return { ...body, ...termLinks(term, ctx.urls) };
}

const idField = { id: integer('Id of the term.') };

/** Finds the term of the path; throws for an unknown id. */
const findById = (kind: TermKind) => async (input: { id?: number }, ctx: RequestContext, addProblem: AddProblem) => {
  const term = await findTerm(ctx.context.db, kind.taxonomy, input.id ?? 0);
  if (!term) addProblem('id', { key: 'param.term_unknown' });
  return term;
};

const WRITE_ERRORS = [
  'rest_forbidden',
  'term_exists',
  'duplicate_term_slug',
  'rest_taxonomy_not_hierarchical',
] as const;

function createEndpoint(kind: TermKind): AnyEndpoint {
  return endpoint({
    namespace: 'events',
    methods: ['POST'],
    path: `/${kind.plural}`,
    name: `${kind.plural}.create`,
    summary: `Create ${withArticle(kind.taxonomy)}`,
    input: fieldsOf(kind),
    body: kind.isTree ? 'CategoryInput' : 'TermInput',
    responseHeaders: ['Location'],
    required: ['name'],
    responses: { 201: termSchema },
    errors: ['rest_missing_callback_param', ...WRITE_ERRORS],
    find: (input, ctx, addProblem) => findReferences(kind, input, { ctx, addProblem, isUpdate: false }),
    may: mayWrite(kind),
    async handle(ctx, input, parent) {
      const term = await createTerm(kind, input, { ctx, parent });
      return created(await renderWithLinks(kind, ctx, term), {
        Location: ctx.urls.rest('events', `/${kind.plural}/${term.id}`),
      });
    },
  });
}

function readEndpoint(kind: TermKind): AnyEndpoint {
  return endpoint({
    namespace: 'events',
    methods: ['GET'],
    path: `/${kind.plural}/{id}`,
    name: `${kind.plural}.read`,
    summary: `Read ${withArticle(kind.taxonomy)}`,
    input: idField,
    responses: { 200: termSchema },
    errors: [],
    find: findById(kind),
    handle: async (ctx, _input, term) => ({
      body: await renderWithLinks(kind, ctx, assertFound(term)),
      revision: term?.revision,
      freshUntil: ANY_TIME,
    }),
  });
}

function updateEndpoint(kind: TermKind): AnyEndpoint {
  return endpoint({
    namespace: 'events',
    methods: ['POST', 'PUT', 'PATCH'],
    path: `/${kind.plural}/{id}`,
    name: `${kind.plural}.update`,
    summary: `Change ${withArticle(kind.taxonomy)}`,
    description:
      'Omitted fields keep their values. The whole record may be sent back as it was read: unchanged members count as not sent.',
    input: { ...idField, ...fieldsOf(kind) },
    body: kind.isTree ? 'CategoryChange' : 'TermChange',
    responses: { 200: termSchema },
    errors: [...WRITE_ERRORS, 'edit-conflict'],
    async changesIn(copy, { id }, ctx) {
      const term = await findTerm(ctx.context.db, kind.taxonomy, id ?? 0);
      if (!term || !mayWriteTerms(kind, ctx.viewer)) return copy;
      const [shown] = await renderTerms(kind, [term], ctx);
      // Inside events, tags have a parent too, which is 0.
      return membersToWrite(copy, { ...shown, parent: term.parent_id });
    },
    async find(input, ctx, addProblem) {
      await findReferences(kind, input, { ctx, addProblem, isUpdate: true });
      return findById(kind)(input, ctx, addProblem);
    },
    may: mayWrite(kind),
    async handle(ctx, input, found) {
      const changed = await changeTerm(kind, assertFound(found).id, input, ctx);
      return ok(await renderWithLinks(kind, ctx, changed));
    },
    showCurrent: showCurrent(kind),
  });
}

/** The term as shown in responses to writes. */
const showCurrent =
  (kind: TermKind) =>
  async (ctx: RequestContext, _input: object, found: Term | undefined): Promise<unknown> =>
    renderWithLinks(kind, ctx, await getTerm(kind, assertFound(found).id, ctx.context.db));

function deleteEndpoint(kind: TermKind): AnyEndpoint {
  return endpoint({
    namespace: 'events',
    methods: ['DELETE'],
    path: `/${kind.plural}/{id}`,
    name: `${kind.plural}.delete`,
    summary: `Delete ${withArticle(kind.taxonomy)} permanently`,
    description: 'It is removed from its events. Children of a deleted category move up one level.',
    input: idField,
    responses: { 200: termSchema },
    errors: ['rest_forbidden', 'edit-conflict'],
    find: findById(kind),
    may: mayWrite(kind),
    async handle(ctx, _input, found) {
      const term = assertFound(found);
      const [body] = await renderTerms(kind, [term], ctx);
      await ctx.context.db.transaction(async (db) => {
        const current = await lockTerm(kind, term.id, { db, ctx });
        await logChange(db, ctx.actor, { kind: auditedTaxonomy(kind.taxonomy), id: term.id }, () =>
          removeTerm(db, current),
        );
      });
      return ok(body);
    },
    showCurrent: showCurrent(kind),
  });
}
