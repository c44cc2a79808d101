import type { Database } from '../../db/database.ts';
import { IMPORT_ACTIONS, IMPORT_KINDS, IMPORT_STATES, type ImportState } from '../../db/tables/import.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import { type AnyEndpoint, created, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, InvalidParams, invalidParam } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import {
  boolean,
  field,
  filledText,
  integer,
  oneOf,
  plainLine,
  texts,
  url,
  withDefault,
} from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { seal } from '../../lib/seal.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import { CSV_KINDS, fieldsOfKind, missingFields } from '../csv/columns.ts';
import { calendarAddress } from '../ical/fetch-calendar.ts';
import { CALENDAR_STATUSES } from '../ical/import-calendar.ts';
import { openSource, SourceError } from '../source.ts';
import { auditedImport } from './audited.ts';
import { FILE_ENDINGS, insertPiece, kindOfFile, PIECE } from './file.ts';
import { listPlan } from './plan-rows.ts';
import { enqueueImports } from './run-job.ts';
import {
  changeRun,
  columnsOf,
  findRun,
  insertRun,
  listRuns,
  optionsOf,
  type Run,
  type RunOptions,
  removeFile,
  removePlan,
} from './store.ts';
import {
  findingSchema,
  importDetailsSchema,
  importSchema,
  isStartable,
  isUndoable,
  listFindingRows,
  needsPassword,
  planRowSchema,
  renderDetails,
  renderImport,
  renderPlan,
} from './view.ts';

/** Imports by upload and by address. Files and dumps bring accounts, so only viewers who manage those may import. */

const mayImport = (viewer: Viewer): boolean => can(viewer, 'manage_site', 'manage_users');

const importId = integer('Id of the import.', { min: 1 });

/** Longest text with a value for each column. */
const MAX_COLUMNS = 500;

const columnsField = field(
  {
    ...{ type: 'array', items: { type: 'string' }, maxItems: MAX_COLUMNS },
    description: 'Field of each column of the table, in their order; empty for a column that is not imported.',
  },
  'param.import_columns',
  (value) => (isListOfTexts(value) ? value : undefined),
);

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MAX_COLUMNS &&
  value.every((one) => typeof one === 'string' && one.length <= 50);

/** @throws {ApiError} import-not-found */
async function getRun({ context }: RequestContext, id: number): Promise<Run> {
  const run = await findRun(context.db, id);
  if (!run) throw new ApiError('import-not-found');
  return run;
}

/** Properties shared by the endpoints of one import. */
const ofImport = {
  namespace: 'admin',
  required: ['id'],
  answers: { 200: importSchema },
  may: mayImport,
} as const;

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
  answers: { 200: listSchema('imports', importSchema, 'ImportList') },
  answerHeaders: LIST_HEADERS,
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

const sourceFields = {
  kind: oneOf('Needed for an address: `wordpress` or `ical`. The kind of a file follows from its name.', IMPORT_KINDS),
  file_name: plainLine(`Name of the file, which ends in ${FILE_ENDINGS.join(', ')}.`, { max: 200 }),
  size: integer('Bytes of the file, at most `MARQUEE_IMPORT_MB`.', { min: 1 }),
  address: url('Web address of the site or the calendar, in place of a file.'),
  username: plainLine('Account at the site; without one, only what visitors see is read.', { max: 200 }),
  password: filledText('Its password, or an application password. It is erased at the end.', { max: 200 }),
};

const choiceFields = {
  status: withDefault(oneOf('Status of new events of a calendar or a table.', CALENDAR_STATUSES), 'publish'),
  categories: texts('Names of categories of all events of a calendar.', { max: 20, maxLength: 100 }),
  theirs: boolean('true: the source also replaces what was changed here since the last import.'),
  media: boolean('true: the whole media library of a site, not only the images that records use.'),
  rows: withDefault(oneOf('Content of the rows of a table.', CSV_KINDS), 'events'),
  prefix: plainLine('Beginning of the names of tables in a dump, if there are several sites.', { max: 50 }),
  columns: columnsField,
};

