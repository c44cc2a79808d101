import { useState } from 'react';
import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { localIn } from '../../../client/when.ts';
import { useRight, useSite } from '../../data/account.ts';
import { MANAGES_ATTENDEES, SELLS } from '../../data/rights.ts';
import { money, when } from '../../i18n/formats.ts';
import { paymentName } from '../../shared/orders/order-status.tsx';
import { Button } from '../../ui/button.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { BookPayment } from './book-payment.tsx';
import { EndPayment } from './end-payment.tsx';
import { useMoneyAction, useUserName } from './order-action.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { t } from './routes.ts';

type Payment = FullOrder['payments'][number];
type Refund = FullOrder['refunds'][number];

const OPEN: ReadonlySet<string> = new Set(['created', 'open', 'processing', 'action']);
const UNPAID: ReadonlySet<string> = new Set(['pending', 'action-req', 'approved', 'not-completed']);

/** Whether a payment of an order may still bring money, so that the order cannot be changed. */
const hasOpenPayment = ({ payments }: FullOrder): boolean => payments.some(({ status }) => OPEN.has(status));

const PAYMENT_TONES: Readonly<Record<Payment['status'], string>> = {
  created: '',
  open: 'info',
  processing: 'info',
  action: 'warn',
  paid: 'good',
  failed: 'bad',
  cancelled: '',
  disputed: 'warn',
  lost: 'bad',
};
const REFUND_TONES: Readonly<Record<Refund['status'], string>> = {
  requested: 'info',
  pending: 'info',
  done: 'good',
  failed: 'bad',
};

/** Payments, refunds and charges of an order, with their actions. */
export function Money({ order }: { order: FullOrder }) {
  const { payments, refunds, charges, paid, owed, currency, status } = order;
  const [dialog, setDialog] = useState<'book' | 'refund'>();
  const mayBook = useRight(...MANAGES_ATTENDEES, ...SELLS) && UNPAID.has(status) && owed.minor < 0;
  const mayRefund = useRight('refund') && payments.some((payment) => leftOf(payment) > 0);
  if (payments.length + charges.length === 0 && !mayBook) return null;
  const isOpen = hasOpenPayment(order);
  const close = () => setDialog(undefined);
  return (
    <section className="form-section" aria-labelledby="money">
      <h2 id="money">{t('money')}</h2>
      {owed.minor > 0 && <p className="form-problem">{t('owed', { sum: money(owed.minor, currency) })}</p>}
      <dl className="order-facts">
        {charges.map(({ title, amount, quantity, kind }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: charges are only added, and have no other name
          <ChargeFact key={`${kind} ${index}`} title={title} quantity={quantity} sum={money(amount.minor, currency)} />
        ))}
        <dt>{t('paid')}</dt>
        <dd>{money(paid.minor, currency)}</dd>
        {owed.minor < 0 && UNPAID.has(status) && (
          <>
            <dt>{t('left')}</dt>
            <dd>{money(-owed.minor, currency)}</dd>
          </>
        )}
      </dl>
      <ol className="money-list">
        {payments.map((payment) => (
          <PaymentLine key={payment.id} payment={payment} />
        ))}
        {refunds.map((refund) => (
          <RefundLine key={refund.id} refund={refund} currency={currency} />
        ))}
      </ol>
      <div className="actions">
        {mayBook && !isOpen && <Button onPress={() => setDialog('book')}>{t('book')}</Button>}
        {isOpen && <EndPayment id={order.id} />}
        {mayRefund && !isOpen && <Button onPress={() => setDialog('refund')}>{t('refund')}</Button>}
      </div>
      {dialog === 'book' && <BookPayment order={order} onClose={close} />}
      {dialog === 'refund' && <RefundDialog order={order} onClose={close} />}
    </section>
  );
}

/** Minor units of a payment that can be refunded. */
const leftOf = ({ status, amount, refunded }: Payment): number =>
  status === 'paid' ? amount.minor - refunded.minor : 0;

function ChargeFact({ title, quantity, sum }: { title: string; quantity: number; sum: string }) {
  return (
    <>
      <dt>{quantity > 1 ? t('item', { quantity, title }) : title}</dt>
      <dd>{sum}</dd>
    </>
  );
}

function PaymentLine({ payment }: { payment: Payment }) {
  const { id, status, method, amount, refunded, fee, instrument, reference, currency } = payment;
  const { payment_ways: ways, timezone } = useSite();
  const check = useMoneyAction(() => call('POST /admin/v1/payments/{id}/check', { id }), t('check.done'));
  const facts = [
    instrument,
    ...(fee ? [t('fee', { sum: money(fee.minor, currency) })] : []),
    ...(refunded.minor > 0 ? [t('refunded', { sum: money(refunded.minor, currency) })] : []),
    reference,
    when.moment(localIn(timezone, payment.paid_utc ?? payment.created_utc)),
  ];
  return (
    <li>
      <p className="order-line">
        <span>
          {paymentName(method, ways)} <span className={`badge ${PAYMENT_TONES[status]}`}>{t(`payment.${status}`)}</span>
        </span>
        <span>{money(amount.minor, currency)}</span>
      </p>
      <p className="soft">{facts.filter(Boolean).join(' · ')}</p>
      {status === 'action' && <p>{t('payment.action.hint')}</p>}
      {payment.external_id !== null && <p className="soft">{t('external', { id: payment.external_id })}</p>}
      {(payment.external_id !== null || OPEN.has(status)) && (
        <Button onPress={() => check.run()} isPending={check.isPending}>
          {t('check')}
        </Button>
      )}
      <FormProblem error={check.error} />
    </li>
  );
}

function RefundLine({ refund, currency }: { refund: Refund; currency: string }) {
  const { id, status, amount, reason, error, source, attendees, created_utc, user_id } = refund;
  const nameOf = useUserName();
  const { timezone } = useSite();
  const mayRefund = useRight('refund');
  const retry = useMoneyAction(() => call('POST /admin/v1/refunds/{id}/retry', { id }), t('retry.done'));
  const settle = useMoneyAction(() => call('POST /admin/v1/refunds/{id}/settle', { id }), t('settle.done'));
  const isFailed = status === 'failed' && source !== 'retried';
  return (
    <li>
      <p className="order-line">
        <span>
          {t('refund.line')} <span className={`badge ${REFUND_TONES[status]}`}>{t(`refund.${status}`)}</span>
        </span>
        <span>{money(-amount.minor, currency)}</span>
      </p>
      {reason && <p>{reason}</p>}
      {status === 'failed' && <p>{source === 'retried' ? t('refund.retried') : t('refund.why', { error })}</p>}
      <p className="soft">
        {[
          ...(attendees.length > 0 ? [t('places.count', { count: attendees.length })] : []),
          when.moment(localIn(timezone, created_utc)),
          nameOf(user_id),
        ].join(' · ')}
      </p>
      {isFailed && mayRefund && (
        <div className="actions">
          <Button onPress={() => retry.run()} isPending={retry.isPending} isDisabled={settle.isPending}>
            {t('retry')}
          </Button>
          <Button onPress={() => settle.run()} isPending={settle.isPending} isDisabled={retry.isPending}>
            {t('settle')}
          </Button>
        </div>
      )}
      <FormProblem error={retry.error ?? settle.error} />
    </li>
  );
}
