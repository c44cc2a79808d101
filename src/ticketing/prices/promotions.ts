import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { findEvent } from '../../calendar/events/store.ts';
import type { Database } from '../../db/database.ts';
import type { PromotionsTable } from '../../db/tables/price.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { resolveUtcParam } from '../../http/input/date-param.ts';
import { alsoAs, clearable, date, ids, integer, oneOf, plainLine } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { WHOLE } from '../../lib/money/rates.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { findPriceRecord, priceRecordEndpoints } from './price-records.ts';
import { codeKey, MAX_CODE } from './promotion-rules.ts';
import { findPromotionByKey } from './promotion-uses.ts';

/** Promotion codes: `/promotions`. */

type Row = Selectable<PromotionsTable>;

// Only `columnsOf` writes the column.
const readTicketIds = (text: string): number[] => JSON.parse(text) as number[];

/** Audit of promotion codes. */
export const auditedPromotion: AuditedKind = {
  name: 'promotion',
  async snapshot(db, id) {
    const row = await findPriceRecord(db, 'promotions', id);
    if (!row) return undefined;
    const { id: _id, revision, code_key: _key, used: _used, created_utc: _created, ticket_ids, ...fields } = row;
    return { title: row.code, revision, fields: { ...fields, ticket_ids: readTicketIds(ticket_ids) } };
  },
  restoring: { endpoint: 'promotions.update' },
};

const KINDS = ['percent', 'amount', 'price', 'access'] as const;
const MAX_VALUE = 1_000_000_000_00;
const MAX_COUNT = 1_000_000_000;

const promotionSchema = z
  .object({
    id: z.int(),
    code: z.string(),
    kind: z.enum(KINDS),
    value: z.int(),
    ticket_ids: z.array(z.int()).describe('Ids of its tickets, and `pass.id` of its series passes. Empty for all.'),
    event_id: z.int().nullable().describe('Event of its tickets; null for all tickets, including series passes.'),
    from_utc: utcTime.nullable().describe('When it begins; null for at once.'),
    until_utc: utcTime.nullable().describe('When it ends; null for never.'),
    max_uses: z.int().nullable().describe('Maximum number of orders; null for any.'),
    used: z.int().describe('Number of orders that have used it.'),
    max_per_buyer: z.int().nullable().describe('Maximum number of orders of one e-mail address; null for any.'),
    minimum: z.int(),
    revision: z.int(),
  })
  .meta({
    id: 'Promotion',
    description: 'A promotion code, which reduces the prices of an order or opens hidden tickets.',
  });

const count = (description: string) => clearable(integer(description, { min: 1, max: MAX_COUNT }));

const fields = {
  code: plainLine('Code that customers enter, in any letter case and with any spaces.', { max: MAX_CODE }),
  kind: oneOf(
    '`percent` off each place, an `amount` off the order, divided among its places, a `price` for each place that costs more, or `access` to hidden tickets at their prices.',
    KINDS,
  ),
  value: integer(
    'Thousandths of a percent for `percent`, 0 for `access`, otherwise in the smallest unit of the currency.',
    { max: MAX_VALUE },
  ),
  ticket_ids: alsoAs(
    clearable(
      ids(
        'Only for these tickets and their series passes; by default, and if empty, for all. Opens the hidden ones among them.',
      ),
    ),
    { convert: (value) => (Array.isArray(value) && value.length === 0 ? null : value) },
  ),
  event_id: clearable(
    integer('Only for tickets of this event, not for series passes unless `ticket_ids` has them.', { min: 1 }),
  ),
  from_utc: clearable(date('When it begins, UTC; by default at once.')),
  until_utc: clearable(date('When it ends, UTC; by default never.')),
  max_uses: count('Maximum number of orders; by default any.'),
  max_per_buyer: count('Maximum number of orders of one e-mail address; by default any.'),
  minimum: integer('List price of its tickets that an order must reach, in the smallest unit; 0 by default.', {
    max: MAX_VALUE,
  }),
};

const mayManage = (viewer: Viewer): boolean => can(viewer, 'manage_tickets');

type Sensible = Pick<Row, 'kind' | 'value' | 'from_utc' | 'until_utc' | 'ticket_ids' | 'event_id'>;

/** Refuses a percentage over 100, an empty window, and access to all hidden tickets. */
function requireSense({ kind, value, from_utc, until_utc, ticket_ids, event_id }: Sensible) {
  if (kind === 'access' && ticket_ids === '[]' && event_id === null)
    throw invalidParam('ticket_ids', 'param.access_named');
  if (kind === 'percent' && value > WHOLE) throw invalidParam('value', 'param.integer');
  if (until_utc !== '' && until_utc <= from_utc) throw invalidParam('until_utc', 'param.ends_early');
}