const create = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/imports',
  name: 'imports.create',
  summary: 'Begin an import from a file or an address',
  description: `A file is then sent in parts. The plan is made in the background; nothing is imported before its start. The columns of a table wait for confirmation, unless \`columns\` has them. Addresses have to be public.`,
  input: { ...sourceFields, ...choiceFields },
  body: 'ImportInput',
  answers: { 201: importSchema },
  errors: ['rest_forbidden'],
  isCredentialWrite: true,
  may: mayImport,
  async handle(ctx, input) {
    const source = input.file_name === undefined ? addressOf(input) : fileOf(input, ctx);
    const { username = '', password } = input;
    if ((username === '') !== (password === undefined) || (password !== undefined && source.kind !== 'wordpress'))
      throw invalidParam('password', 'param.import_password');
    const { context, viewer, now } = ctx;
    const options: RunOptions = {
      ...{ status: input.status ?? 'publish', categories: input.categories ?? [], isTheirs: input.theirs ?? false },
      ...{ withMedia: input.media ?? false, table: input.rows ?? 'events', prefix: input.prefix ?? '' },
      ...{ columns: input.columns ?? null, hasAccount: password !== undefined },
    };
    if (options.columns) checkColumns(options.table, options.columns);
    const utc = toUtc(now);
    const run = await context.db.transaction(async (db) => {
      const made = await insertRun(db, {
        ...source,
        ...{ user_id: viewer.account?.id ?? 0, means: viewer.credential?.means ?? 'command-line' },
        ...{ created_utc: utc, changed_utc: utc, options: JSON.stringify(options), login: username },
        secret: password === undefined ? '' : sealed(ctx, password),
      });
      await logCreation(db, ctx.actor, { kind: auditedImport, id: made.id });
      if (made.state === 'planning') await enqueueImports(db, now);
      return made;
    });
    return created(renderImport(run), PRIVATE_NO_STORE);
  },
});

const sealed = ({ context }: RequestContext, password: string): string =>
  seal(password, { sealing: context.siteKey('import-password') }, context.random);

type Source = Pick<Run, 'kind' | 'state' | 'file_name' | 'address' | 'size'>;
interface SourceInput {
  kind?: Run['kind'] | undefined;
  file_name?: string | undefined;
  size?: number | undefined;
  address?: string | undefined;
}

/** @throws {InvalidParams} */
function fileOf({ kind, file_name = '', size, address }: SourceInput, { context }: RequestContext): Source {
  const found = kindOfFile(file_name);
  const { importBytes } = context.config;
  if (address !== undefined) throw invalidParam('address', 'param.import_source');
  if (!found || (kind !== undefined && kind !== found))
    throw invalidParam('file_name', 'param.import_file', { endings: FILE_ENDINGS.join(', ') });
  if (size === undefined) throw invalidParam('size', 'param.integer');
  if (size > importBytes) throw invalidParam('size', 'param.import_size', { limit: Math.round(importBytes / PIECE) });
  return { kind: found, state: 'uploading', file_name, address: '', size };
}

/** @throws {InvalidParams} */
function addressOf({ kind, address }: SourceInput): Source {
  if (address === undefined || (kind !== 'wordpress' && kind !== 'ical'))
    throw new InvalidParams(new Map([[address === undefined ? 'file_name' : 'kind', { key: 'param.import_source' }]]));
  try {
    const found = kind === 'ical' ? calendarAddress(address) : openSource({ address }).address;
    return { kind, state: 'planning', file_name: '', address: found, size: 0 };
  } catch (error) {
    if (error instanceof SourceError) throw invalidParam('address', 'param.url');
    throw error;
  }
}

/** @throws {InvalidParams} */
function checkColumns(table: RunOptions['table'], columns: readonly string[]): void {
  const named = columns.filter((one) => one !== '');
  const known = fieldsOfKind(table);
  if (named.some((one) => !known.includes(one)) || new Set(named).size < named.length)
    throw invalidParam('columns', 'param.import_columns');
  const missing = missingFields(table, new Set(named));
  if (missing) throw invalidParam('columns', 'param.import_columns_missing', { fields: missing.join(', ') });
}

const read = endpoint({
  ...ofImport,
  methods: ['GET'],
  path: '/imports/{id}',
  name: 'imports.read',
  summary: 'Read an import, with its progress',
  input: { id: importId },
  answers: { 200: importDetailsSchema },
  errors: ['rest_forbidden', 'import-not-found'],
  handle: async (ctx, { id }) => ok(await renderDetails(ctx.context.db, await getRun(ctx, id)), PRIVATE_NO_STORE),
});

/** Refuses what an import in its present state cannot do. */
const notReady = ({ state }: Run) => new ApiError('import-not-ready', { data: { state } });

