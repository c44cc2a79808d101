import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  Gateway,
  GatewayContext,
  PaymentRequest,
  RefundRequest,
} from '../../src/ticketing/payments/gateways/gateway.ts';
import { GatewayRefusal, InvalidSignature } from '../../src/ticketing/payments/gateways/gateway.ts';

/**
 * Contract of payment gateways. A new one, such as of Mollie or PayPal, brings a stand-in for its service, or a test
 * account of it, that customers and banks of the test can act on, and passes these tests. Members that a service cannot
 * offer are undefined; their tests are then not defined.
 */
export interface GatewayUnderTest {
  gateway: Gateway;
  context(): GatewayContext;
  /** Currency of the payments. */
  currency: string;
  /** The customer pays on the open page. */
  pay(externalId: string): Promise<void>;
  /** The means of payment is refused; the page stays open. */
  decline?(externalId: string): Promise<void>;
  /** The customer pays by a means that takes days. */
  payLater?(externalId: string): Promise<void>;
  /** The bank decides about such a payment. */
  settle?(externalId: string, isPaid: boolean): Promise<void>;
  /** The page reaches its end. */
  expire?(externalId: string): Promise<void>;
  /** The customer asks the bank for the money back, and the bank decides. */
  dispute?(externalId: string): Promise<{ close(status: 'won' | 'lost'): Promise<void> }>;
  /** Genuine webhooks of what happened since the last call. */
  webhooks?(): Promise<{ bytes: Buffer; headers: Readonly<Record<string, string>> }[]>;
  /** Money of a payment at the service, in its minor units. */
  kept?(externalId: string): number;
}

/** Number of the first payment; those of a real account must not repeat. */
let last = Math.floor(Date.now() / 1000) % 1_000_000_000;

const AMOUNT = 4990;

