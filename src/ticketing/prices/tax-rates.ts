import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import { ApiError } from '../../http/core/errors.ts';
import { boolean, integer, plainLine } from '../../http/input/schemas.ts';
import { WHOLE } from '../../lib/money/rates.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { findPriceRecord, priceRecordEndpoints } from './price-records.ts';

/** Tax rates of tickets and fees: `/tax-rates`. */

/** Audit of tax rates. */
export const auditedTaxRate: AuditedKind = {
  name: 'tax_rate',
  async snapshot(db, id) {
    const row = await findPriceRecord(db, 'tax_rates', id);
    if (!row) return undefined;
    const { name, rate, included, revision } = row;
    return { title: name, revision, fields: { name, rate, included: included === 1 } };
  },
  restoring: { endpoint: 'tax_rates.update' },
};

const taxRateSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    rate: z.int().describe('Thousandths of a percent: 19000 is 19 %.'),
    included: z.boolean().describe('Whether prices include the tax; otherwise it is added to them.'),
    revision: z.int(),
  })
  .meta({ id: 'TaxRate', description: 'A tax on tickets and fees.' });

/** Viewers who set the prices of any tickets choose among the rates. */
export const mayReadPrices = (viewer: Viewer): boolean => can(viewer, 'manage_own_tickets');
export const mayWritePrices = (viewer: Viewer): boolean => can(viewer, 'manage_site');

/**
 * Deleted tickets do not use a rate.
 * @throws {ApiError} tax-rate-in-use
 */
async function requireUnused(db: Database, { id }: { id: number }): Promise<void> {
  await db.query
    .updateTable('tickets')
    .set({ tax_rate_id: null })
    .where('tax_rate_id', '=', id)
    .where('is_deleted', '=', 1)
    .execute();
  const users = [
    db.query.selectFrom('tickets').select('id').where('tax_rate_id', '=', id).limit(1),
    db.query.selectFrom('fees').select('id').where('tax_rate_id', '=', id).limit(1),
  ];
  for (const user of users) if (await user.executeTakeFirst()) throw new ApiError('tax-rate-in-use');
}

export const taxRateEndpoints = priceRecordEndpoints({
  table: 'tax_rates',
  path: '/tax-rates',
  nouns: { one: 'a tax rate', many: 'tax rates' },
  schema: taxRateSchema,
  components: { list: 'TaxRateList', create: 'TaxRateInput', change: 'TaxRateChange' },
  fields: {
    name: plainLine('Name on carts and invoices.', { max: 100 }),
    rate: integer('Thousandths of a percent: 19000 is 19 %, 8875 is 8.875 %.', { max: WHOLE }),
    included: boolean('Whether prices include the tax; otherwise it is added to them.'),
  },
  required: ['name', 'rate', 'included'],
  audited: auditedTaxRate,
  notFound: 'tax-rate-not-found',
  deleteErrors: ['tax-rate-in-use'],
  mayRead: mayReadPrices,
  mayWrite: mayWritePrices,
  columns: ({ name, rate, included }, _ctx, current) => ({
    name: name ?? current?.name ?? '',
    rate: rate ?? current?.rate ?? 0,
    included: (included ?? current?.included === 1) ? (1 as const) : (0 as const),
  }),
  beforeDelete: requireUnused,
  view: ({ included, ...row }) => ({ ...row, included: included === 1 }),
});
