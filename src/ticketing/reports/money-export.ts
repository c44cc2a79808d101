import type { Context } from '../../base/context.ts';
import { eventScope, hasEventRights } from '../../http/core/auth.ts';
import { endpoint, type InputOf } from '../../http/core/endpoint.ts';
import { type Columns, csvFields, csvResponse } from '../../http/output/csv-response.ts';
import { csvText } from '../../http/output/output.ts';
import { utcToLocal } from '../../lib/dates/dates.ts';
import { utcRange } from '../../lib/dates/periods.ts';
import { unitsOf } from '../../lib/money/money.ts';
import { formatRate } from '../../lib/money/rates.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { type MoneyRow, readMoneyRows } from '../books/money-rows.ts';
import { daysOf, moneyFields } from './scope.ts';

/** Export of payments, refunds and losses for bookkeepers. */

interface ExportedRow extends MoneyRow {
  /** Time in the time zone of the site. */
  date: string;
}

/** An amount in units of its currency, as spreadsheets add it up: negative unless it was received. */
function inUnits({ kind, currency }: MoneyRow, minor: number | null): number | null {
  if (minor === null || minor === 0) return minor;
  return unitsOf({ amount: kind === 'payment' ? minor : -minor, currency });
}

const taxOf = ({ shares }: MoneyRow): number => shares.reduce((sum, { tax }) => sum + tax, 0);

/** Taxes by rate, such as `19%: 3.19; 7%: 0.65`. */
function taxesOf(row: MoneyRow): string {
  const rates = Map.groupBy(
    row.shares.filter(({ rate }) => rate > 0),
    ({ rate }) => rate,
  );
  return [...rates]
    .sort(([one], [other]) => other - one)
    .map(([rate, shares]) => `${formatRate(rate, 'en')}: ${inUnits(row, taxOf({ ...row, shares }))}`)
    .join('; ');
}

const COLUMNS = {
  date: { heading: 'column.date', cell: ({ date }) => date },
  kind: { heading: 'column.kind', cell: ({ kind }) => kind },
  number: { heading: 'column.number', cell: ({ order_id }) => orderNumber(order_id) },
  method: { heading: 'column.gateway', cell: ({ method }) => method },
  gateway: { heading: 'column.service', cell: ({ gateway }) => gateway },
  reference: { heading: 'column.reference', cell: ({ reference }) => reference },
  currency: { heading: 'column.currency', cell: ({ currency }) => currency },
  amount: { heading: 'column.amount', cell: (row) => inUnits(row, row.amount) },
  fee: { heading: 'column.fee', cell: (row) => inUnits(row, row.fee) },
  tax: { heading: 'column.tax', cell: (row) => inUnits(row, taxOf(row)) },
  taxes: { heading: 'column.taxes', cell: taxesOf },
  refunded: { heading: 'column.refunded', cell: (row) => (row.kind === 'payment' ? inUnits(row, row.refunded) : null) },
  status: { heading: 'column.status', cell: ({ status }) => status },
} as const satisfies Columns<string, ExportedRow>;

const exportFields = { ...moneyFields, ...csvFields(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) };

export const moneyExportEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/payments/export',
  name: 'payments.export',
  summary: 'Export payments, refunds and losses as CSV',
  description:
    'For bookkeepers: one row for each payment of the period, with the tax of its part of the order, then, with negative amounts, one for each refund and one of the kind `lost` for each payment that a bank took back. Authors get the orders with tickets of their own events only.',
  input: exportFields,
  responses: { 200: csvText },
  media: ['text/csv'],
  responseHeaders: ['Content-Disposition'],
  isStreamed: true,
  errors: ['rest_forbidden'],
  may: (viewer) => hasEventRights(viewer, 'read_orders'),
  async handle(ctx, { fields, bom, format: _format, event, from, to }: Partial<InputOf<typeof exportFields>>) {
    const { db, config } = ctx.context;
    const days = daysOf({ from, to }, ctx);
    const period = utcRange(days.from, days.to, config.timezone);
    const filter = { ...period, event, scope: eventScope(ctx.viewer, 'read_orders') };
    return csvResponse(ctx, {
      ...{ name: 'payments', columns: COLUMNS, fields, bom },
      parts: async function* () {
        for await (const rows of readMoneyRows(db, filter)) yield rows.map((row) => withDate(row, ctx.context));
      },
    });
  },
});

const withDate = (row: MoneyRow, { config }: Context): ExportedRow => ({
  ...row,
  date: utcToLocal(row.date_utc, config.timezone),
});
