import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type GatewayContext,
  GatewayRefusal,
  GatewayUnavailable,
  InvalidSignature,
} from '../../src/ticketing/payments/gateways/gateway.ts';
import { stripe } from '../../src/ticketing/payments/gateways/stripe.ts';
import { NOON, useTestServer } from '../server.ts';
import { gatewayContract, requestOf } from './contract.ts';
import { type Fault, type StripeStandIn, startStripe } from './stripe-stand-in.ts';

// The gateway writes nothing to the database, so that one kind is enough.
const server = useTestServer('sqlite');
let standIn: StripeStandIn;
const clock = { now: NOON };
beforeAll(async () => {
  standIn = await startStripe({ now: () => clock.now });
});
afterAll(() => standIn.close());
afterEach(() => {
  standIn.faults.length = 0;
  clock.now = NOON;
});

const context = (): GatewayContext => {
  const { config, db } = server().context;
  return { config: { ...config, ...standIn.settings }, db, now: () => clock.now };
};

const received = ({ body, headers }: RequestInit) => ({
  bytes: Buffer.from(String(body)),
  headers: headers as Record<string, string>,
});

const under = {
  gateway: stripe,
  context,
  currency: 'EUR',
  pay: async (id: string) => standIn.account.pay(id),
  decline: async (id: string) => standIn.account.decline(id),
  payLater: async (id: string) => standIn.account.debit(id),
  settle: async (id: string, isPaid: boolean) => standIn.account.settleDebit(id, isPaid),
  async expire() {
    clock.now = new Date(NOON.getTime() + 36 * 60_000);
  },
  async dispute(id: string) {
    const { id: dispute } = standIn.account.dispute(id);
    return { close: async (status: 'won' | 'lost') => standIn.account.closeDispute(dispute, status) };
  },
  webhooks: async () => standIn.takeWebhooks().map(received),
  kept: (id: string) => standIn.account.kept(id),
};

gatewayContract('Stripe', under);

const start = (changes: Partial<ReturnType<typeof requestOf>> = {}) =>
  stripe.start(context(), { ...requestOf(under), ...changes });

describe('a session of Stripe', () => {
  it('has what the customer buys, our ids, and its end', async () => {
    const request = requestOf(under);
    const { externalId } = await stripe.start(context(), request);
    const session = standIn.account.sessions.get(externalId);
    expect(session).toMatchObject({
      ...{ amount_total: 4990, currency: 'eur', client_reference_id: request.orderNumber, locale: 'fr' },
      ...{ customer_email: 'ada@example.org', success_url: request.returnUrl, cancel_url: request.cancelUrl },
      expires_at: Math.floor(NOON.getTime() / 1000) + 35 * 60,
      metadata: { marquee_payment: String(request.id), marquee_site: expect.stringMatching(/\S/) },
    });
  });

  it.each([
    ['ISK', 500, 50_000],
    ['HUF', 4990, 499_000],
    ['JPY', 500, 500],
    ['KWD', 5120, 5120],
  ])('converts amounts in %s to the units of Stripe, and back', async (currency, amount, sent) => {
    const { externalId } = await start({ currency, amount });
    expect(standIn.account.sessions.get(externalId)?.amount_total).toBe(sent);
    standIn.account.pay(externalId);
    expect(await stripe.check(context(), externalId)).toMatchObject({ status: 'paid', amount, currency });
  });

  it.each([
    ['an amount below the smallest', { amount: 1 }],
    ['an amount that its currency cannot have', { currency: 'KWD', amount: 5124 }],
    ['an end that is too near', { ends: '2026-11-21 17:20:00' }],
    ['an address that is none', { returnUrl: 'javascript:alert(1)' }],
  ])('is refused for %s', async (_what, changes) => {
    await expect(start(changes)).rejects.toThrow(GatewayRefusal);
  });

  it('omits an address of the customer that Stripe refuses', async () => {
    const { externalId } = await start({ email: 'käthe@müller.example' });
    expect(standIn.account.sessions.get(externalId)?.customer_email).toBeNull();
  });

  it('has keys of its site, so that another site with the same account has its own sessions', async () => {
    const request = requestOf(under);
    const { externalId } = await stripe.start(context(), request);
    const { db } = server().context;
    const before = await db.query
      .selectFrom('site')
      .select('value')
      .where('name', '=', 'calendar_id')
      .executeTakeFirst();
    const setId = (value = '') =>
      db.query.updateTable('site').set({ value }).where('name', '=', 'calendar_id').execute();
    await setId('another-site');
    const other = await stripe.start(context(), request);
    standIn.takeWebhooks();
    standIn.account.pay(other.externalId);
    standIn.account.dispute(other.externalId);
    await setId(before?.value);
    expect(other.externalId).not.toBe(externalId);
    const webhooks = standIn.takeWebhooks();
    expect(webhooks.length).toBeGreaterThan(3);
    for (const webhook of webhooks) expect(await read(webhook)).toEqual([]);
    const period = { from: new Date(NOON.getTime() - 1000), to: new Date(NOON.getTime() + 1000) };
    for await (const { externalId: charge } of stripe.listSettled(context(), period))
      expect(standIn.account.charges.get(charge)?.payment_intent).not.toBe(
        standIn.account.sessions.get(other.externalId)?.payment_intent,
      );
  });

  it('reports the amount that was paid, even if it is not the requested one', async () => {
    const { externalId } = await start();
    standIn.account.pay(externalId, { amount: 100 });
    expect(await stripe.check(context(), externalId)).toMatchObject({ status: 'paid', amount: 100 });
  });

  it('waits for a customer who pays elsewhere, and can be cancelled meanwhile', async () => {
    const { externalId } = await start();
    standIn.account.promise(externalId);
    expect(await stripe.check(context(), externalId)).toMatchObject({ status: 'action' });
    expect(await stripe.cancel(context(), externalId)).toMatchObject({ status: 'cancelled' });
  });

  it('that was paid while it was being cancelled stays paid', async () => {
    const { externalId } = await start();
    // Found open; paid before the request to expire it arrives.
    standIn.onRequest = (request) => {
      if (request.endsWith('/expire')) standIn.account.pay(externalId);
    };
    expect(await stripe.cancel(context(), externalId)).toMatchObject({ status: 'paid' });
    standIn.onRequest = undefined;
  });
});