/** End of the page: the time of the clock plus some minutes, UTC. */
const minutesFrom = (now: Date, minutes: number): string =>
  new Date(now.getTime() + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');

export function requestOf({ context, currency }: Pick<GatewayUnderTest, 'context' | 'currency'>): PaymentRequest {
  last += 1;
  return {
    id: last,
    key: `payment-${last}-${context().now().getTime()}`,
    orderNumber: `MQ-${last}`,
    amount: AMOUNT,
    currency,
    description: '2 × Lantern Walk <b>&amp; more</b>',
    email: 'ada@example.org',
    language: 'fr-CH',
    returnUrl: 'https://events.example.org/order/12/token/?paid=1&x=é',
    cancelUrl: 'https://events.example.org/order/12/token/',
    ends: minutesFrom(context().now(), 35),
  };
}

const refundOf = (externalId: string, amount: number, currency: string): RefundRequest => {
  last += 1;
  return { id: last, key: `refund-${last}-${externalId}`, externalId, amount, currency };
};

export function gatewayContract(name: string, under: GatewayUnderTest): void {
  const { gateway, currency } = under;
  const context = () => under.context();
  const start = async () => {
    const request = requestOf(under);
    return { request, ...(await gateway.start(context(), request)) };
  };
  const refund = (externalId: string, amount: number) =>
    gateway.refund(context(), refundOf(externalId, amount, currency));

  describe(`a payment at ${name}`, () => {
    beforeEach(() => expect.hasAssertions());

    it('opens a page, the same one if it is started again', async () => {
      const { request, externalId, pageUrl } = await start();
      expect(new URL(pageUrl).protocol).toMatch(/^https?:$/);
      expect(externalId).not.toBe('');
      expect(await gateway.start(context(), request)).toEqual({ externalId, pageUrl });
      expect(await gateway.check(context(), externalId)).toEqual({
        ...{ status: 'open', amount: AMOUNT, currency, instrument: '', returned: 0, fee: null, reason: '' },
      });
      const other = await start();
      expect(other.externalId).not.toBe(externalId);
    });

    it('is refused with the key of another amount', async () => {
      const { request } = await start();
      const other = { ...request, amount: AMOUNT + 1 };
      await expect(gateway.start(context(), other)).rejects.toThrow(GatewayRefusal);
    });

    it('is paid, with the means and the fee', async () => {
      const { externalId } = await start();
      await under.pay(externalId);
      const state = await gateway.check(context(), externalId);
      expect(state).toMatchObject({ status: 'paid', amount: AMOUNT, currency, reason: '' });
      expect(state.instrument).toMatch(/\S/);
      expect(state.fee ?? 0).toBeLessThan(AMOUNT);
    });

    it('is cancelled while it is open, and can then not be paid', async () => {
      const { externalId } = await start();
      expect(await gateway.cancel(context(), externalId)).toMatchObject({ status: 'cancelled' });
      await expect(under.pay(externalId)).rejects.toThrow();
      expect(await gateway.cancel(context(), externalId)).toMatchObject({ status: 'cancelled' });
      expect(await gateway.check(context(), externalId)).toMatchObject({ status: 'cancelled' });
    });

    it('stays paid when it is cancelled too late', async () => {
      const { externalId } = await start();
      await under.pay(externalId);
      expect(await gateway.cancel(context(), externalId)).toMatchObject({ status: 'paid', amount: AMOUNT });
    });

    it('is unknown if it was never started', async () => {
      const { externalId } = await start();
      const unknown = `${externalId}0`;
      await expect(gateway.check(context(), unknown)).rejects.toThrow(GatewayRefusal);
    });

    if (under.decline)
      it('stays open after a decline, and can then be paid', async () => {
        const { externalId } = await start();
        await under.decline?.(externalId);
        expect(await gateway.check(context(), externalId)).toMatchObject({ status: 'open' });
        await under.pay(externalId);
        expect(await gateway.check(context(), externalId)).toMatchObject({ status: 'paid' });
      });

    if (under.expire)
      it('is cancelled when it expires', async () => {
        const { externalId } = await start();
        await under.expire?.(externalId);
        expect(await gateway.check(context(), externalId)).toMatchObject({ status: 'cancelled' });
      });

    if (under.payLater && under.settle)
      it.each([
        [true, 'paid', /^$/],
        [false, 'failed', /\S/],
      ] as const)('that takes days is processing, then settled: %s', async (isPaid, status, reason) => {
        const { externalId } = await start();
        await under.payLater?.(externalId);
        expect(await gateway.check(context(), externalId)).toMatchObject({ status: 'processing', amount: AMOUNT });
        await under.settle?.(externalId, isPaid);
        const state = await gateway.check(context(), externalId);
        expect(state).toMatchObject({ status, amount: AMOUNT });
        expect(state.reason).toMatch(reason);
      });
  });

  describe(`a refund at ${name}`, () => {
    it('gives money back once, however often it is sent', async () => {
      const { externalId } = await start();
      await under.pay(externalId);
      const request = refundOf(externalId, 990, currency);
      expect(await gateway.findRefund(context(), request)).toBeUndefined();
      const made = await gateway.refund(context(), request);
      expect(['pending', 'done']).toContain(made.status);
      expect(await gateway.refund(context(), request)).toEqual(made);
      expect(await gateway.findRefund(context(), request)).toEqual(made);
      expect((await gateway.findRefund(context(), { ...request, key: 'another' }))?.externalId).toBeUndefined();
      if (under.kept) expect(under.kept(externalId)).toBe(AMOUNT - 990);
      // A payment stays paid: the server knows what it gave back.
      expect(await gateway.check(context(), externalId)).toMatchObject({ status: 'paid', amount: AMOUNT });
    });

    it('is refused beyond what was paid', async () => {
      const { externalId } = await start();
      await expect(refund(externalId, 1000)).rejects.toThrow(GatewayRefusal);
      await under.pay(externalId);
      await refund(externalId, AMOUNT - 1000);
      await expect(refund(externalId, 1001)).rejects.toThrow(GatewayRefusal);
      await refund(externalId, 1000);
      await expect(refund(externalId, 100)).rejects.toThrow(GatewayRefusal);
      if (under.kept) expect(under.kept(externalId)).toBe(0);
    });
  });

  if (under.dispute)
    describe(`a dispute at ${name}`, () => {
      it.each([
        ['won', 'paid'],
        ['lost', 'lost'],
      ] as const)('that is %s leaves the payment %s', async (outcome, status) => {
        const { externalId } = await start();
        await under.pay(externalId);
        const dispute = await under.dispute?.(externalId);
        expect(await gateway.check(context(), externalId)).toMatchObject({ status: 'disputed', amount: AMOUNT });
        await dispute?.close(outcome);
        expect(await gateway.check(context(), externalId)).toMatchObject({ status });
      });
    });

  if (under.webhooks)
    describe(`a webhook of ${name}`, () => {
      const read = ({ bytes, headers }: { bytes: Buffer; headers: Readonly<Record<string, string>> }) =>
        gateway.readWebhook(context(), { bytes, header: (asked) => headers[asked.toLowerCase()] });
      afterEach(() => under.webhooks?.());

      it('names its payment, and is refused if a byte differs', async () => {
        const { request, externalId } = await start();
        await under.webhooks?.();
        await under.pay(externalId);
        const received = (await under.webhooks?.()) ?? [];
        expect(received.length).toBeGreaterThan(0);
        for (const webhook of received) {
          const named = await read(webhook);
          expect(named.length).toBeGreaterThan(0);
          for (const one of named) expect([{ externalId }, { id: request.id }]).toContainEqual(one);
          const altered = Buffer.from(webhook.bytes);
          altered[altered.length - 1] = 0x20;
          await expect(read({ ...webhook, bytes: altered })).rejects.toThrow(InvalidSignature);
          await expect(read({ ...webhook, headers: {} })).rejects.toThrow(InvalidSignature);
        }
      });
    });

  describe(`the settled money at ${name}`, () => {
    it('has every payment and refund of the period', async () => {
      const { request, externalId } = await start();
      await under.pay(externalId);
      const given = refundOf(externalId, 500, currency);
      await gateway.refund(context(), given);
      const open = await start();
      const now = context().now().getTime();
      const period = { from: new Date(now - 60_000), to: new Date(now + 60_000) };
      const settled = (await Array.fromAsync(gateway.listSettled(context(), period))).filter(
        (one) => one.kind !== 'unreadable' && [request.id, open.request.id].includes(one.paymentId),
      );
      expect(settled).toMatchObject([
        { kind: 'payment', paymentId: request.id, amount: AMOUNT, currency },
        { kind: 'refund', paymentId: request.id, refundId: given.id, amount: 500, currency },
      ]);
      const later = { from: new Date(now + 60_000), to: new Date(now + 120_000) };
      expect(await Array.fromAsync(gateway.listSettled(context(), later))).toEqual([]);
    });
  });
}
