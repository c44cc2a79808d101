import { useQuery } from '@tanstack/react-query';
import type { FullOrder, ListedInvoice } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useRight, useSite } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { MANAGES_ATTENDEES } from '../../data/rights.ts';
import { money, when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { useMoneyAction } from './order-action.ts';
import { t } from './routes.ts';

/** More than any order has. */
const MOST = 100;

/** Name of an invoice or a credit note. */
export const invoiceName = ({ kind, number }: Pick<ListedInvoice, 'kind' | 'number'>): string =>
  t(`invoice.${kind}`, { number });

/** Amount of an invoice; credit notes take away. */
export const invoiceSum = ({ kind, total, currency }: ListedInvoice): string =>
  money(kind === 'credit' ? -total.minor : total.minor, currency);

/** Invoices and credit notes of an order, with the pages on which its customer prints them. */
export function Invoices({ order }: { order: FullOrder }) {
  return useRight(...MANAGES_ATTENDEES) ? <OwnInvoices order={order} /> : null;
}

function OwnInvoices({ order }: { order: FullOrder }) {
  const { id, status, total, url } = order;
  const { invoices: areIssued } = useSite();
  // A job issues them soon after a change of the order.
  const { data } = useQuery({ ...read('GET /admin/v1/invoices', { order: id, per_page: MOST }), staleTime: 0 });
  const issue = useMoneyAction(() => call('POST /admin/v1/orders/{id}/invoices', { id }), t('invoice.issued'));
  const invoices = data?.invoices.toReversed() ?? [];
  const mayIssue = areIssued && data?.invoices.length === 0 && status === 'completed' && total.minor > 0;
  if (invoices.length === 0 && !mayIssue) return null;
  return (
    <section className="form-section" aria-labelledby="invoices">
      <h2 id="invoices">{t('invoices')}</h2>
      <ol className="money-list">
        {invoices.map((invoice) => (
          <li key={invoice.id}>
            <p className="order-line">
              {url ? (
                <a href={`${url}invoice/${invoice.number}/`} target="_blank" rel="noreferrer">
                  {invoiceName(invoice)}
                </a>
              ) : (
                <span>{invoiceName(invoice)}</span>
              )}
              <span>{invoiceSum(invoice)}</span>
            </p>
            <p className="soft">{[when.day(invoice.date), invoice.customer.company].filter(Boolean).join(' · ')}</p>
          </li>
        ))}
      </ol>
      {mayIssue && (
        <div className="actions">
          <Button onPress={() => issue.run()} isPending={issue.isPending}>
            {t('invoice.issue')}
          </Button>
        </div>
      )}
      <FormProblem error={issue.error} />
    </section>
  );
}
