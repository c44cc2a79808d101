import { z } from 'zod';
import { findEvent } from '../../calendar/events/store.ts';
import { clearable, integer, oneOf, plainLine } from '../../http/input/schemas.ts';
import { WHOLE } from '../../lib/money/rates.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { findPriceRecord, priceRecordEndpoints } from './price-records.ts';
import { mayReadPrices, mayWritePrices } from './tax-rates.ts';

/** Fees on orders and on their places: `/fees`. */

/** Audit of fees. */
export const auditedFee: AuditedKind = {
  name: 'fee',
  async snapshot(db, id) {
    const row = await findPriceRecord(db, 'fees', id);
    if (!row) return undefined;
    const { id: _id, revision, ...fields } = row;
    return { title: row.name, revision, fields };
  },
  restoring: { endpoint: 'fees.update' },
};

/** Greatest fixed fee, in minor units. */
const MAX_FIXED = 1_000_000_00;
const PER = ['order', 'ticket'] as const;

const feeSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    fixed: z.int().describe('In the smallest unit of the currency.'),
    rate: z.int().describe('Part of the prices of the places, in thousandths of a percent.'),
    per: z.enum(PER),
    event_id: z
      .int()
      .nullable()
      .describe('Event whose places it is charged on, without series passes; null for all places.'),
    tax_rate_id: z.int().nullable(),
    revision: z.int(),
  })
  .meta({ id: 'Fee', description: 'A fee on orders, or on each place.' });

const fields = {
  name: plainLine('Name on carts and orders.', { max: 100 }),
  fixed: integer('Fixed amount, in the smallest unit of the currency.', { max: MAX_FIXED }),
  rate: integer('Part of the prices of the places, in thousandths of a percent; 0 by default.', { max: WHOLE }),
  per: oneOf('Whether it is charged once for an order, or for each place that costs something.', PER),
  event_id: clearable(
    integer('Event whose places it is charged on, without series passes; by default all places.', { min: 1 }),
  ),
  tax_rate_id: clearable(integer('Tax on the fee; none by default.', { min: 1 })),
};

export const feeEndpoints = priceRecordEndpoints({
  table: 'fees',
  path: '/fees',
  nouns: { one: 'a fee', many: 'fees' },
  schema: feeSchema,
  components: { list: 'FeeList', create: 'FeeInput', change: 'FeeChange' },
  fields,
  required: ['name', 'per'],
  audited: auditedFee,
  notFound: 'fee-not-found',
  mayRead: mayReadPrices,
  mayWrite: mayWritePrices,
  async check({ event_id, tax_rate_id }, { context }, addProblem) {
    if (event_id && !(await findEvent(context.db, event_id))) addProblem('event_id', { key: 'param.event_unknown' });
    if (tax_rate_id && !(await findPriceRecord(context.db, 'tax_rates', tax_rate_id)))
      addProblem('tax_rate_id', { key: 'param.tax_rate_unknown' });
  },
  columns: ({ name, fixed, rate, per, event_id, tax_rate_id }, _ctx, current) => ({
    name: name ?? current?.name ?? '',
    fixed: fixed ?? current?.fixed ?? 0,
    rate: rate ?? current?.rate ?? 0,
    per: per ?? current?.per ?? 'order',
    event_id: event_id === undefined ? (current?.event_id ?? null) : event_id,
    tax_rate_id: tax_rate_id === undefined ? (current?.tax_rate_id ?? null) : tax_rate_id,
  }),
  view: (row) => row,
});
