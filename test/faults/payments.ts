import { setTimeout as delay } from 'node:timers/promises';
import { type StripeStandIn, startStripe } from '../gateways/stripe-stand-in.ts';
import { hold, openEvent, openTicket } from '../race-actions.ts';
import { DATABASES } from '../server.ts';
import type { RaceAnswer } from '../two-servers.ts';
import { aftermath } from './aftermath.ts';
import { type Part, type Setup, Tally } from './part.ts';
import { type Site, withSite } from './site.ts';

const PRICE = 2000;
/** Amount that some customers get back and keep their place. */
const PART = 500;
/** Milliseconds for which an address may stay away. */
const PAUSE = 30;

/** The shop of a site, whose customers pay by card. */
interface Shop {
  site: Site;
  standIn: StripeStandIn;
  ticketId: number;
  answers: Tally;
}

/** Sends a request until a process responds. */
async function asked({ site, answers }: Shop, ...call: Parameters<Site['ask']>): Promise<RaceAnswer> {
  for (;;) {
    const answer = await site.ask(...call).catch(() => undefined);
    answers.add(answer?.status ?? 'none');
    if (answer && answer.status < 500) return answer;
    await delay(PAUSE);
  }
}

/** Delivers webhooks as Stripe does: again until one gets a response; some never arrive. */
async function deliver({ site, standIn, answers }: Shop, isLost: boolean): Promise<void> {
  const webhooks = standIn.takeWebhooks();
  if (isLost) return;
  for (const webhook of webhooks)
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const address = site.addresses[attempt % site.addresses.length];
      const status = await fetch(`${address}/calendar/tickets/v1/gateways/stripe/webhook`, webhook).then(
        (answer) => answer.status,
        () => 'none',
      );
      answers.add(status);
      if (status === 200) break;
      await delay(PAUSE);
    }
}

/** A customer buys, mostly pays, sometimes comes back or gives up; staff give some of the money back. */
async function visit(shop: Shop, turn: number): Promise<void> {
  const { standIn, ticketId } = shop;
  const held = await hold(shop.site, ticketId).catch(() => undefined);
  if (held?.status !== 200) return;
  const checkout = await asked(shop, 'POST tickets:/cart/checkout', {
    headers: { 'X-Cart-Token': String(held.headers['x-cart-token']) },
    body: { purchaser: { name: 'Guest', email: 'guest@example.test' }, payment: 'card' },
  });
  // The response of a sale may have been lost: the customer finds the cart empty, and the order waits until it expires.
  if (checkout.status !== 201) return;
  const { id, token } = checkout.body.order;
  const headers = { 'X-Order-Token': token };
  const opened = await asked(shop, `POST tickets:/orders/${id}/payments`, { headers, body: {}, anonymous: true });
  if (opened.status !== 201) return;
  const session = new URL(opened.body.redirect_url).pathname.split('/').at(-1) ?? '';
  if (turn % 5 === 1) {
    await asked(shop, `POST tickets:/orders/${id}/cancel`, { headers, body: {}, anonymous: true });
    return;
  }
  if (turn % 5 !== 2) standIn.account.pay(session);
  if (turn % 4 === 0) await asked(shop, `POST tickets:/orders/${id}/payments/check`, { headers, body: {} });
  await deliver(shop, turn % 3 === 0);
  if (turn % 2 === 0)
    await asked(shop, `POST admin:/orders/${id}/refunds`, { body: turn % 4 === 0 ? {} : { amount: PART } });
}

/** Makes everything due, as hours later, until nothing is left to do. */
async function settle({ site: { db } }: Shop, timeout: number): Promise<boolean> {
  const until = performance.now() + timeout;
  const past = '2000-01-01 00:00:00';
  while (performance.now() < until) {
    await db.query.updateTable('payments').set({ created_utc: past, checked_utc: past }).execute();
    await db.query.updateTable('refunds').set({ modified_utc: past }).where('status', '<>', 'done').execute();
    await db.query.updateTable('orders').set({ expires_utc: past }).where('status', '=', 'pending').execute();
    await db.query.updateTable('jobs').set({ due_utc: past }).where('state', '<>', 'dead').execute();
    await delay(1000);
    if ((await countUnsettled(db)) === 0) return true;
  }
  return false;
}

async function countUnsettled(db: Site['db']): Promise<number> {
  const [payments, refunds, orders] = await Promise.all([
    db.query.selectFrom('payments').select('id').where('status', 'in', ['created', 'open']).execute(),
    db.query.selectFrom('refunds').select('id').where('status', 'in', ['requested', 'pending']).execute(),
    db.query.selectFrom('orders').select('id').where('status', '=', 'pending').execute(),
  ]);
  return payments.length + refunds.length + orders.length;
}

