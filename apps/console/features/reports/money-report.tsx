import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MoneyReport as Report } from '../../../../packages/client/src/marquee-client.ts';
import { formatRate } from '../../../../src/lib/money/rates.ts';
import { useSite } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { money } from '../../i18n/formats.ts';
import { language } from '../../i18n/texts.ts';
import { paymentName } from '../../shared/orders/order-status.tsx';
import { amountsOf } from '../../shared/orders/sales.ts';
import { Empty, Failure, RowsLoading } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface MoneyReportProps {
  event?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const COLUMNS = ['payments', 'received', 'lost', 'refunds', 'refunded', 'service_fees'] as const;
type Figures = Report['totals'];

const sum = (amounts: Figures['received']): string => amountsOf({ amounts }, money);

const cellOf = (figures: Figures, column: (typeof COLUMNS)[number]): string | number => {
  const value = figures[column];
  return typeof value === 'number' ? value : sum(value);
};

/** Money received and refunded: by payment method, with fees and taxes. */
export function MoneyReport({ event, from, to }: MoneyReportProps) {
  const { payment_ways: ways } = useSite();
  const input = { ...(event && { event }), ...(from && { from }), ...(to && { to }) };
  const { data, error, refetch } = useQuery(read('GET /admin/v1/reports/money', input, { keepsPrevious: true }));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsLoading />;
  const { totals, methods, fees, taxes } = data;
  const isLost = totals.lost.some(({ minor }) => minor > 0);
  if (totals.payments + totals.refunds === 0 && !isLost) return <Empty icon="report" text={t('none')} />;
  return (
    <>
      <section className="totals" aria-label={t('totals')}>
        <dl>
          {COLUMNS.map((column) => (
            <div key={column}>
              <dt>{t(`money.${column}`)}</dt>
              <dd>{cellOf(totals, column)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <Rows
        title={t('money.methods')}
        heads={[t('money.method'), ...COLUMNS.map((column) => t(`money.${column}`))]}
        rows={methods.map(({ method, gateway, ...figures }) => [
          gateway === method || gateway === 'manual'
            ? paymentName(method, ways)
            : `${paymentName(method, ways)} (${gateway})`,
          ...COLUMNS.map((column) => cellOf(figures, column)),
        ])}
      />
      {fees.length > 0 && (
        <Rows
          title={t('money.fees')}
          heads={[t('money.fee'), t('money.amount')]}
          rows={fees.map(({ title, amounts }) => [title, sum(amounts)])}
        />
      )}
      <Rows
        title={t('money.taxes')}
        heads={[t('money.rate'), t('money.gross'), t('money.tax')]}
        rows={taxes.map(({ rate, gross, tax }) => [formatRate(rate, language), sum(gross), sum(tax)])}
      />
      <p className="hint">{t('money.hint')}</p>
    </>
  );
}

interface RowsProps {
  title: string;
  heads: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}

function Rows({ title, heads, rows }: RowsProps) {
  return (
    <section>
      <h2>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what has the focus */}
      <section className="report-scroll" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two fees may have one name
              <tr key={index}>
                <th scope="row">{name}</th>
                {cells.map((cell, at) => (
                  <td key={heads[at + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** Address of the file for bookkeepers. */
export function moneyFile({ event, from, to }: MoneyReportProps): string {
  const query = new URLSearchParams({ bom: 'true' });
  for (const [name, value] of Object.entries({ event, from, to })) if (value) query.set(name, String(value));
  return `/calendar/admin/v1/payments/export?${query}`;
}
