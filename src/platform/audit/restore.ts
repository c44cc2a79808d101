import { z } from 'zod';
import type { AnyEndpoint, HandlerContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { callEndpoint, type SentParams, showRecord } from '../../http/pipeline/call.ts';
import type { Change } from './changes.ts';
import type { RestoreMethod, Values } from './kind.ts';
import type { AuditRow } from './store.ts';

const REASONS = ['personal', 'secret', 'long', 'deleted', 'created', 'read-only'] as const;
type Reason = (typeof REASONS)[number];

/** A changed field that is not restored. */
export const notRestoredSchema = z.object({
  field: z.string(),
  language: z.string().optional(),
  reason: z
    .enum(REASONS)
    .describe(
      'The log has no values of personal data, secrets and long texts; a deleted record is not created again, ' +
        'a created one is not deleted; files, money and places are changed by other endpoints.',
    ),
});

export const restoredSchema = z
  .object({
    restored: z.array(z.object({ field: z.string(), language: z.string().optional() })),
    not_restored: z.array(notRestoredSchema),
    record: z.unknown().describe('The record, as in the response of the endpoint that changes it.'),
  })
  .meta({ id: 'Restored', description: 'Result of restoring an entry of the audit log.' });

/** A row of the log, and the endpoint that restores its record. */
export interface Restorable {
  row: AuditRow;
  restoring?: RestoreMethod;
  endpoint?: AnyEndpoint;
}

const changesOf = ({ changes }: AuditRow): Change[] => JSON.parse(changes) as Change[];

function reasonAgainst(change: Change, { row, endpoint }: Restorable): Reason | undefined {
  if (row.action === 'created' || row.action === 'deleted') return row.action;
  if (change.hidden) return change.hidden;
  if (change.shortened) return 'long';
  return isWritable(change.field, endpoint) ? undefined : 'read-only';
}

/** Members of the object `ticket` that count as fields. */
const TICKET_MEMBERS = ['mode', 'capacity', 'event_capacity', 'not_going', 'sale_price'];
const isWritable = (field: string, endpoint: AnyEndpoint | undefined): boolean =>
  endpoint !== undefined &&
  (Object.hasOwn(endpoint.input, field) ||
    (Object.hasOwn(endpoint.input, 'ticket') && TICKET_MEMBERS.some((name) => field.startsWith(name))));

/** The fields that a restore does not change, with the reasons. */
export const notRestorable = (target: Restorable): z.output<typeof notRestoredSchema>[] =>
  changesOf(target.row).flatMap((change) => {
    const reason = reasonAgainst(change, target);
    return reason ? [{ ...named(change), reason }] : [];
  });

const named = ({ field, language }: Change) => ({ field, ...(language !== undefined && { language }) });

/**
 * Restores the fields of a record to their values before a change, in one transaction, through the endpoint that
 * changes such records, so that its rules and rights apply. Texts are written language by language.
 * @throws {ApiError} audit-not-restorable
 */
export async function restore(ctx: HandlerContext, target: Restorable, { isForced }: { isForced: boolean }) {
  const not_restored = notRestorable(target);
  const possible = changesOf(target.row).filter((change) => !reasonAgainst(change, target));
  const { endpoint } = target;
  if (!endpoint || possible.length === 0) throw new ApiError('audit-not-restorable', { data: { not_restored } });
  const record = await ctx.context.db.transaction(async (db) => {
    let expectedRevisions = expected(ctx, target.row, isForced);
    let body: unknown;
    for (const [language, changes] of Map.groupBy(possible, (change) => change.language)) {
      const inside = { ...inLanguage(ctx, language), context: { ...ctx.context, db }, expectedRevisions };
      body = (await callEndpoint(endpoint, inside, await paramsOf(inside, target, valuesOf(changes)))).body;
      // The first write has incremented the revision and locked the record.
      expectedRevisions = undefined;
    }
    return body;
  });
  return { restored: possible.map(named), not_restored, record };
}

/** The current record, for the response to a restore that a later edit prevents. */
export async function showRestorable(ctx: HandlerContext, { row, endpoint }: Restorable): Promise<unknown> {
  return endpoint && showRecord(endpoint, ctx, { ...idOf(row, endpoint) });
}

/** Without `If-Match`, the revision after the change, so that a restore never overwrites later edits. */
function expected(ctx: HandlerContext, { revision }: AuditRow, isForced: boolean): readonly number[] | undefined {
  if (isForced || ctx.header('if-match') !== undefined) return ctx.expectedRevisions;
  return revision === null ? undefined : [revision];
}

/** Writes the first language if the change names none. */
function inLanguage(ctx: HandlerContext, language = ctx.context.config.languages[0] ?? ctx.language): HandlerContext {
  return { ...ctx, askedLanguage: language, language };
}

const valuesOf = (changes: readonly Change[]): Values =>
  Object.fromEntries(changes.map(({ field, before }) => [field, before ?? null]));

const idOf = ({ record_id }: AuditRow, { path }: AnyEndpoint): SentParams =>
  path.includes('{id}') ? { id: record_id } : {};

async function paramsOf(
  ctx: HandlerContext,
  { row, restoring, endpoint }: Restorable,
  values: Values,
): Promise<SentParams> {
  const params = restoring?.paramsOf ? await restoring.paramsOf(ctx, row.record_id, values) : values;
  return { ...params, ...(endpoint && idOf(row, endpoint)) };
}