/** Orders whose books differ from the money at the service. */
async function contradictions({ site, standIn }: Shop): Promise<string[]> {
  const found: string[] = [];
  const { account } = standIn;
  const booked = new Map<string, number>();
  for (const { external_id, amount, refunded, status } of await site.db.query
    .selectFrom('payments')
    .selectAll()
    .execute()) {
    if (external_id === null) continue;
    if (booked.has(external_id)) found.push(`${external_id} is the page of two payments`);
    booked.set(external_id, status === 'paid' ? amount - refunded : 0);
  }
  for (const id of account.sessions.keys()) {
    const kept = account.kept(id);
    if (kept !== (booked.get(id) ?? 0)) found.push(`${id} keeps ${kept}, but ${booked.get(id)} is booked`);
  }
  const orders = await site.db.query
    .selectFrom('orders')
    .select(({ selectFrom, ref }) => [
      'id',
      'status',
      selectFrom('attendees')
        .whereRef('order_id', '=', ref('orders.id'))
        .where('status', '=', 'publish')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('places'),
      selectFrom('payments')
        .whereRef('order_id', '=', ref('orders.id'))
        .where('status', '=', 'paid')
        .select(({ fn }) => fn.sum<number | null>('amount').as('sum'))
        .as('paid'),
      selectFrom('refunds')
        .whereRef('order_id', '=', ref('orders.id'))
        .where('status', '=', 'done')
        .select(({ fn }) => fn.sum<number | null>('amount').as('sum'))
        .as('refunded'),
      selectFrom('order_charges')
        .whereRef('order_id', '=', ref('orders.id'))
        .select(({ fn }) => fn.sum<number | null>('amount').as('sum'))
        .as('charges'),
    ])
    .execute();
  for (const { id, status, places, paid, refunded, charges } of orders) {
    const money = Number(paid ?? 0) - Number(refunded ?? 0) - Number(charges ?? 0);
    const isFinal = status === 'completed' ? Number(places) * PRICE === money : Number(places) + money === 0;
    if (!isFinal) found.push(`order ${id} is ${status} with ${places} places for ${money}`);
  }
  return found;
}

/** Requests of the processes to the service at whose arrival they are killed. */
const KILLED_AT = [/^POST .*refunds/, /^POST .*sessions$/, /expire/, /^GET/];

/** Waits until the service receives a request, and returns its kind. */
function reached({ standIn }: Shop, wanted: RegExp): Promise<string> {
  return new Promise((resolve) => {
    standIn.onRequest = (request) => {
      if (!wanted.test(request)) return;
      standIn.onRequest = undefined;
      resolve(request.replace(/_test\w+|[a-z]+_\d+/, '…'));
    };
  });
}

async function run({ kind, postgresUrl, isShort }: Setup) {
  const [kills, callers] = isShort ? [3, 4] : [40, 8];
  const standIn = await startStripe();
  const settings = {
    MARQUEE_STRIPE_KEY: standIn.key,
    MARQUEE_STRIPE_WEBHOOK_SECRET: standIn.secret,
    MARQUEE_STRIPE_URL: standIn.address,
  };
  try {
    return await withSite({ kind, postgresUrl, processes: 2, isPatient: true, settings }, async (site) => {
      await site.ask('PATCH admin:/site', { body: { payment_ways: [{ id: 'card', gateway: 'stripe' }] } });
      const limits = { mode: 'own', capacity: 100_000 } as const;
      const ticketId = await openTicket(site, await openEvent(site), limits, { price: '20' });
      const shop: Shop = { site, standIn, ticketId, answers: new Tally() };
      let isOpen = true;
      const all = Array.from({ length: callers }, async (_, caller) => {
        for (let turn = caller; isOpen; turn += 1) await visit(shop, turn);
      });
      const hits = new Tally();
      for (let kill = 0; kill < kills; kill += 1) {
        const request = await reached(shop, KILLED_AT[kill % KILLED_AT.length] ?? /^/);
        await Promise.all([0, 1].map((index) => site.end(index, 'SIGKILL')));
        hits.add(request);
        await Promise.all([0, 1].map((index) => site.restart(index)));
      }
      isOpen = false;
      await Promise.all(all);
      const isSettled = await settle(shop, isShort ? 60_000 : 180_000);
      const { sessions, refunds } = standIn.account;
      return {
        did: `${sessions.size} payments and ${refunds.size} refunds at two processes that were killed ${kills} times`,
        figures: { responses: String(shop.answers), 'killed at': String(hits) },
        problems: [
          ...(isSettled ? [] : ['payments, refunds or orders are left open']),
          ...(sessions.size === 0 || refunds.size === 0 ? ['no payment or no refund was made'] : []),
          ...(await contradictions(shop)),
          ...(await aftermath(site)),
        ],
      };
    });
  } finally {
    await standIn.close();
  }
}

export const payments: Part = {
  name: 'payments',
  about:
    'Two processes are killed while customers pay by card: the books, the places and the money at the service agree.',
  databases: DATABASES,
  usual: 'postgres',
  run,
};
