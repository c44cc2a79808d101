import type { Database } from '../../db/database.ts';
import type { ImportState } from '../../db/tables/import.ts';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { boolean, filledText, integer, plainLine } from '../../http/input/schemas.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { logChange } from '../../platform/audit/log.ts';
import { auditedImport } from './audited.ts';
import { createImport } from './create-run.ts';
import { insertPiece, PIECE } from './file.ts';
import { checkColumns, columnsField, getRun, importId, mayImport, requesterOf, sealed } from './run-input.ts';
import { enqueueImports } from './run-job.ts';
import { importLists } from './run-lists.ts';
import {
  changeRun,
  columnsOf,
  DISCARDABLE,
  findRun,
  optionsOf,
  type Run,
  type RunOptions,
  removeFile,
  removePlan,
} from './store.ts';
import {
  importDetailsSchema,
  importSchema,
  isStartable,
  isUndoable,
  needsPassword,
  renderDetails,
  renderImport,
} from './view.ts';

/** Imports: their parts, their start and their end. */

/** Properties shared by the endpoints of one import. */
const ofImport = {
  namespace: 'admin',
  required: ['id'],
  responses: { 200: importSchema },
  may: mayImport,
} as const;

const read = endpoint({
  ...ofImport,
  methods: ['GET'],
  path: '/imports/{id}',
  name: 'imports.read',
  summary: 'Read an import, with its progress',
  input: { id: importId },
  responses: { 200: importDetailsSchema },
  errors: ['rest_forbidden', 'import-not-found'],
  handle: async (ctx, { id }) => ok(await renderDetails(ctx.context.db, await getRun(ctx, id)), PRIVATE_NO_STORE),
});

/** Error for an action that the state of an import does not allow. */
const notReady = ({ state }: Run) => new ApiError('import-not-ready', { data: { state } });

const upload = endpoint({
  ...ofImport,
  methods: ['PUT'],
  path: '/imports/{id}/parts/{number}',
  name: 'imports.upload',
  summary: 'Send a part of the file of an import',
  description:
    'The body is the part itself, of any content type: 1 MiB, or the rest for the last part. Parts are sent in order; a part that has already arrived changes nothing. The last part starts the planning.',
  input: { id: importId, number: integer('Number of the part, from 0.') },
  required: ['id', 'number'],
  takesBytes: PIECE,
  // A part that is sent again changes nothing.
  idempotency: 'recorded',
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
        .set({ received: after, changed_utc: toUtc(now), ...(after === size && { state: 'planning' }) })
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

/** Values of an import that waits for the job. */
const waiting = (now: Date) => ({
  changed_utc: toUtc(now),
  problem: '',
  detail: '',
  tries: 0,
  finished_utc: null,
  owner: '',
});

/** Choices of an import whose work the account of a request asks for. */
const askedBy = ({ viewer }: RequestContext, run: Run, changes: Partial<RunOptions> = {}): string =>
  JSON.stringify({ ...optionsOf(run), ...changes, by: requesterOf(viewer) } satisfies RunOptions);

const setColumns = endpoint({
  ...ofImport,
  methods: ['POST'],
  path: '/imports/{id}/columns',
  name: 'imports.columns',
  summary: 'Confirm or change the columns of a table',
  description: 'The plan is then made, or made again. Not possible once the import has begun.',
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
        options: askedBy(ctx, run, { columns }),
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
  description:
    'A few imports run at a time; others wait. Each page of records is written completely or not at all. The import stops if the account that started it is deleted or loses its rights.',
  input: {
    id: importId,
    password: filledText('Password of the account at the site, to continue an import that ended: it was erased then.', {
      max: 200,
    }),
    username: plainLine('Name of the account; required with `password`.', { max: 200 }),
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
        options: askedBy(ctx, run),
        ...(run.begun_utc === null && { begun_utc: toUtc(now) }),
        ...(isAsked && password !== undefined && { login: username, secret: sealed(ctx, password) }),
      });
    });
    return ok(renderImport(started), PRIVATE_NO_STORE);
  },
});

const cancel = endpoint({
  ...ofImport,
  methods: ['POST'],
  path: '/imports/{id}/cancel',
  name: 'imports.cancel',
  summary: 'Stop an import',
  description:
    'A running import stops after the current page. Its records stay, and it can be continued. Any other import is discarded: its file and plan are erased.',
  input: { id: importId },
  errors: ['rest_forbidden', 'import-not-found', 'import-not-ready'],
  async handle(ctx, { id }) {
    const utc = toUtc(ctx.now);
    const run = await getRun(ctx, id);
    const changed = await move(ctx, run, async (db) => {
      const stopping = await changeRun(db, id, ['importing'], { is_stopping: 1 });
      if (stopping) return stopping;
      if ((await findRun(db, id))?.erased_utc != null) return undefined;
      const ended = { state: 'cancelled' as const, changed_utc: utc, finished_utc: utc, erased_utc: utc };
      const stopped = await changeRun(db, id, DISCARDABLE, { ...ended, login: '', secret: '', owner: '' });
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
    'In the background, records that it created are removed, and records that it changed get their former values back. Records that were changed here since, or that others use, stay and become findings. If its tickets were sold or checked in here, nothing is undone unless `except_sold` is sent; the import then has the problem `undo`.',
  input: { id: importId, except_sold: boolean('true: keeps what was sold, and undoes the rest.') },
  body: 'ImportUndoInput',
  errors: ['rest_forbidden', 'import-not-found', 'import-not-ready'],
  async handle(ctx, { id, except_sold: exceptSold = false }) {
    const { now } = ctx;
    const run = await getRun(ctx, id);
    if (!isUndoable(run)) throw notReady(run);
    const options = askedBy(ctx, run, { exceptSold });
    const undoing = await move(ctx, run, async (db) => {
      await enqueueImports(db, now);
      return changeRun(db, id, ['finished', 'failed', 'cancelled'], { ...waiting(now), state: 'undoing', options });
    });
    return ok(renderImport(undoing), PRIVATE_NO_STORE);
  },
});

export const importEndpoints: readonly AnyEndpoint[] = [
  importLists.list,
  createImport,
  read,
  upload,
  setColumns,
  start,
  cancel,
  undo,
  importLists.plan,
  importLists.findings,
];
