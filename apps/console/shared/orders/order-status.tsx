import { type CommonText, t } from '../../i18n/texts.ts';

const TONES: Readonly<Record<string, string>> = {
  completed: 'good',
  pending: 'warn',
  'action-req': 'warn',
  approved: 'info',
  denied: 'bad',
  refunded: 'bad',
  reversed: 'bad',
  voided: 'bad',
};

/** The status of an order in a word. */
export const orderStatus = (status: string): string => t(`order.${status}` as CommonText);

/** The status of an order. */
export function OrderStatus({ status }: { status: string }) {
  return <span className={`badge ${TONES[status] ?? ''}`}>{orderStatus(status)}</span>;
}

/** Name of a payment method; the site may name its own. */
export function paymentName(gateway: string, ways: readonly { id: string; name: string }[]): string {
  const named = ways.find(({ id }) => id === gateway);
  if (named) return named.name;
  return KNOWN.has(gateway) ? t(`payment.${gateway}` as CommonText) : gateway;
}

const KNOWN: ReadonlySet<string> = new Set(['cash', 'card', 'transfer', 'free', 'manual']);
