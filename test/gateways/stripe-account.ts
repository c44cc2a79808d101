import type Stripe from 'stripe';
import {
  CARD,
  DEBIT,
  newBalanceTransaction,
  newCharge,
  newDispute,
  newIntent,
  newRefund,
  newSession,
  type SessionParams,
} from './stripe-objects.ts';

/** Refusal of the stand-in, as its response says it. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(status: number, { type = 'invalid_request_error', code, param, message }: RefusalTexts) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
  }
}

interface RefusalTexts {
  type?: string;
  code?: string;
  param?: string;
  message: string;
}

const missing = (id: string): Refusal =>
  new Refusal(404, { code: 'resource_missing', param: 'id', message: `No such record: '${id}'` });

const unexpected = (message: string, code?: string): Refusal => new Refusal(400, { code, message });

type Emitted = Stripe.Checkout.Session | Stripe.PaymentIntent | Stripe.Charge | Stripe.Refund | Stripe.Dispute;

export interface StripeEvent {
  id: string;
  type: string;
  /** As the record was then. */
  object: Emitted;
  created: number;
}

/** Fee of a payment: 1.5 % and 25. */
const feeOf = (amount: number): number => Math.round(amount * 0.015) + 25;

/** The records of an account and what happens to them. Amounts are those of Stripe. */
export class StripeAccount {
  readonly sessions = new Map<string, Stripe.Checkout.Session>();
  readonly intents = new Map<string, Stripe.PaymentIntent>();
  readonly charges = new Map<string, Stripe.Charge>();
  readonly refunds = new Map<string, Stripe.Refund>();
  readonly disputes = new Map<string, Stripe.Dispute>();
  readonly balance = new Map<string, Stripe.BalanceTransaction>();
  readonly events: StripeEvent[] = [];
  /** Whether new refunds stay pending until `settleRefund`. */
  refundsPend = false;
  readonly #now: () => Date;
  readonly #params = new Map<string, SessionParams>();
  #last = 0;

  constructor(now: () => Date) {
    this.#now = now;
  }

  seconds(): number {
    return Math.floor(this.#now().getTime() / 1000);
  }

  #identity(prefix: string): { id: string; created: number } {
    this.#last += 1;
    return { id: `${prefix}_${String(this.#last).padStart(8, '0')}`, created: this.seconds() };
  }

