import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { eventScope, hasEventRights } from '../../http/core/auth.ts';
import { endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { utcRange } from '../../lib/dates/periods.ts';
import type { Money } from '../../lib/money/money.ts';
import { byKey } from '../../lib/text/list.ts';
import { type MoneyRow, readMoneyRows } from '../books/money-rows.ts';
import { addUp, amountsOf, amountsSchema } from './amounts.ts';
import { checkLength, daysOf, moneyFields } from './scope.ts';

/** Report on money: by payment method, with fees and taxes. */

const moneyFigures = {
  payments: z.int().describe('Number of payments.'),
  received: amountsSchema,
  lost: amountsSchema.describe('Taken back by banks after disputes, without money given back before.'),
  refunds: z.int().describe('Number of refunds.'),
  refunded: amountsSchema,
  service_fees: amountsSchema.describe('Fees that the payment service keeps, as far as they are known.'),
};

const moneySchema = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    timezone: z.string(),
    totals: z.object(moneyFigures),
    methods: z
      .array(z.object({ method: z.string(), gateway: z.string(), ...moneyFigures }))
      .describe('By payment method, and by the payment service or the means by which it was paid or given back.'),
    fees: z
      .array(z.object({ title: z.string(), amounts: amountsSchema }))
      .describe('Own fees in the money received, less the fees in money given back or lost.'),
    taxes: z
      .array(
        z.object({
          rate: z.int().describe('Thousandths of a percent; 0 for untaxed money.'),
          gross: amountsSchema.describe('Received, less given back and lost, tax included.'),
          tax: amountsSchema,
        }),
      )
      .describe('By rate, highest first. A part of an order has the same part of its taxes.'),
  })
  .meta({
    id: 'MoneyReport',
    description:
      'Payments of a range of days, refunds that were requested in it, and money that banks took back in it.',
  });

/** Rows that are read at once: more than a file needs, because they are only added up. */
const ROWS_PER_SUM = 1000;

/** Figures of some payments, refunds and losses, while they are added up. */
interface Sums {
  payments: number;
  refunds: number;
  received: Money[];
  lost: Money[];
  refunded: Money[];
  service_fees: Money[];
}

const noSums = (): Sums => ({ payments: 0, refunds: 0, received: [], lost: [], refunded: [], service_fees: [] });

/** Everything that the report adds up. */
interface Totals {
  all: Sums;
  /** By payment method and gateway. */
  methods: Map<string, Sums & { method: string; gateway: string }>;
  /** By the title of an own fee. */
  fees: Map<string, Money[]>;
  /** By tax rate. */
  gross: Map<number, Money[]>;
  taxes: Map<number, Money[]>;
}

async function readTotals(
  { context, viewer }: RequestContext,
  period: ReturnType<typeof utcRange> & { event: number | undefined },
): Promise<Totals> {
  const totals: Totals = {
    all: noSums(),
    methods: new Map(),
    fees: new Map(),
    gross: new Map(),
    taxes: new Map(),
  };
  const filter = { ...period, scope: eventScope(viewer, 'read_orders') };
  for await (const rows of readMoneyRows(context.db, filter, ROWS_PER_SUM)) {
    for (const row of rows) addToTotals(totals, row);
    // Lets other requests run.
    await turn();
  }
  return totals;
}

function addToTotals({ all, methods, fees, gross, taxes }: Totals, row: MoneyRow): void {
  const { method, gateway, currency } = row;
  const key = `${method} ${gateway}`;
  const own = methods.get(key) ?? { ...noSums(), method, gateway };
  methods.set(key, own);
  for (const sums of [all, own]) addRow(sums, row);
  const sign = row.kind === 'payment' ? 1 : -1;
  for (const share of row.shares) {
    if (share.fee !== '') addTo(fees, share.fee, { currency, amount: sign * share.gross });
    addTo(gross, share.rate, { currency, amount: sign * share.gross });
    addTo(taxes, share.rate, { currency, amount: sign * share.tax });
  }
}

function addRow(sums: Sums, { kind, currency, amount, fee }: MoneyRow): void {
  const add = (name: 'received' | 'lost' | 'refunded' | 'service_fees', minor: number) => {
    sums[name] = addUp([...sums[name], { currency, amount: minor }]);
  };
  if (kind === 'lost') {
    add('lost', amount);
    return;
  }
  if (kind === 'refund') {
    sums.refunds += 1;
    add('refunded', amount);
    return;
  }
  sums.payments += 1;
  add('received', amount);
  if (fee !== null && fee > 0) add('service_fees', fee);
}

const figuresOf = (sums: Sums, ctx: RequestContext) => ({
  payments: sums.payments,
  received: amountsOf(sums.received, ctx),
  lost: amountsOf(sums.lost, ctx),
  refunds: sums.refunds,
  refunded: amountsOf(sums.refunded, ctx),
  service_fees: amountsOf(sums.service_fees, ctx),
});

/** Adds an amount to a list of sums by key. */
function addTo<Key>(sums: Map<Key, Money[]>, key: Key, money: Money): void {
  sums.set(key, addUp([...(sums.get(key) ?? []), money]));
}

export const moneyEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/reports/money',
  name: 'reports.money',
  summary: 'Read the money that was received, given back and lost',
  description:
    'By payment method, with the fees of the payment service, own fees and taxes by rate. Orders with tickets of several events count in full for each. Authors see the orders with tickets of their own events only.',
  input: moneyFields,
  responses: { 200: moneySchema },
  errors: ['rest_forbidden'],
  may: (viewer) => hasEventRights(viewer, 'read_orders'),
  async handle(ctx, { event, ...asked }) {
    const { timezone } = ctx.context.config;
    const days = daysOf(asked, ctx);
    checkLength('day', days);
    const { all, methods, fees, gross, taxes } = await readTotals(ctx, {
      ...utcRange(days.from, days.to, timezone),
      event,
    });
    const body = {
      ...days,
      timezone,
      totals: figuresOf(all, ctx),
      methods: [...methods]
        .toSorted(byKey)
        .map(([, { method, gateway, ...sums }]) => ({ method, gateway, ...figuresOf(sums, ctx) })),
      fees: [...fees].toSorted(byKey).map(([title, sums]) => ({ title, amounts: amountsOf(sums, ctx) })),
      taxes: [...gross.keys()]
        .toSorted((one, other) => other - one)
        .map((rate) => ({
          rate,
          gross: amountsOf(gross.get(rate) ?? [], ctx),
          tax: amountsOf(taxes.get(rate) ?? [], ctx),
        })),
    };
    return ok(body, PRIVATE_NO_STORE);
  },
});
