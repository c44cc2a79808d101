import { type ExpressionBuilder, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import type { EventScope } from '../../http/core/auth.ts';
import type { Invoice } from '../ledger/invoices.ts';
import { orderConditionsOf } from '../orders/order-scope.ts';

/** Filters of a list of invoices: absent members do not restrict. */
export interface InvoiceFilter {
  kind?: Invoice['kind'];
  order?: number;
  /** UTC, both included. */
  after?: string;
  before?: string;
  /** Invoices of orders whose tickets and attendees all belong to these events. */
  within: EventScope;
}

const matching = ({ query }: Database, { kind, order, after, before, within }: InvoiceFilter) =>
  query
    .selectFrom('invoices')
    .where((eb: ExpressionBuilder<Tables, 'invoices'>) =>
      eb.and([
        ...(kind === undefined ? [] : [eb('kind', '=', kind)]),
        ...(order === undefined ? [] : [eb('order_id', '=', order)]),
        ...(after === undefined ? [] : [eb('issued_utc', '>=', after)]),
        ...(before === undefined ? [] : [eb('issued_utc', '<=', before)]),
        ...orderConditionsOf(within, sql.ref('invoices.order_id')),
      ]),
    );

/** The matching invoices, latest first, and their total. */
export async function listInvoices(
  db: Database,
  filter: InvoiceFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ invoices: Invoice[]; total: number }> {
  const found = matching(db, filter);
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const invoices = await found
    .selectAll()
    .orderBy('issued_utc', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { invoices, total: Number(total) };
}

/** The matching invoices after an id, by id. */
export const findInvoicesAfter = (
  db: Database,
  filter: InvoiceFilter,
  { after, limit }: { after: number; limit: number },
): Promise<Invoice[]> => matching(db, filter).where('id', '>', after).selectAll().orderBy('id').limit(limit).execute();

export const findInvoice = (db: Database, id: number): Promise<Invoice | undefined> =>
  db.query.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirst();