/** @throws {ApiError} promotion-exists */
async function requireNewCode(db: Database, { code_key }: Pick<Row, 'code_key'>, current?: Row): Promise<void> {
  const other = await findPromotionByKey(db, code_key);
  if (other && other.id !== current?.id) throw new ApiError('promotion-exists');
}

/** Ids of existing tickets, with those of their series passes. */
async function findTicketKeys({ query }: Database, ids: ReadonlySet<number>) {
  if (ids.size === 0) return [];
  return query
    .selectFrom('tickets')
    .select(['id', 'pass_id'])
    .where('id', 'in', [...ids])
    .execute();
}

export const promotionEndpoints = priceRecordEndpoints({
  table: 'promotions',
  path: '/promotions',
  nouns: { one: 'a promotion code', many: 'promotion codes' },
  schema: promotionSchema,
  components: { list: 'PromotionList', create: 'PromotionInput', change: 'PromotionChange' },
  fields,
  required: ['code', 'kind', 'value'],
  audited: auditedPromotion,
  notFound: 'promotion-not-found',
  search: {
    description: 'Only codes that contain this text, in any letter case and with any spaces.',
    conditionFor: ({ dialect }, search) => dialect.contains(sql.ref('code_key'), codeKey(search)),
  },
  writeErrors: ['promotion-exists'],
  mayRead: mayManage,
  mayWrite: mayManage,
  async check({ code, event_id, ticket_ids }, { context }, addProblem) {
    if (code !== undefined && codeKey(code) === '') addProblem('code', { key: 'param.filled_text' });
    if (event_id && !(await findEvent(context.db, event_id))) addProblem('event_id', { key: 'param.event_unknown' });
    const wanted = new Set(ticket_ids ?? []);
    if ((await findTicketKeys(context.db, wanted)).length < wanted.size)
      addProblem('ticket_ids', { key: 'param.ticket_unknown' });
  },
  columns(sent, { now }, current) {
    const code = sent.code ?? current?.code ?? '';
    const kind = sent.kind ?? current?.kind ?? 'percent';
    const time = (name: 'from_utc' | 'until_utc'): string => {
      const given = sent[name];
      if (given === undefined) return current?.[name] ?? '';
      return given === null ? '' : resolveUtcParam(name, given, now);
    };
    const kept = <K extends 'event_id' | 'max_uses' | 'max_per_buyer'>(name: K): number | null =>
      sent[name] === undefined ? (current?.[name] ?? null) : sent[name];
    const columns = {
      code,
      code_key: codeKey(code),
      kind,
      value: kind === 'access' ? 0 : (sent.value ?? current?.value ?? 0),
      ticket_ids: sent.ticket_ids === undefined ? (current?.ticket_ids ?? '[]') : JSON.stringify(sent.ticket_ids ?? []),
      event_id: kept('event_id'),
      from_utc: time('from_utc'),
      until_utc: time('until_utc'),
      max_uses: kept('max_uses'),
      max_per_buyer: kept('max_per_buyer'),
      minimum: sent.minimum ?? current?.minimum ?? 0,
      created_utc: current?.created_utc ?? toUtc(now),
    };
    requireSense(columns);
    return columns;
  },
  async beforeWrite(db, columns, current) {
    await requireNewCode(db, columns, current);
    const ids = new Set(readTicketIds(columns.ticket_ids));
    const passes = new Map((await findTicketKeys(db, ids)).map(({ id, pass_id }) => [id, pass_id]));
    // Ids of deleted tickets stay: without any id, the code would be for all tickets.
    const keys = [...ids].map((id) => passes.get(id) ?? id).sort((a, b) => a - b);
    return { ...columns, ticket_ids: JSON.stringify([...new Set(keys)]) };
  },
  // Locks carts and orders before the promotion, as sales do.
  async beforeDelete({ query }, { id }) {
    await query.updateTable('carts').set({ promotion_id: null }).where('promotion_id', '=', id).execute();
    await query.updateTable('orders').set({ promotion_id: null }).where('promotion_id', '=', id).execute();
    await query.deleteFrom('promotion_uses').where('promotion_id', '=', id).execute();
  },
  view: ({ code_key: _key, created_utc: _created, ticket_ids, from_utc, until_utc, ...row }) => ({
    ...row,
    ticket_ids: readTicketIds(ticket_ids),
    from_utc: from_utc || null,
    until_utc: until_utc || null,
  }),
});
