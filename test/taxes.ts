import { bodyOf, findInvoicesOfOrder } from '../src/ticketing/ledger/invoices.ts';
import { findChargesOfOrder } from '../src/ticketing/ledger/payments.ts';
import { findItems, findOrder } from '../src/ticketing/orders/store.ts';
import type { TestServer } from './server.ts';

type Taxes = [rate: number, tax: number][];

/** Taxes by rate: those on the invoices and credit notes of an order, and those of its price or its kept money. */
export async function taxesOfOrder({ context: { db } }: Pick<TestServer, 'context'>, orderId: number) {
  const order = await findOrder(db, orderId);
  const charges = await findChargesOfOrder(db, orderId);
  const lines =
    order?.status === 'completed'
      ? [...(await findItems(db, orderId)), ...charges]
      : charges.filter(({ kind }) => kind === 'kept');
  const stated = (await findInvoicesOfOrder(db, orderId)).flatMap((document) =>
    bodyOf(document).taxes.map(({ rate, tax }) => ({ tax_rate: rate, tax: document.kind === 'credit' ? -tax : tax })),
  );
  return { stated: sumsOf(stated), due: sumsOf(lines) };
}

const sumsOf = (parts: readonly { tax_rate: number; tax: number }[]): Taxes =>
  [...Map.groupBy(parts, ({ tax_rate }) => tax_rate)]
    .map(([rate, same]): Taxes[number] => [rate, same.reduce((sum, { tax }) => sum + tax, 0)])
    .filter(([, tax]) => tax !== 0)
    .sort(([one], [other]) => other - one);
