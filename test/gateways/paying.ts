import { expireUnpaid } from '../../src/jobs/expire-unpaid.ts';
import { lookAfterPayments } from '../../src/ticketing/payments/look-after-payments.ts';
import { makeSeat } from '../attendees.ts';
import { type Bought, buy } from '../buyers.ts';
import { runJobs } from '../jobs.ts';
import { type DatabaseKind, NOON, startTestServer, type TestServer } from '../server.ts';
import { makeEvent } from '../tickets.ts';
import { type StripeStandIn, startStripe } from './stripe-stand-in.ts';

/** A server that takes payments at the stand-in of Stripe, and what customers and time do to it. */
export interface PayingServer {
  server: TestServer;
  standIn: StripeStandIn;
  /** Buys places by card; the order waits for its payment. */
  buyByCard(ticketId: number, quantity?: number): Promise<Bought>;
  /** Opens the page of the payment of an order, and returns the id of its session. */
  open(order: Bought): Promise<string>;
  /** The customer comes back from the payment page. */
  comeBack(order: Bought): Promise<void>;
  /** Sends all webhooks that were not sent yet, and does what they cause. */
  deliver(): Promise<void>;
  /** Lets time pass, and does what is due then. */
  pass(minutes: number): Promise<void>;
  /** Does all due work at the present time. */
  work(): Promise<void>;
  /** An order, as staff see it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies as clients do
  read(order: { id: number }): Promise<any>;
  makeSeat(capacity: number): Promise<number>;
  /** Leaves no faults, webhooks or time of a test to the next. */
  reset(): void;
  close(): Promise<void>;
}

export async function startPaying(kind: DatabaseKind, settings = {}): Promise<PayingServer> {
  let clock = { now: NOON };
  const standIn = await startStripe({ now: () => clock.now });
  const server = await startTestServer(kind, { ...standIn.settings, ...settings });
  clock = server.clock;
  await server.make('PATCH admin:/site', { payment_ways: [{ id: 'card', gateway: 'stripe' }] });
  const { context } = server;
  const work = async () => {
    await lookAfterPayments(context);
    await runJobs(context);
    await expireUnpaid(context);
    await runJobs(context);
  };
  return {
    server,
    standIn,
    work,
    buyByCard: (ticketId, quantity = 1) => buy(server, Array(quantity).fill(ticketId), { payment: 'card' }),
    async open({ id, headers }) {
      const { status, body, text } = await server.ask(`POST tickets:/orders/${id}/payments`, { headers, body: {} });
      if (status !== 201) throw new Error(`the payment was not opened: ${status} ${text}`);
      return new URL(body.redirect_url).pathname.split('/').at(-1) ?? '';
    },
    async comeBack({ id, headers }) {
      await server.ask(`POST tickets:/orders/${id}/payments/check`, { headers, body: {} });
    },
    async deliver() {
      for (const webhook of standIn.takeWebhooks())
        await server.request('/calendar/tickets/v1/gateways/stripe/webhook', webhook);
      await runJobs(context);
    },
    async pass(minutes) {
      clock.now = new Date(clock.now.getTime() + minutes * 60_000);
      await work();
    },
    read: async ({ id }) => (await server.ask(`GET admin:/orders/${id}`, { as: 'administrator' })).body,
    makeSeat: async (capacity) => makeSeat(server, await makeEvent(server), capacity, { price: '20' }),
    reset() {
      standIn.faults.length = 0;
      standIn.onRequest = undefined;
      standIn.account.refundsPend = false;
      standIn.takeWebhooks();
      clock.now = NOON;
    },
    async close() {
      await server.close();
      await standIn.close();
    },
  };
}
