import { describe, expect, it } from 'vitest';
import { refundStateOf, sessionSchema, stateOf } from './stripe-answers.ts';

const CHARGE = {
  id: 'ch_1',
  amount_refunded: 0,
  disputed: false,
  payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } } as object | null,
  balance_transaction: { fee: 85, currency: 'eur' } as { fee: number; currency: string } | null,
};

const intentOf = (status: string, changes: object = {}) => ({
  ...{ id: 'pi_1', status, amount: 4990, amount_received: status === 'succeeded' ? 4990 : 0, currency: 'eur' },
  ...{ last_payment_error: null, latest_charge: CHARGE },
  ...changes,
});

const sessionOf = (status: string, payment_intent: object | null) =>
  sessionSchema.parse({ id: 'cs_1', status, amount_total: 4990, currency: 'eur', url: null, payment_intent });

describe('the state of a payment at Stripe', () => {
  it.each([
    ['open', null, 'open'],
    ['open', 'requires_payment_method', 'open'],
    // The customer is at his bank.
    ['open', 'requires_action', 'open'],
    ['open', 'requires_confirmation', 'open'],
    // A canceled intent leaves the page open for another.
    ['open', 'canceled', 'open'],
    ['open', 'processing', 'processing'],
    ['open', 'succeeded', 'paid'],
    ['complete', 'succeeded', 'paid'],
    ['complete', 'processing', 'processing'],
    ['complete', 'requires_capture', 'processing'],
    ['complete', 'requires_action', 'action'],
    ['complete', 'requires_payment_method', 'failed'],
    ['complete', 'canceled', 'cancelled'],
    ['complete', 'a status of later versions', 'processing'],
    ['complete', null, 'processing'],
    ['expired', null, 'cancelled'],
    ['expired', 'requires_payment_method', 'cancelled'],
    ['expired', 'canceled', 'cancelled'],
    ['expired', 'processing', 'processing'],
    // Money counts more than the page.
    ['expired', 'succeeded', 'paid'],
  ])('of a session that is %s with an intent that is %s is %s', (session, intent, expected) => {
    expect(stateOf(sessionOf(session, intent === null ? null : intentOf(intent)), []).status).toBe(expected);
  });

  it.each([
    [[], 'paid'],
    [['won'], 'paid'],
    [['prevented'], 'paid'],
    [['warning_closed'], 'paid'],
    [['warning_needs_response'], 'paid'],
    [['needs_response'], 'disputed'],
    [['under_review'], 'disputed'],
    [['won', 'appeal_under_review'], 'disputed'],
    [['a status of later versions'], 'disputed'],
    [['lost'], 'lost'],
    [['won', 'lost'], 'lost'],
  ])('with disputes that are %j is %s', (disputes, expected) => {
    const of = (amount: number) => disputes.map((status) => ({ status, amount }));
    const session = sessionOf('complete', intentOf('succeeded'));
    expect(stateOf(session, of(session.amount_total)).status).toBe(expected);
    // A bank that took a part back leaves the rest.
    const part = stateOf(session, of(100));
    expect([part.status, part.returned]).toEqual(expected === 'lost' ? ['paid', 100] : [expected, 0]);
  });

  it.each([
    [CHARGE.payment_method_details, 'Visa •••• 4242'],
    [{ type: 'card', card: { brand: 'amex', last4: '0005' } }, 'American Express •••• 0005'],
    [{ type: 'card', card: { brand: 'constructor', last4: '0005' } }, 'Constructor •••• 0005'],
    [{ type: 'card', card: { brand: 'visa', last4: '4242424242424242' } }, 'Card'],
    [{ type: 'sepa_debit', sepa_debit: { last4: '3000' } }, 'Sepa debit •••• 3000'],
    [{ type: 'paypal', paypal: null }, 'Paypal'],
    [{ type: 'x'.repeat(1000) }, `X${'x'.repeat(39)}`],
    [null, ''],
  ])('paid by %j shows "%s"', (payment_method_details, expected) => {
    const intent = intentOf('succeeded', { latest_charge: { ...CHARGE, payment_method_details } });
    expect(stateOf(sessionOf('complete', intent), []).instrument).toBe(expected);
  });

  it('has the fee if it is known, and in the currency of the payment', () => {
    const feeWith = (balance_transaction: object | null) =>
      stateOf(sessionOf('complete', intentOf('succeeded', { latest_charge: { ...CHARGE, balance_transaction } })), [])
        .fee;
    expect(feeWith(CHARGE.balance_transaction)).toBe(85);
    expect(feeWith({ fee: 85, currency: 'usd' })).toBeNull();
    expect(feeWith(null)).toBeNull();
  });

  it('has what was received, not what was asked for', () => {
    const intent = intentOf('succeeded', { amount_received: 100, currency: 'usd' });
    expect(stateOf(sessionOf('complete', intent), [])).toMatchObject({ amount: 100, currency: 'USD' });
  });

  it('has the reason of a failure, in one short line and without numbers of cards', () => {
    const message = `Your card 4242 4242-4242 4242\n was declined. ${'x'.repeat(300)}`;
    const intent = intentOf('requires_payment_method', { last_payment_error: { message } });
    const { reason } = stateOf(sessionOf('complete', intent), []);
    expect(reason).toMatch(/^Your card … was declined\. x+$/);
    expect(reason).toHaveLength(200);
    expect(stateOf(sessionOf('open', intent), []).reason).toBe('');
  });
});

describe('the state of a refund at Stripe', () => {
  it.each([
    ['succeeded', 'done', ''],
    ['pending', 'pending', ''],
    ['requires_action', 'pending', ''],
    [null, 'pending', ''],
    ['failed', 'failed', 'expired or canceled card'],
    ['canceled', 'failed', 'expired or canceled card'],
  ])('that is %s is %s', (status, expected, reason) => {
    const failure_reason = 'expired_or_canceled_card';
    expect(refundStateOf({ id: 're_1', status, failure_reason, metadata: {} })).toEqual({
      ...{ status: expected, externalId: 're_1', reason },
    });
  });
});
