import { AUDIT_ACTIONS } from '../../db/tables/platform.ts';
import { can } from '../../http/core/auth.ts';
import { type AnyEndpoint, assertFound, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { resolveEndParamIn, resolveParamIn } from '../../http/input/date-param.ts';
import { boolean, date, integer, oneOf, searchText } from '../../http/input/schemas.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { AUDIT_KINDS } from '../../lib/audit-kinds.ts';
import { addSeconds, type DateExpression, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { searchWords } from '../../lib/text/text.ts';
import type { AuditedKind } from './kind.ts';
import { type Restorable, restore, restoredSchema, showRestorable } from './restore.ts';
import { type AuditFilter, type AuditRow, findRow, listRows } from './store.ts';
import { entrySchema, fullEntrySchema, renderEntry, renderFullEntry } from './view.ts';

/** The audited kinds, and the endpoints that change records, by name. Passed in, because both import this module. */
interface Audited {
  kinds: readonly AuditedKind[];
  endpointOf(name: string): AnyEndpoint | undefined;
}

/** Default period of the list, in seconds. */
const DEFAULT_PERIOD = 30 * 24 * 60 * 60;

/** Administrators see the whole log, other users the history of records that they may change. */
async function maySee(
  { kinds }: Audited,
  { kind, id }: { kind?: string; id?: number },
  ctx: RequestContext,
): Promise<boolean> {
  if (can(ctx.viewer, 'manage_site')) return true;
  if (!ctx.viewer.account || id === undefined) return false;
  return (await kinds.find(({ name }) => name === kind)?.mayChange?.(ctx, id)) ?? false;
}

const list = (audited: Audited) =>
  endpoint({
    namespace: 'admin',
    methods: ['GET'],
    path: '/audit',
    name: 'audit.list',
    summary: 'List changes of records',
    description:
      'Latest first; without parameters, the last 30 days. `total` is at most 10,000; use `to` to read further. Administrators see everything. Others must name a record that they may change by `kind` and `id`.',
    input: {
      ...pageFields,
      kind: oneOf('Only records of this kind.', AUDIT_KINDS),
      id: integer('Only the record with this id; requires `kind`. The site has the id 1.', { min: 1 }),
      user: integer('Only changes by this account.', { min: 1 }),
      action: oneOf('Only this action.', AUDIT_ACTIONS),
      search: searchText(
        'Words that must each be part of the name of the record or of the account that changed it; accounts are found by their present names.',
      ),
      from: date(
        'Start of the period, in the time zone of the site unless it names one; by default 30 days ago, or unlimited if `id` names a record.',
      ),
      to: date(
        'End of the period. A day without a time is included whole. In the time zone of the site unless it names one.',
      ),
    },
    responses: { 200: listSchema('audit', entrySchema, 'AuditList') },
    responseHeaders: LIST_HEADERS,
    errors: ['rest_forbidden'],
    async find({ kind, id }, ctx, addProblem) {
      if (id !== undefined && kind === undefined)
        addProblem('kind', { key: 'param.one_of', values: { allowed: AUDIT_KINDS.join(', ') } });
      return { isVisible: await maySee(audited, { kind, id }, ctx) };
    },
    may: (viewer, target) => target?.isVisible ?? can(viewer, 'manage_site'),
    async handle(ctx, input) {
      const { context, urls } = ctx;
      const page = pageOf(input, context.config.perPage);
      const filter = filterOf(input, ctx);
      const { rows, total } = await listRows(context.db, filter, { limit: page.perPage, offset: page.offset });
      const { kind, id, user, action, search } = input;
      return listResponse({
        key: 'audit',
        items: rows.map((row) => renderEntry(row, ctx)),
        total,
        page,
        url: urls.rest('admin', '/audit'),
        params: {
          ...{ per_page: page.perPage, kind, id, user, action, search },
          ...{ from: instant(filter.from), to: instant(filter.to) },
        },
      });
    },
  });

interface ListInput {
  kind?: (typeof AUDIT_KINDS)[number];
  id?: number;
  user?: number;
  action?: (typeof AUDIT_ACTIONS)[number];
  search?: string;
  from?: DateExpression;
  to?: DateExpression;
}

function filterOf(input: ListInput, { context, now }: RequestContext): AuditFilter {
  const { kind, id, user, action, search = '', from, to } = input;
  const clock = { zone: context.config.timezone, now };
  const first = id === undefined ? addSeconds(toUtc(now), -DEFAULT_PERIOD) : undefined;
  return {
    kind,
    recordId: id,
    userId: user,
    action,
    words: searchWords(search, String),
    from: from ? resolveParamIn('from', from, clock) : first,
    to: to && resolveEndParamIn('to', to, clock),
  };
}

/** A UTC time for links, with its zone: without it, the time would be read in the time zone of the site. */
const instant = (utc: LocalTime | undefined): string | undefined => utc && `${utc.replace(' ', 'T')}Z`;

interface Target {
  row?: AuditRow;
  isVisible: boolean;
}

const entryId = integer('Id of the entry.', { min: 1 });

const finderOf =
  (audited: Audited) =>
  async ({ id }: { id?: number }, ctx: RequestContext): Promise<Target> => {
    const row = id === undefined ? undefined : await findRow(ctx.context.db, id);
    return { row, isVisible: await maySee(audited, { kind: row?.kind, id: row?.record_id }, ctx) };
  };

const mayRead = (_viewer: unknown, target: Target | undefined): boolean => target?.isVisible ?? false;

/** @throws {ApiError} audit-entry-not-found, for administrators only */
function getRow({ row }: Target): AuditRow {
  if (!row) throw new ApiError('audit-entry-not-found');
  return row;
}

function restorableOf({ kinds, endpointOf }: Audited, target: Target): Restorable {
  const row = getRow(target);
  const restoring = kinds.find(({ name }) => name === row.kind)?.restoring;
  return { row, restoring, endpoint: restoring && assertFound(endpointOf(restoring.endpoint)) };
}

const read = (audited: Audited) =>
  endpoint({
    namespace: 'admin',
    methods: ['GET'],
    path: '/audit/{id}',
    name: 'audit.read',
    summary: 'Read a change',
    description: 'With the values before and after, and the fields that a restore would not change.',
    input: { id: entryId },
    required: ['id'],
    responses: { 200: fullEntrySchema },
    errors: ['rest_forbidden', 'audit-entry-not-found'],
    find: finderOf(audited),
    may: mayRead,
    handle: async (ctx, _input, target) => ok(renderFullEntry(restorableOf(audited, target), ctx)),
  });

const restoreEntry = (audited: Audited) =>
  endpoint({
    namespace: 'admin',
    methods: ['POST'],
    path: '/audit/{id}/restore',
    name: 'audit.restore',
    summary: 'Restore a record to its state before a change',
    description:
      'Works like a manual change of the record, with the same rights and rules. If the record has been edited since, the response is 412 unless `force` or `If-Match` allows it. `not_restored` lists the fields that cannot be restored.',
    input: {
      id: entryId,
      force: boolean('Restore even if the record has been edited since; only the fields of this change are restored.'),
    },
    required: ['id'],
    responses: { 200: restoredSchema },
    errors: ['rest_forbidden', 'audit-entry-not-found', 'audit-not-restorable', 'edit-conflict'],
    find: finderOf(audited),
    may: mayRead,
    async handle(ctx, { force = false }, target) {
      return ok(await restore(ctx, restorableOf(audited, target), { isForced: force }));
    },
    showCurrent: (ctx, _input, target) => showRestorable(ctx, restorableOf(audited, target)),
  });

export const auditEndpoints = (audited: Audited): AnyEndpoint[] => [
  list(audited),
  read(audited),
  restoreEntry(audited),
];