const upload = endpoint({
  ...ofImport,
  methods: ['PUT'],
  path: '/imports/{id}/parts/{number}',
  name: 'imports.upload',
  summary: 'Send a part of the file of an import',
  description:
    'The body is the part itself, of any content type: 1 MiB, the last one the rest. Parts are sent in their order; one that has arrived already changes nothing. With the last one, the plan begins.',
  input: { id: importId, number: integer('Number of the part, from 0.') },
  required: ['id', 'number'],
  takesBytes: PIECE,
  isRefusedInBatch: true,
  errors: ['rest_forbidden', 'rest_body_too_large', 'import-not-found', 'import-not-ready', 'import-part-order'],
  async handle(ctx, { id, number }) {
    const { context, now, bytes = Buffer.alloc(0) } = ctx;
    const run = await getRun(ctx, id);
    const [received, size] = [Number(run.received), Number(run.size)];
    if (number * PIECE < received) return ok(renderImport(run), PRIVATE_NO_STORE);
    if (run.state !== 'uploading') throw notReady(run);
    const after = received + bytes.length;
    if (number * PIECE !== received || after > size || (bytes.length < PIECE && after < size))
      throw new ApiError('import-part-order', { data: { received } });
    const changed = await context.db.transaction(async (db) => {
      const { numUpdatedRows } = await db.query
        .updateTable('import_runs')
        .set({ received: after, ...(after === size && { state: 'planning', changed_utc: toUtc(now) }) })
        .where('id', '=', id)
        .where('state', '=', 'uploading')
        .where('received', '=', received)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await insertPiece(db, id, { number, bytes });
      if (after === size) await enqueueImports(db, now);
      return true;
    });
    const present = await getRun(ctx, id);
    // The same part may have been sent twice at once.
    if (!changed && Number(present.received) <= number * PIECE) throw notReady(present);
    return ok(renderImport(present), PRIVATE_NO_STORE);
  },
});

/** Changes the state of an import, with an entry in the log. @throws {ApiError} import-not-ready */
async function move(ctx: RequestContext, run: Run, change: (db: Database) => Promise<Run | undefined>): Promise<Run> {
  return ctx.context.db.transaction((db) =>
    logChange(db, ctx.actor, { kind: auditedImport, id: run.id }, async () => {
      const changed = await change(db);
      if (!changed) throw notReady((await findRun(db, run.id)) ?? run);
      return changed;
    }),
  );
}

/** Values with which an import is waiting for the job. */
const waiting = (now: Date) => ({ changed_utc: toUtc(now), problem: '', detail: '', tries: 0, finished_utc: null });

const setColumns = endpoint({
  ...ofImport,
  methods: ['POST'],
  path: '/imports/{id}/columns',
  name: 'imports.columns',
  summary: 'Confirm or change the columns of a table',
  description: 'Then the plan is made, or made again, unless the import has begun.',
  input: { id: importId, columns: columnsField },
  required: ['id', 'columns'],
  body: 'ImportColumnsInput',
  errors: ['rest_forbidden', 'rest_missing_callback_param', 'import-not-found', 'import-not-ready'],
  async handle(ctx, { id, columns }) {
    const { now } = ctx;
    const run = await getRun(ctx, id);
    const options = optionsOf(run);
    const isOpen = run.kind === 'csv' && run.begun_utc === null && run.erased_utc === null && run.columns !== '';
    if (!isOpen) throw notReady(run);
    if (columns.length !== columnsOf(run).length) throw invalidParam('columns', 'param.import_columns');
    checkColumns(options.table, columns);
    const changed = await move(ctx, run, async (db) => {
      await enqueueImports(db, now);
      return changeRun(db, id, ['mapping', 'planned', 'failed'], {
        ...{ ...waiting(now), state: 'planning', planned_utc: null },
        options: JSON.stringify({ ...options, columns } satisfies RunOptions),
      });
    });
    return ok(renderImport(changed), PRIVATE_NO_STORE);
  },
});

const STARTABLE = ['planned', 'failed', 'cancelled'] as const satisfies readonly ImportState[];

