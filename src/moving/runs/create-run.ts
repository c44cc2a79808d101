import type { Database } from '../../db/database.ts';
import { IMPORT_KINDS } from '../../db/tables/import.ts';
import { created, endpoint, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, InvalidParams, invalidParam } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { boolean, filledText, integer, oneOf, plainLine, texts, url, withDefault } from '../../http/input/schemas.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { logCreation } from '../../platform/audit/log.ts';
import { CSV_KINDS } from '../csv/columns.ts';
import { calendarAddress } from '../ical/fetch-calendar.ts';
import { openSource } from '../source.ts';
import { auditedImport } from './audited.ts';
import { FILE_ENDINGS, kindOfFile, PIECE } from './file.ts';
import { addressOf, checkColumns, columnsField, IMPORT_STATUSES, mayImport, requesterOf, sealed } from './run-input.ts';
import { enqueueImports } from './run-job.ts';
import { countOpen, insertRun, type Run, type RunOptions } from './store.ts';
import { importSchema, renderImport } from './view.ts';

/** Creates imports, from a file or from an address. */

const sourceFields = {
  kind: oneOf(
    'Required with an address: `wordpress` or `ical`. The kind of a file follows from its name.',
    IMPORT_KINDS,
  ),
  file_name: plainLine(`Name of the file, which ends in ${FILE_ENDINGS.join(', ')}.`, { max: 200 }),
  size: integer('Bytes of the file, at most `MARQUEE_IMPORT_MB`.', { min: 1 }),
  address: url('Web address of the site or the calendar, in place of a file.'),
  username: plainLine('Account at the site; without one, only what visitors see is read.', { max: 200 }),
  password: filledText('Password of the account, or an application password. It is erased when the import ends.', {
    max: 200,
  }),
};

const choiceFields = {
  status: withDefault(oneOf('Status of new events of a calendar or a table.', IMPORT_STATUSES), 'publish'),
  categories: texts('Names of categories of all events of a calendar.', { max: 20, maxLength: 100 }),
  theirs: boolean('true: the source also replaces what was changed here since the last import.'),
  media: boolean('true: the whole media library of a site, not only the images that records use.'),
  rows: withDefault(oneOf('Content of the rows of a table.', CSV_KINDS), 'events'),
  prefix: plainLine('Beginning of the names of tables in a dump, if there are several sites.', { max: 50 }),
  columns: columnsField,
};

export const createImport = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/imports',
  name: 'imports.create',
  summary: 'Begin an import from a file or an address',
  description: `A file is then sent in parts. The plan is made in the background; nothing is imported before the import is started. The columns of a table must be confirmed, unless \`columns\` names them. Addresses must be public.`,
  input: { ...sourceFields, ...choiceFields },
  body: 'ImportInput',
  responses: { 201: importSchema },
  errors: ['rest_forbidden', 'import-too-many', 'import-no-room'],
  isCredentialWrite: true,
  may: mayImport,
  async handle(ctx, input) {
    const source = input.file_name === undefined ? siteOf(input) : fileOf(input, ctx);
    const { username = '', password } = input;
    if ((username === '') !== (password === undefined) || (password !== undefined && source.kind !== 'wordpress'))
      throw invalidParam('password', 'param.import_password');
    const { context, viewer, now } = ctx;
    const options: RunOptions = {
      ...{ status: input.status ?? 'publish', categories: input.categories ?? [], isTheirs: input.theirs ?? false },
      ...{ withMedia: input.media ?? false, table: input.rows ?? 'events', prefix: input.prefix ?? '' },
      ...{ columns: input.columns ?? null, hasAccount: password !== undefined, exceptSold: false },
    };
    if (options.columns) checkColumns(options.table, options.columns);
    const utc = toUtc(now);
    const run = await context.db.transaction(async (db) => {
      await checkRoom(db, { size: source.size, user: requesterOf(viewer).user_id, limit: context.config.importBytes });
      const made = await insertRun(db, {
        ...source,
        ...requesterOf(viewer),
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

/** Maximum number of unfinished imports, of one account and of all. */
const MAX_MINE = 10;
const MAX_OPEN = 30;
/** Room for uploaded files, as a number of files of the maximum size. */
const MAX_FILES = 5;

/** @throws {ApiError} import-too-many, import-no-room */
async function checkRoom(
  db: Database,
  { size, user, limit }: { size: number; user: number; limit: number },
): Promise<void> {
  await db.dialect.lock(db, 'import-room');
  const { mine, all, bytes } = await countOpen(db, user);
  if (mine >= MAX_MINE || all >= MAX_OPEN)
    throw new ApiError('import-too-many', { data: { limit: mine >= MAX_MINE ? MAX_MINE : MAX_OPEN } });
  if (size > 0 && bytes + size > MAX_FILES * limit)
    throw new ApiError('import-no-room', { data: { limit: MAX_FILES * limit, used: bytes } });
}

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
function siteOf({ kind, address }: SourceInput): Source {
  if (address === undefined || (kind !== 'wordpress' && kind !== 'ical'))
    throw new InvalidParams(new Map([[address === undefined ? 'file_name' : 'kind', { key: 'param.import_source' }]]));
  const stored = addressOf(() => (kind === 'ical' ? calendarAddress(address) : openSource({ address }).address));
  return { kind, state: 'planning', file_name: '', address: stored, size: 0 };
}