const read = (webhook: RequestInit) => {
  const { bytes, headers } = received(webhook);
  return stripe.readWebhook(context(), { bytes, header: (name) => headers[name] });
};

describe('a webhook of Stripe', () => {
  const paid = async (): Promise<RequestInit> => {
    const { externalId } = await start();
    standIn.takeWebhooks();
    standIn.account.pay(externalId);
    const { events } = standIn.account;
    const event = events.find(({ type, object }) => type === 'checkout.session.completed' && object.id === externalId);
    if (!event) throw new Error('no event');
    return standIn.webhookOf(event);
  };

  it('is refused if it is forged or old, and accepted again until it is old', async () => {
    const webhook = await paid();
    expect(await read(webhook)).toHaveLength(1);
    expect(await read(webhook)).toHaveLength(1);
    const event = standIn.account.events.at(-1);
    if (!event) throw new Error('no event');
    await expect(read(standIn.webhookOf(event, { signedWith: 'whsec_forged000000' }))).rejects.toThrow(
      InvalidSignature,
    );
    await expect(read(standIn.webhookOf(event, { age: 301 }))).rejects.toThrow(InvalidSignature);
    expect(await read(standIn.webhookOf(event, { age: 299 }))).toHaveLength(1);
    clock.now = new Date(NOON.getTime() + 301_000);
    await expect(read(webhook)).rejects.toThrow(InvalidSignature);
  });

  it.each([
    ['a list of signatures without a time', 'v1=00,v1=11'],
    ['a time that is none', 't=x,v1=00'],
    ['text', 'hello'],
    ['nothing', ''],
  ])('is refused with %s as signature', async (_what, signature) => {
    const { body } = await paid();
    await expect(read({ body, headers: { 'stripe-signature': signature } })).rejects.toThrow(InvalidSignature);
  });

  it('is ignored if it comes from a real account while the key is a test key, or from an account of a marketplace', async () => {
    const { body } = await paid();
    for (const changes of [{ livemode: true }, { account: 'acct_1' }]) {
      const altered = JSON.stringify({ ...JSON.parse(String(body)), ...changes });
      expect(await read(standIn.signed(altered))).toEqual([]);
    }
  });

  it('of disputes and of refunds in the account of Stripe names its payment', async () => {
    const request = requestOf(under);
    const { externalId } = await stripe.start(context(), request);
    standIn.account.pay(externalId);
    const intent = String(standIn.account.sessions.get(externalId)?.payment_intent);
    standIn.takeWebhooks();
    standIn.account.createRefund(intent, { amount: 100, metadata: {} });
    standIn.account.dispute(externalId);
    const named = await Promise.all(standIn.takeWebhooks().map(read));
    expect(named).toEqual([[{ id: request.id }], [{ id: request.id }], [{ id: request.id }]]);
  });

  it('is ignored if it is about records other than payments', async () => {
    const about = (object: object) =>
      standIn.signed(JSON.stringify({ type: 'invoice.paid', livemode: false, data: { object } }));
    expect(await read(about({ object: 'invoice', id: 'in_1', metadata: {} }))).toEqual([]);
    expect(await read(about({ object: 'checkout.session', id: 'cs_1', metadata: { marquee_payment: '1' } }))).toEqual(
      [],
    );
    expect(await read(about({ object: 'balance' }))).toEqual([]);
    await expect(read(standIn.signed('"hello"'))).rejects.toThrow(GatewayUnavailable);
    await expect(read(standIn.signed('not JSON'))).rejects.toThrow(InvalidSignature);
  });
});

