import type { Context } from '../../../base/context.ts';
import type { LocalTime } from '../../../lib/dates/dates.ts';

/**
 * Payment gateway: a service that takes money over the network. Each is one file that exports one `Gateway`; all of
 * them pass the contract test in test/gateways. Methods call the service outside transactions, are repeated after
 * interruptions, and throw `GatewayUnavailable` when they do not know what happened.
 */
export interface Gateway {
  /** As in `gateway` of a payment method and in the address of its webhook. */
  name: string;
  /** Minutes for which a payment page of the service stays open at least. */
  minimumMinutes: number;
  /**
   * Opens the page of a payment. Repeating it with the same payment gives the same page, so that an interrupted start
   * can be continued.
   * @throws {GatewayRefusal} if the service will never accept this payment
   */
  start(context: GatewayContext, payment: PaymentRequest): Promise<StartedPayment>;
  /**
   * The state of a payment at the service.
   * @throws {GatewayRefusal} if the service does not know it, as after a change of the account
   */
  check(context: GatewayContext, externalId: string): Promise<GatewayState>;
  /** Makes a payment impossible, unless it is already made. Returns its state afterwards, which is not `open`. */
  cancel(context: GatewayContext, externalId: string): Promise<GatewayState>;
  /**
   * Gives money back. Repeating it with the same refund pays once: the service knows `key` for a day, so older
   * repetitions look for the refund first.
   * @throws {GatewayRefusal} if the service will never pay it back
   */
  refund(context: GatewayContext, refund: RefundRequest): Promise<RefundState>;
  /** The state of a refund at the service, by its id there or its key; undefined if it never arrived there. */
  findRefund(
    context: GatewayContext,
    refund: Pick<RefundRequest, 'key' | 'externalId' | 'refundId'>,
  ): Promise<RefundState | undefined>;
  /**
   * Reads a webhook. What it says is only a reason to check the payments it names.
   * @returns none for events that concern no payment of this site
   * @throws {InvalidSignature}
   */
  readWebhook(context: GatewayContext, request: WebhookRequest): Promise<NamedPayment[]>;
  /**
   * Money that the service took and gave back in a period, for the reconciliation; an unreadable record ends no list.
   */
  listSettled(context: GatewayContext, period: { from: Date; to: Date }): AsyncIterable<SettledMoney | UnreadableMoney>;
}

export type GatewayContext = Pick<Context, 'config' | 'db' | 'now'>;

export interface PaymentRequest {
  id: number;
  /** Names the payment to the service in every repetition, such as `payment-12`. Unique to the site. */
  key: string;
  orderNumber: string;
  /** Minor units of the currency. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** Description of the order, for the customer. */
  description: string;
  email: string;
  /** BCP 47. */
  language: string;
  /** Page to which the service sends the customer afterwards, paid or not. */
  returnUrl: string;
  /** Page for customers who give up. */
  cancelUrl: string;
  /** End of the page at the service, UTC. The same in every repetition. */
  ends: LocalTime;
}

export interface StartedPayment {
  externalId: string;
  /** Page of the service on which the customer pays. */
  pageUrl: string;
}

/** State of a payment at its service. `disputed`: the customer's bank asks for it back; `lost`: it got it. */
export type GatewayStatus = 'open' | 'processing' | 'action' | 'paid' | 'failed' | 'cancelled' | 'disputed' | 'lost';

export interface GatewayState {
  status: GatewayStatus;
  /** Paid amount, or the amount to be paid, in minor units. */
  amount: number;
  /** ISO 4217, upper case. */
  currency: string;
  /** Means of payment of the customer, for people, such as `Visa •••• 4242`; empty if unknown. */
  instrument: string;
  /** Fee of the service, in minor units of the same currency; null if unknown. */
  fee: number | null;
  /** Minor units that went back, by refunds and by disputes about a part of the payment. */
  returned: number;
  /** Why a payment failed, in the words of the service for people; empty otherwise. At most 200 characters. */
  reason: string;
}

export interface RefundRequest {
  id: number;
  /** Such as `refund-7`. Unique to the site. */
  key: string;
  /** Id of the payment at the service. */
  externalId: string;
  /** Id of the refund at the service, once it is known. */
  refundId?: string;
  /** Minor units. */
  amount: number;
  currency: string;
}

export interface RefundState {
  status: 'pending' | 'done' | 'failed';
  externalId: string;
  /** Why it failed, for people; empty otherwise. At most 200 characters. */
  reason: string;
}

export interface WebhookRequest {
  header(name: string): string | undefined;
  /** The body as it was received. */
  bytes: Buffer;
}

/** Payment by its id at the service, or by ours. */
export type NamedPayment = { externalId: string } | { id: number };

export interface SettledMoney {
  kind: 'payment' | 'refund';
  /** Our id of the payment. */
  paymentId: number;
  /** Our id of the refund; absent for refunds that were made at the service itself. */
  refundId?: number;
  /** Id at the service, for staff. */
  externalId: string;
  /** Minor units, positive. */
  amount: number;
  currency: string;
  date: Date;
}

/** Record of a service in an unknown form. */
export interface UnreadableMoney {
  kind: 'unreadable';
  externalId: string;
}

/** The service did not respond as expected: it may or may not have done what was asked. */
export class GatewayUnavailable extends Error {
  /** Seconds after which to try again, if the service said so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** The service sent a response of an unknown form; asking again does not help. */
export class UnreadableResponse extends GatewayUnavailable {}

/** The service will never do what was asked. The message is for staff, without secrets; at most 200 characters. */
export class GatewayRefusal extends Error {}

/** A webhook that is forged, altered or too old. */
export class InvalidSignature extends Error {}
