import { IMPORT_ACTIONS, IMPORT_KINDS, IMPORT_STATES } from '../../db/tables/import.ts';
import { endpoint } from '../../http/core/endpoint.ts';
import { boolean, filledText, oneOf } from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { listPlan } from './plan-rows.ts';
import { getRun, importId, mayImport } from './run-input.ts';
import { listRuns } from './store.ts';
import { findingSchema, importSchema, listFindingRows, planRowSchema, renderImport, renderPlan } from './view.ts';

/** Lists of imports, of their plans and of their findings. */

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/imports',
  name: 'imports.list',
  summary: 'List imports',
  description: 'Latest first.',
  input: {
    ...pageFields,
    state: oneOf('Only imports in this state.', IMPORT_STATES),
    kind: oneOf('Only imports of this kind.', IMPORT_KINDS),
  },
  responses: { 200: listSchema('imports', importSchema, 'ImportList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: mayImport,
  async handle({ context, urls }, { state, kind, ...paging }) {
    const page = pageOf(paging, context.config.perPage);
    const { runs, total } = await listRuns(context.db, { state, kind }, { limit: page.perPage, offset: page.offset });
    const url = urls.rest('admin', '/imports');
    return listResponse({
      ...{ key: 'imports', items: runs.map(renderImport), total, page, url },
      params: { per_page: page.perPage, state, kind },
    });
  },
});

const plan = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/imports/{id}/plan',
  name: 'import_plans.list',
  summary: 'List what an import would do, record by record',
  description: 'In the order of the source, at most 500,000 records. It is kept for seven days.',
  input: {
    id: importId,
    ...pageFields,
    action: oneOf('Only records with this planned action.', IMPORT_ACTIONS),
    kind: filledText('Only records of this kind.', { max: 20 }),
    noted: boolean('true: only records with notes; false: only records without.'),
  },
  required: ['id'],
  responses: { 200: listSchema('plan', planRowSchema, 'ImportPlan') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden', 'import-not-found'],
  may: mayImport,
  async handle(ctx, { id, action, kind, noted, ...paging }) {
    const { context, urls } = ctx;
    const run = await getRun(ctx, id);
    const page = pageOf(paging, context.config.perPage);
    const filter = { action, kind, noted };
    const { rows, total } = await listPlan(context.db, id, { ...filter, limit: page.perPage, offset: page.offset });
    return listResponse({
      ...{ key: 'plan', items: await renderPlan(context.db, run, rows), total, page },
      ...{ url: urls.rest('admin', `/imports/${id}/plan`), params: { per_page: page.perPage, ...filter } },
    });
  },
});

const findings = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/imports/{id}/findings',
  name: 'import_findings.list',
  summary: 'List the findings of an import',
  input: {
    id: importId,
    ...pageFields,
    kind: filledText('Only findings about records of this kind.', { max: 20 }),
    code: filledText('Only findings of this code.', { max: 50 }),
  },
  required: ['id'],
  responses: { 200: listSchema('findings', findingSchema, 'ImportFindings') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden', 'import-not-found'],
  may: mayImport,
  async handle(ctx, { id, kind, code, ...paging }) {
    const { context, urls } = ctx;
    const run = await getRun(ctx, id);
    const page = pageOf(paging, context.config.perPage);
    const filter = { kind, code };
    const found = await listFindingRows(context.db, run, { ...filter, limit: page.perPage, offset: page.offset });
    return listResponse({
      ...{ key: 'findings', items: found.findings, total: found.total, page },
      ...{ url: urls.rest('admin', `/imports/${id}/findings`), params: { per_page: page.perPage, ...filter } },
    });
  },
});

export const importLists = { list, plan, findings };