describe('a refund of Stripe', () => {
  it('is found after its key was forgotten, and is not paid again', async () => {
    const { externalId } = await start();
    standIn.account.pay(externalId);
    const request = { id: 7, key: 'refund-7-x', externalId, amount: 990, currency: 'EUR' };
    const made = await stripe.refund(context(), request);
    clock.now = new Date(NOON.getTime() + 25 * 3_600_000);
    expect(await stripe.findRefund(context(), request)).toEqual(made);
  });

  it('may be pending, then done or failed, with a reason', async () => {
    standIn.account.refundsPend = true;
    const { externalId } = await start();
    standIn.account.pay(externalId);
    const request = { id: 8, key: 'refund-8-x', externalId, amount: 990, currency: 'EUR' };
    const made = await stripe.refund(context(), request);
    standIn.account.refundsPend = false;
    expect(made).toMatchObject({ status: 'pending', reason: '' });
    standIn.account.settleRefund(made.externalId, false);
    expect(await stripe.findRefund(context(), request)).toMatchObject({
      status: 'failed',
      reason: 'lost or stolen card',
    });
    expect(standIn.account.kept(externalId)).toBe(4990);
  });
});

describe('settled money of Stripe', () => {
  it('is read page by page', async () => {
    clock.now = new Date('2026-12-24T12:00:00Z');
    const ids: number[] = [];
    for (let count = 0; count < 101; count += 1) {
      const request = requestOf(under);
      const { externalId } = await stripe.start(context(), request);
      standIn.account.pay(externalId);
      ids.push(request.id);
    }
    standIn.requests.length = 0;
    const period = { from: clock.now, to: new Date(clock.now.getTime() + 1000) };
    const all = await Array.fromAsync(stripe.listSettled(context(), period));
    expect(all.map((one) => one.kind === 'payment' && one.paymentId).sort()).toEqual(ids.sort());
    expect(standIn.requests).toEqual(['GET /v1/charges', 'GET /v1/charges', 'GET /v1/refunds']);
  });
});

describe('faults of Stripe', () => {
  const SECRETS = /sk_test|whsec|example\.org|token|Planted/;
  const fault = (one: Fault) => standIn.faults.push(one);
  const quick = (): GatewayContext => {
    const { config, ...rest } = context();
    return { ...rest, config: { ...config, timeouts: { ...config.timeouts, gateway: 300 } } };
  };

  it.each(['hang', '500', '429', 'html', 'half', 'closed', 'other-shape'] as const)(
    'such as "%s" leave it unknown what happened, and a repetition finds the same page',
    async (kind) => {
      const request = requestOf(under);
      // The SDK repeats some of them itself.
      fault({ kind, times: 2, isDone: kind !== 'hang' });
      const failure = await stripe.start(quick(), request).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(GatewayUnavailable);
      expect(String(failure)).not.toMatch(SECRETS);
      expect(String(failure).length).toBeLessThan(220);
      if (kind === '429') expect(failure).toMatchObject({ retryAfter: 17 });
      standIn.faults.length = 0;
      const before = standIn.account.sessions.size;
      const started = await stripe.start(context(), request);
      expect(standIn.account.sessions.size).toBe(before + (kind === 'hang' ? 1 : 0));
      expect(await stripe.start(context(), request)).toEqual(started);
    },
  );

  it('such as a response that takes too long while the work goes on are no refusal', async () => {
    const request = requestOf(under);
    fault({ kind: 'hang', isDone: true });
    await expect(stripe.start(quick(), request)).rejects.toThrow(GatewayUnavailable);
    // In flight: Stripe refuses the key for the moment.
    await expect(stripe.start(quick(), request)).rejects.toThrow(GatewayUnavailable);
  });

  it('such as a lost response to a refund pay back once', async () => {
    const { externalId } = await start();
    standIn.account.pay(externalId);
    const request = { id: 9, key: 'refund-9-x', externalId, amount: 990, currency: 'EUR' };
    fault({ kind: 'half', request: /refunds/, isDone: true });
    await expect(stripe.refund(quick(), request)).rejects.toThrow(GatewayUnavailable);
    await stripe.refund(context(), request);
    expect(standIn.account.kept(externalId)).toBe(4000);
  });

  it('such as a wrong key name the setting, and not the key', async () => {
    const { config, ...rest } = context();
    const wrong = { ...rest, config: { ...config, stripeKey: 'sk_test_wrong000000' } };
    const failure = await stripe.check(wrong, 'cs_test_1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GatewayUnavailable);
    expect(String(failure)).toContain('MARQUEE_STRIPE_KEY');
    expect(String(failure)).not.toMatch(SECRETS);
  });

  it('are no reason to call Stripe inside a transaction', async () => {
    const { externalId } = await start();
    const { db } = server().context;
    standIn.requests.length = 0;
    await expect(db.transaction(async (trx) => stripe.check({ ...context(), db: trx }, externalId))).rejects.toThrow(
      'within a transaction',
    );
    expect(standIn.requests).toEqual([]);
  });

  it('refuse a request with a parameter that Stripe does not know', async () => {
    const response = await fetch(`${standIn.address}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${standIn.key}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'payment_intent=pi_1&surprise=1',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'parameter_unknown', param: 'surprise' } });
  });
});