const start = endpoint({
  ...ofImport,
  methods: ['POST'],
  path: '/imports/{id}/start',
  name: 'imports.start',
  summary: 'Start an import that is planned, or continue one that was interrupted',
  description: 'One import runs at a time; others wait. A page of records is written at once, or not at all.',
  input: {
    id: importId,
    password: filledText('Password of the account at the site, to continue an import: it was erased at the end.', {
      max: 200,
    }),
    username: plainLine('The account, together with its password.', { max: 200 }),
  },
  body: 'ImportStartInput',
  errors: ['rest_forbidden', 'import-not-found', 'import-not-ready'],
  isCredentialWrite: true,
  async handle(ctx, { id, password, username = '' }) {
    const { now } = ctx;
    const run = await getRun(ctx, id);
    if (!isStartable(run)) throw notReady(run);
    const isAsked = needsPassword(run);
    if ((password !== undefined && username !== '') !== isAsked)
      throw invalidParam('password', 'param.import_password');
    const started = await move(ctx, run, async (db) => {
      await enqueueImports(db, now);
      return changeRun(db, id, STARTABLE, {
        ...{ ...waiting(now), state: 'importing', is_stopping: 0, done: 0, step: '', page: 0 },
        ...(run.begun_utc === null && { begun_utc: toUtc(now) }),
        ...(isAsked && password !== undefined && { login: username, secret: sealed(ctx, password) }),
      });
    });
    return ok(renderImport(started), PRIVATE_NO_STORE);
  },
});

/** States in which nothing has been written. */
const UNWRITTEN = ['uploading', 'mapping', 'planning', 'planned'] as const satisfies readonly ImportState[];

const cancel = endpoint({
  ...ofImport,
  methods: ['POST'],
  path: '/imports/{id}/cancel',
  name: 'imports.cancel',
  summary: 'Stop an import',
  description:
    'An import that is running stops after the present page; what it has brought stays, and it can be continued. Before its start, file and plan are erased.',
  input: { id: importId },
  errors: ['rest_forbidden', 'import-not-found', 'import-not-ready'],
  async handle(ctx, { id }) {
    const utc = toUtc(ctx.now);
    const run = await getRun(ctx, id);
    const changed = await move(ctx, run, async (db) => {
      const stopping = await changeRun(db, id, ['importing'], { is_stopping: 1 });
      if (stopping) return stopping;
      const ended = { state: 'cancelled' as const, changed_utc: utc, finished_utc: utc, erased_utc: utc };
      const stopped = await changeRun(db, id, UNWRITTEN, { ...ended, login: '', secret: '' });
      if (!stopped) return undefined;
      await removeFile(db, id);
      await removePlan(db, id);
      return stopped;
    });
    return ok(renderImport(changed), PRIVATE_NO_STORE);
  },
});

const undo = endpoint({
  ...ofImport,
  methods: ['POST'],
  path: '/imports/{id}/undo',
  name: 'imports.undo',
  summary: 'Undo an import',
  description:
    'Removes what it created, in the background. Refused once something of it was sold; what was changed here since stays.',
  input: { id: importId },
  errors: ['rest_forbidden', 'import-not-found', 'import-not-ready'],
  async handle(ctx, { id }) {
    const { now } = ctx;
    const run = await getRun(ctx, id);
    if (!isUndoable(run)) throw notReady(run);
    const undoing = await move(ctx, run, async (db) => {
      await enqueueImports(db, now);
      return changeRun(db, id, ['finished', 'failed', 'cancelled'], { ...waiting(now), state: 'undoing' });
    });
    return ok(renderImport(undoing), PRIVATE_NO_STORE);
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
    action: oneOf('Only records with which this would be done.', IMPORT_ACTIONS),
    kind: filledText('Only records of this kind.', { max: 20 }),
    noted: boolean('true: only records about which there is something to say; false: only the others.'),
  },
  required: ['id'],
  answers: { 200: listSchema('plan', planRowSchema, 'ImportPlan') },
  answerHeaders: LIST_HEADERS,
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
  summary: 'List what there is to look at after an import',
  input: {
    id: importId,
    ...pageFields,
    kind: filledText('Only findings about records of this kind.', { max: 20 }),
    code: filledText('Only findings of this code.', { max: 50 }),
  },
  required: ['id'],
  answers: { 200: listSchema('findings', findingSchema, 'ImportFindings') },
  answerHeaders: LIST_HEADERS,
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

export const importEndpoints: readonly AnyEndpoint[] = [
  list,
  create,
  read,
  upload,
  setColumns,
  start,
  cancel,
  undo,
  plan,
  findings,
];