  #emit(type: string, object: Emitted): void {
    const { id, created } = this.#identity('evt');
    this.events.push({ id, type, object: structuredClone(object), created });
  }

  get<Item>(items: ReadonlyMap<string, Item>, id: string): Item {
    const found = items.get(id);
    if (found === undefined) throw missing(id);
    return found;
  }

  createSession(params: SessionParams, origin: string): Stripe.Checkout.Session {
    const identity = this.#identity('cs_test');
    const session = newSession(identity, params, `${origin}/pay/${identity.id}`);
    this.sessions.set(session.id, session);
    this.#params.set(session.id, params);
    return session;
  }

  /** Sessions past their end are expired, as by the clock of Stripe. */
  expireDue(): void {
    for (const session of this.sessions.values())
      if (session.status === 'open' && session.expires_at <= this.seconds()) this.expireSession(session.id);
  }

  expireSession(id: string): Stripe.Checkout.Session {
    const session = this.#open(id);
    session.status = 'expired';
    session.url = null;
    const intent = this.#intentOf(session);
    if (intent) this.#cancel(intent);
    this.#emit('checkout.session.expired', session);
    return session;
  }

  #open(id: string): Stripe.Checkout.Session {
    const session = this.get(this.sessions, id);
    if (session.status !== 'open')
      throw unexpected(`Only Checkout Sessions with a status in ["open"] can be used. It is ${session.status}.`);
    return session;
  }

  #intentOf({ payment_intent: id }: Stripe.Checkout.Session): Stripe.PaymentIntent | undefined {
    return typeof id === 'string' ? this.get(this.intents, id) : undefined;
  }

  /** Stripe makes the intent when the customer confirms for the first time. */
  #confirmed(session: Stripe.Checkout.Session): Stripe.PaymentIntent {
    const known = this.#intentOf(session);
    const params = this.#params.get(session.id);
    if (known || !params) return known ?? this.get(this.intents, '');
    const intent = newIntent(this.#identity('pi'), params);
    this.intents.set(intent.id, intent);
    session.payment_intent = intent.id;
    return intent;
  }

  #charge(intent: Stripe.PaymentIntent, rest: Parameters<typeof newCharge>[2]): Stripe.Charge {
    const charge = newCharge(this.#identity('ch'), intent, rest);
    this.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    return charge;
  }

  #book(source: Stripe.Charge | Stripe.Refund | Stripe.Dispute, amount: number, fee: number): string {
    const types = { charge: 'charge', refund: 'refund', dispute: 'adjustment' } as const;
    const { currency, id, object } = source;
    const entry = newBalanceTransaction(this.#identity('txn'), {
      amount,
      currency,
      fee,
      source: id,
      type: types[object],
    });
    this.balance.set(entry.id, entry);
    return entry.id;
  }

  #succeed(intent: Stripe.PaymentIntent, charge: Stripe.Charge): void {
    intent.status = 'succeeded';
    intent.amount_received = charge.amount;
    charge.status = 'succeeded';
    charge.paid = true;
    charge.balance_transaction = this.#book(charge, charge.amount, feeOf(charge.amount));
    this.#emit('payment_intent.succeeded', intent);
    this.#emit('charge.succeeded', charge);
  }

  /** The customer pays by card. `amount`: of the charge, if it should differ from the session. */
  pay(sessionId: string, { amount }: { amount?: number } = {}): void {
    const session = this.#open(sessionId);
    const intent = this.#confirmed(session);
    const charge = this.#charge(intent, { amount: amount ?? intent.amount, status: 'succeeded', details: CARD });
    this.#succeed(intent, charge);
    this.#complete(session, 'paid');
  }

  #complete(session: Stripe.Checkout.Session, status: Stripe.Checkout.Session.PaymentStatus): void {
    session.status = 'complete';
    session.payment_status = status;
    session.url = null;
    this.#emit('checkout.session.completed', session);
  }

  /** Message of the bank for declined cards. */
  declineMessage = 'Your card was declined.';

  /** The card of the customer is declined; the page stays open. */
  decline(sessionId: string): void {
    const intent = this.#confirmed(this.#open(sessionId));
    const charge = this.#charge(intent, { amount: intent.amount, status: 'failed', details: CARD });
    this.#fail(intent, charge, this.declineMessage);
  }

  #fail(intent: Stripe.PaymentIntent, charge: Stripe.Charge, message: string): void {
    charge.status = 'failed';
    charge.paid = false;
    charge.failure_message = message;
    intent.status = 'requires_payment_method';
    intent.last_payment_error = { type: 'card_error', code: 'card_declined', message };
    this.#emit('payment_intent.payment_failed', intent);
    this.#emit('charge.failed', charge);
  }

  /** The customer pays by direct debit, which takes days. */
  debit(sessionId: string): void {
    const session = this.#open(sessionId);
    const intent = this.#confirmed(session);
    this.#charge(intent, { amount: intent.amount, status: 'pending', details: DEBIT });
    intent.status = 'processing';
    this.#emit('payment_intent.processing', intent);
    this.#complete(session, 'unpaid');
  }

  /** The customer gets instructions for a payment that he makes elsewhere. */
  promise(sessionId: string): void {
    const session = this.#open(sessionId);
    const intent = this.#confirmed(session);
    intent.status = 'requires_action';
    this.#emit('payment_intent.requires_action', intent);
    this.#complete(session, 'unpaid');
  }

  /** The bank pays a debit, or refuses it. */
  settleDebit(sessionId: string, isPaid: boolean): void {
    const session = this.get(this.sessions, sessionId);
    const intent = this.#confirmed(session);
    const charge = this.#chargeOf(intent);
    if (intent.status !== 'processing') throw new Error(`the debit of ${sessionId} is ${intent.status}`);
    if (isPaid) {
      this.#succeed(intent, charge);
      session.payment_status = 'paid';
    } else this.#fail(intent, charge, 'The bank of the customer refused the debit.');
    this.#emit(`checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, session);
  }

  #chargeOf({ latest_charge: id }: Stripe.PaymentIntent): Stripe.Charge {
    return this.get(this.charges, typeof id === 'string' ? id : '');
  }

  cancelIntent(id: string): Stripe.PaymentIntent {
    const intent = this.get(this.intents, id);
    const isPending = intent.status === 'processing' || intent.status.startsWith('requires_');
    if (!isPending)
      throw unexpected(
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        'payment_intent_unexpected_state',
      );
    this.#cancel(intent);
    return intent;
  }

  #cancel(intent: Stripe.PaymentIntent): void {
    intent.status = 'canceled';
    intent.canceled_at = this.seconds();
    const charge = this.charges.get(String(intent.latest_charge));
    if (charge?.status === 'pending') charge.status = 'failed';
    this.#emit('payment_intent.canceled', intent);
  }

  /** Whether a dispute of a payment is open or lost; one that was won leaves the money here. */
  #isChargedBack(intentId: string): boolean {
    return [...this.disputes.values()].some(
      ({ payment_intent, status }) => payment_intent === intentId && status !== 'won',
    );
  }

  createRefund(intentId: string, sent: { amount?: number; metadata: Record<string, string> }): Stripe.Refund {
    const charge = this.#chargeOf(this.get(this.intents, intentId));
    if (charge.status !== 'succeeded') throw unexpected('This PaymentIntent does not have a successful charge.');
    if (this.#isChargedBack(intentId)) throw unexpected('The charge has been charged back.', 'charge_disputed');
    const left = charge.amount - charge.amount_refunded;
    const amount = sent.amount ?? left;
    if (left === 0) throw unexpected(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
    if (amount > left) throw unexpected(`Refund amount (${amount}) is greater than unrefunded amount (${left}).`);
    const refund = newRefund(this.#identity('re'), charge, { amount, metadata: sent.metadata });
    this.refunds.set(refund.id, refund);
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
    if (this.refundsPend) refund.status = 'pending';
    refund.balance_transaction = this.#book(refund, -amount, 0);
    this.#emit('charge.refunded', charge);
    this.#emit('refund.created', refund);
    return refund;
  }

  /** The bank of the customer takes a refund, or sends it back. */
  settleRefund(id: string, isDone: boolean): void {
    const refund = this.get(this.refunds, id);
    const charge = this.get(this.charges, String(refund.charge));
    refund.status = isDone ? 'succeeded' : 'failed';
    if (!isDone) {
      refund.failure_reason = 'lost_or_stolen_card';
      refund.failure_balance_transaction = this.#book(refund, refund.amount, 0);
      charge.amount_refunded -= refund.amount;
      charge.refunded = false;
    }
    this.#emit(isDone ? 'refund.updated' : 'refund.failed', refund);
  }

  /** The customer asks the bank for the money back, which takes it at once. */
  dispute(sessionId: string, amount?: number): Stripe.Dispute {
    const charge = this.#chargeOf(this.#confirmed(this.get(this.sessions, sessionId)));
    const dispute = newDispute(this.#identity('du'), charge);
    if (amount !== undefined) dispute.amount = amount;
    this.disputes.set(dispute.id, dispute);
    charge.disputed = true;
    this.#book(dispute, -dispute.amount, 1500);
    this.#emit('charge.dispute.created', dispute);
    return dispute;
  }

  closeDispute(id: string, status: 'won' | 'lost'): void {
    const dispute = this.get(this.disputes, id);
    dispute.status = status;
    if (status === 'won') this.#book(dispute, dispute.amount, 0);
    this.#emit('charge.dispute.closed', dispute);
  }

  /** Money of a payment that is here: paid, less what was given back or taken back. */
  kept(sessionId: string): number {
    const { payment_intent: id } = this.get(this.sessions, sessionId);
    const charges = [...this.charges.values()].filter((charge) => charge.payment_intent === id);
    const sources = new Set(
      [...charges, ...this.refunds.values(), ...this.disputes.values()]
        .filter((one) => one.payment_intent === id)
        .map((one) => one.id),
    );
    return this.#sum((entry) => sources.has(String(entry.source)));
  }

  /** All money of a currency that is here, fees aside. */
  money(currency: string): number {
    return this.#sum((entry) => entry.currency === currency.toLowerCase());
  }

  #sum(isCounted: (entry: Stripe.BalanceTransaction) => boolean): number {
    return [...this.balance.values()].filter(isCounted).reduce((sum, { amount }) => sum + amount, 0);
  }
}
