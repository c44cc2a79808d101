import { z } from 'zod';
import type { GatewayState, GatewayStatus, RefundState } from './gateway.ts';
import { fromStripeAmount } from './stripe-amounts.ts';

/** Members of Stripe's responses that the gateway uses. Statuses are texts, since Stripe adds some at any time. */

const metadata = z.record(z.string(), z.string()).nullish();
const currency = z.string().regex(/^[a-z]{3}$/);

const chargeSchema = z.object({
  id: z.string(),
  amount_refunded: z.int(),
  disputed: z.boolean(),
  payment_method_details: z.looseObject({ type: z.string() }).nullable(),
  balance_transaction: z.object({ fee: z.int(), currency }).nullable(),
});

const intentSchema = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.int(),
  amount_received: z.int(),
  currency,
  last_payment_error: z.object({ message: z.string().nullish() }).nullable(),
  latest_charge: chargeSchema.nullable(),
});

export const sessionSchema = z.object({
  id: z.string(),
  status: z.enum(['open', 'complete', 'expired']),
  amount_total: z.int(),
  currency,
  url: z.string().nullish(),
  payment_intent: intentSchema.nullable(),
});

/** A session as it was created: its payment is not expanded. */
export const createdSessionSchema = z.object({ id: z.string(), url: z.url() });

/** A session known only by its payment. */
export const plainSessionSchema = z.object({ id: z.string(), payment_intent: z.string().nullable() });

export const refundSchema = z.object({
  id: z.string(),
  status: z.string().nullable(),
  failure_reason: z.string().nullish(),
  metadata,
});

/** A record of a list, whatever else it is. */
export const recordSchema = z.looseObject({ id: z.string() });

export const settledRefundSchema = refundSchema.extend({
  amount: z.int(),
  currency,
  created: z.int(),
  charge: z.object({ id: z.string(), metadata }).nullable(),
});

export const settledChargeSchema = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.int(),
  currency,
  created: z.int(),
  metadata,
});

export const disputeSchema = z.object({ id: z.string(), status: z.string(), amount: z.int() });

type Dispute = Omit<z.output<typeof disputeSchema>, 'id'>;

export const intentMetadataSchema = z.object({ id: z.string(), metadata });

export const eventSchema = z.object({
  type: z.string(),
  livemode: z.boolean(),
  /** Account of a marketplace, which this site is not. */
  account: z.string().nullish(),
  data: z.object({
    object: z.object({
      object: z.string(),
      id: z.string().nullish(),
      metadata,
      payment_intent: z.string().nullish(),
    }),
  }),
});

export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), has_more: z.boolean() });

type Session = z.output<typeof sessionSchema>;
type Intent = z.output<typeof intentSchema>;
type Charge = z.output<typeof chargeSchema>;

/** State of a payment with its disputes. */
export function stateOf(session: Session, disputes: readonly Dispute[]): GatewayState {
  const intent = session.payment_intent;
  const paid = intent?.status === 'succeeded' ? intent : undefined;
  const code = (intent?.currency ?? session.currency).toUpperCase();
  const charge = intent?.latest_charge ?? null;
  const refunded = charge?.amount_refunded ?? 0;
  const left = (paid?.amount_received ?? 0) - refunded;
  const status = paid ? statusOfPaid(disputes, left) : statusOfUnpaid(session, intent);
  const lost = status === 'lost' ? 0 : lostTo(disputes);
  const fee = charge?.balance_transaction;
  return {
    status,
    amount: fromStripeAmount(paid?.amount_received ?? session.amount_total, code),
    currency: code,
    instrument: charge ? instrumentOf(charge) : '',
    fee: fee && fee.currency.toUpperCase() === code ? fromStripeAmount(fee.fee, code) : null,
    returned: fromStripeAmount(refunded + lost, code),
    reason: status === 'failed' ? plainReason(intent?.last_payment_error?.message ?? '') : '',
  };
}

/**
 * Whether a dispute takes no money: the bank or the customer gave it up, or it is an inquiry (`warning_…`), during
 * which the money stays and may be refunded, https://docs.stripe.com/disputes/how-disputes-work#inquiries
 */
const takesNothing = ({ status }: Dispute): boolean =>
  status === 'won' || status === 'prevented' || status.startsWith('warning_');

/** Minor units of Stripe that banks took back. */
const lostTo = (disputes: readonly Dispute[]): number =>
  disputes.filter(({ status }) => status === 'lost').reduce((sum, { amount }) => sum + amount, 0);

/** A payment stays paid after a bank took back a part of it. */
function statusOfPaid(disputes: readonly Dispute[], left: number): GatewayStatus {
  if (disputes.some(({ status }) => status === 'lost') && lostTo(disputes) >= left) return 'lost';
  return disputes.every((one) => takesNothing(one) || one.status === 'lost') ? 'paid' : 'disputed';
}

function statusOfUnpaid({ status }: Session, intent: Intent | null): GatewayStatus {
  if (intent?.status === 'processing' || intent?.status === 'requires_capture') return 'processing';
  // The page is open, so a declined payment can be tried again.
  if (status === 'open') return 'open';
  if (status === 'expired' || intent?.status === 'canceled') return 'cancelled';
  if (intent?.status === 'requires_action') return 'action';
  // Unknown statuses of later versions count as processing, so that the customer does not pay twice.
  return intent?.status === 'requires_payment_method' ? 'failed' : 'processing';
}

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
};

const instrumentSchema = z.object({
  brand: z.string().max(40).nullish(),
  last4: z
    .string()
    .regex(/^\d{4}$/)
    .nullish(),
});

/** Means of payment for people: `Visa •••• 4242`, `Sepa debit •••• 3000`, `Paypal`. */
function instrumentOf({ payment_method_details: details }: Charge): string {
  if (!details) return '';
  const { type, [type]: own } = details;
  const { brand, last4 } = instrumentSchema.safeParse(own).data ?? {};
  const word = type === 'card' && brand ? brand : type;
  const name = Object.hasOwn(BRANDS, word) ? BRANDS[word] : capitalized(word.replaceAll('_', ' '));
  return [name?.slice(0, 40), last4 && `•••• ${last4}`].filter(Boolean).join(' ');
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const MAX_REASON = 200;
/** Digits in a row that could be the number of a card or an account. */
const LONG_NUMBER = /\d(?:[ -]?\d){7,}/g;

/** A reason in one line, without numbers of cards or accounts. */
const plainReason = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(LONG_NUMBER, '…').trim().slice(0, MAX_REASON);

const REFUND_STATUSES: Readonly<Record<string, RefundState['status']>> = {
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
};

export function refundStateOf({ id, status, failure_reason }: z.output<typeof refundSchema>): RefundState {
  const known = REFUND_STATUSES[status ?? ''] ?? 'pending';
  const reason = known === 'failed' ? plainReason((failure_reason ?? status ?? '').replaceAll('_', ' ')) : '';
  return { status: known, externalId: id, reason };
}
