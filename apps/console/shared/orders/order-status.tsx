import { type FrameText, t } from '../../i18n/texts.ts';

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
export const orderStatus = (status: string): string => t(`order.${status}` as FrameText);

/** The status of an order. */
export function OrderStatus({ status }: { status: string }) {
  return <span className={`badge ${TONES[status] ?? ''}`}>{orderStatus(status)}</span>;
}

/** How an order is paid, in words; ways that the site names have their own. */
export function paymentName(gateway: string, ways: readonly { id: string; name: string }[]): string {
  const named = ways.find(({ id }) => id === gateway);
  if (named) return named.name;
  return KNOWN.has(gateway) ? t(`payment.${gateway}` as FrameText) : gateway;
}

const KNOWN: ReadonlySet<string> = new Set(['cash', 'card', 'transfer', 'free', 'manual']);
