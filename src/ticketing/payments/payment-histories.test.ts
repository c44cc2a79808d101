import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { soldOf } from '../../../test/attendees.ts';
import type { Bought } from '../../../test/buyers.ts';
import { type PayingServer, startPaying } from '../../../test/gateways/paying.ts';
import type { Fault } from '../../../test/gateways/stripe-stand-in.ts';
import { DATABASES, NOON } from '../../../test/server.ts';
import { taxesOfOrder } from '../../../test/taxes.ts';
import { effort } from '../../../test/thoroughness.ts';
import { findWrongCounters } from '../../jobs/recount.ts';
import { findBookErrors } from '../books/check-books.ts';
import { findInvoicesOfOrder, invoicedOf } from '../ledger/invoices.ts';

/**
 * Random histories of orders, customers, staff, the payment service and time. At their end the money at the service is
 * the price of the places that are held, and the sum of invoices less credit notes, to the cent with its tax, and the
 * checks of the doctor find nothing.
 */

const CAPACITY = 3;
const PRICE = 2000;

/** Orders are identified by a number, modulo how many there are. */
type Step =
  | { does: 'buy' | 'buyAndPay'; quantity: number }
  | { does: 'open' | 'pay' | 'decline' | 'debit' | 'comeBack' | 'cancel' | 'dispute'; order: number }
  | { does: 'settleDebit' | 'closeDispute'; order: number; isGood: boolean }
  /** Paid while the service is out of reach until the places are given up, and perhaps sold. */
  | { does: 'payUnheard'; order: number; isSold: boolean }
  | { does: 'deliver' | 'deliverTwice' | 'loseWebhooks' | 'sellElsewhere' }
  | { does: 'refund' | 'refundPlace' | 'refundAmount' | 'void' | 'close'; order: number }
  | { does: 'pass'; minutes: number }
  | { does: 'fault'; kind: Fault['kind']; isDone: boolean; times: number };

const some = fc.nat(3);
const does = <T extends Step['does']>(...names: T[]) => fc.constantFrom(...names);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ does: does('buy', 'buyAndPay'), quantity: fc.integer({ min: 1, max: 2 }) }) },
  {
    weight: 20,
    arbitrary: fc.record({
      does: does('open', 'open', 'open', 'pay', 'pay', 'pay', 'decline', 'debit', 'comeBack', 'cancel', 'dispute'),
      order: some,
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: does('settleDebit', 'closeDispute'), order: some, isGood: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ does: does('payUnheard'), order: some, isSold: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      does: does('deliver', 'deliver', 'deliver', 'deliverTwice', 'loseWebhooks', 'sellElsewhere'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: does('refund', 'refund', 'refundPlace', 'refundAmount', 'void', 'close'),
      order: some,
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: does('pass'), minutes: fc.constantFrom(1, 12, 20, 36, 61) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: does('fault'),
      kind: fc.constantFrom('500' as const, 'closed' as const, 'html' as const, '429' as const),
      isDone: fc.boolean(),
      times: fc.constantFrom(1, 4, 40),
    }),
  },
);

interface HistoryOrder {
  bought: Bought;
  session: string | undefined;
  dispute: string | undefined;
}

/** Records that a history has made. */
interface History {
  paying: PayingServer;
  seat: number;
  orders: HistoryOrder[];
}

async function play({ paying, seat, orders }: History, steps: readonly Step[]): Promise<void> {
  const { server, standIn } = paying;
  const { account } = standIn;
  const staff = (call: string, body: unknown) => server.ask(call, { as: 'administrator', body });
  for (const one of steps) {
    const chosen = 'order' in one && orders.length > 0 ? orders[one.order % orders.length] : undefined;
    const order = chosen?.bought;
    // Steps that are impossible now are left out by the stand-in or refused by the server.
    const atService = (act: (session: string) => unknown) => {
      try {
        if (chosen?.session) act(chosen.session);
      } catch {
        // The page is closed.
      }
    };
    switch (one.does) {
      case 'buy':
        await paying.buyByCard(seat, one.quantity).then(
          (bought) => orders.push({ bought, session: undefined, dispute: undefined }),
          () => undefined,
        );
        break;
      case 'buyAndPay': {
        const bought = await paying.buyByCard(seat, one.quantity).catch(() => undefined);
        if (!bought) break;
        const session = await paying.open(bought).catch(() => undefined);
        orders.push({ bought, session, dispute: undefined });
        if (session) account.pay(session);
        await paying.deliver();
        break;
      }
      case 'open':
        if (chosen) chosen.session = (await paying.open(chosen.bought).catch(() => undefined)) ?? chosen.session;
        break;
      case 'pay':
        atService((session) => account.pay(session));
        break;
      case 'payUnheard':
        if (!chosen || (await paying.read(chosen.bought)).status !== 'pending') break;
        chosen.session = (await paying.open(chosen.bought).catch(() => undefined)) ?? chosen.session;
        atService((session) => account.pay(session));
        standIn.takeWebhooks();
        standIn.faults.push({ kind: '500', times: 10_000 });
        for (const minutes of [40, 20]) await paying.pass(minutes);
        if (one.isSold)
          for (let place = 0; place < CAPACITY; place += 1)
            await staff('POST admin:/orders', { items: [{ ticket_id: seat, quantity: 1 }], payment: 'cash' });
        standIn.faults.length = 0;
        break;
      case 'decline':
        atService((session) => account.decline(session));
        break;
      case 'debit':
        atService((session) => account.debit(session));
        break;
      case 'settleDebit':
        atService((session) => account.settleDebit(session, one.isGood));
        break;
      case 'dispute':
        // Banks are asked for what was not given back.
        atService((session) => {
          if (chosen && !chosen.dispute && account.kept(session) > 0 && !hasRefunds(paying, session))
            chosen.dispute = account.dispute(session).id;
        });
        break;
      case 'closeDispute':
        if (chosen?.dispute && account.disputes.get(chosen.dispute)?.status === 'needs_response')
          account.closeDispute(chosen.dispute, one.isGood ? 'won' : 'lost');
        break;
      case 'comeBack':
        if (order) await paying.comeBack(order);
        break;
      case 'cancel':
        if (order) await server.ask(`POST tickets:/orders/${order.id}/cancel`, { headers: order.headers, body: {} });
        break;
      case 'deliver':
        await paying.deliver();
        break;
      case 'deliverTwice':
        for (const webhook of standIn
          .takeWebhooks()
          .flatMap((one) => [one, one])
          .toReversed())
          await server.request('/calendar/tickets/v1/gateways/stripe/webhook', webhook);
        break;
      case 'loseWebhooks':
        standIn.takeWebhooks();
        break;
      case 'sellElsewhere':
        await staff('POST admin:/orders', { items: [{ ticket_id: seat, quantity: 1 }], payment: 'cash' });
        break;
      case 'refund':
        if (order) await staff(`POST admin:/orders/${order.id}/refunds`, {});
        break;
      case 'refundPlace': {
        const place = order?.attendees[0]?.id;
        if (order) await staff(`POST admin:/orders/${order.id}/refunds`, { attendees: [place] });
        break;
      }
      case 'refundAmount':
        if (order) await staff(`POST admin:/orders/${order.id}/refunds`, { amount: 500 });
        break;
      case 'void':
        // Unpaid orders only: of others staff decide about the money.
        if (order && (await paying.read(order)).paid.minor === 0)
          await staff(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
        break;
      case 'close':
        if (order) await staff(`POST admin:/orders/${order.id}/payments/close`, {});
        break;
      case 'pass':
        await paying.pass(one.minutes);
        break;
      case 'fault': {
        const { kind, isDone, times } = one;
        standIn.faults.push({ kind, isDone, times });
      }
    }
  }
}

const hasRefunds = ({ standIn }: PayingServer, session: string): boolean => {
  const intent = standIn.account.sessions.get(session)?.payment_intent;
  return [...standIn.account.refunds.values()].some(({ payment_intent }) => payment_intent === intent);
};

/** Lets everything come to its end: pending debits, disputes, jobs, deadlines, and looks instead of webhooks. */
async function end({ paying, orders }: History): Promise<void> {
  const { account, faults } = paying.standIn;
  faults.length = 0;
  for (const { session, dispute } of orders) {
    const intent = account.intents.get(String(account.sessions.get(session ?? '')?.payment_intent));
    if (session && intent?.status === 'processing') account.settleDebit(session, /[13579]$/.test(session));
    if (dispute && account.disputes.get(dispute)?.status === 'needs_response')
      account.closeDispute(dispute, /[13579]$/.test(dispute) ? 'won' : 'lost');
  }
  await paying.deliver();
  for (const minutes of [1, 40, 61, 61, 400, 400]) await paying.pass(minutes);
  // Staff try again what a bank had refused meanwhile.
  for (const { bought } of orders)
    for (const { id, status } of (await paying.read(bought)).refunds)
      if (status === 'failed')
        await paying.server.ask(`POST admin:/refunds/${id}/retry`, { as: 'administrator', body: {} });
  await paying.work();
}

/** Row of an order in its response. */
type Row = Record<string, string | number>;

/** Contradictions between the books, the places and the money at the service; none after every history. */
async function contradictions({ paying, seat, orders }: History): Promise<string[]> {
  const { server, standIn } = paying;
  const found: string[] = [];
  let sold = 0;
  for (const { bought } of orders) {
    const order = await paying.read(bought);
    const places = order.attendees.filter(({ status }: { status: string }) => status === 'publish').length;
    sold += places;
    const kept = order.payments
      .filter(({ external_id }: { external_id: string | null }) => external_id !== null)
      .reduce((sum: number, { external_id }: { external_id: string }) => sum + standIn.account.kept(external_id), 0);
    const money = `${order.status}: ${places} places, total ${order.total.minor}, paid ${order.paid.minor}, at the service ${kept}`;
    const credit = order.charges.reduce(
      (sum: number, { amount }: { amount: { minor: number } }) => sum + amount.minor,
      0,
    );
    if (order.status === 'completed') {
      if (order.total.minor !== places * PRICE + credit) found.push(`total, ${money}`);
      if (order.paid.minor !== order.total.minor) found.push(`money, ${money}`);
    } else if (places > 0 || order.paid.minor !== 0) found.push(`no place, but ${money}`);
    if (kept !== order.paid.minor) found.push(`books, ${money}`);
    const invoiced = invoicedOf(await findInvoicesOfOrder(server.context.db, bought.id));
    if (invoiced !== order.paid.minor) found.push(`invoices ${invoiced}, ${money}`);
    const { stated, due } = await taxesOfOrder(server, bought.id);
    if (String(stated) !== String(due)) found.push(`taxes ${stated} instead of ${due}, ${money}`);
    // A failed one does not matter once the money went another way.
    const isOpen = ({ status }: Row) => status === 'requested' || status === 'pending';
    if (order.refunds.some(isOpen)) found.push(`refund open, ${money}`);
  }
  const elsewhere = await server.context.db.query
    .selectFrom('attendees')
    .innerJoin('orders', 'orders.id', 'attendees.order_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('ticket_id', '=', seat)
    .where('attendees.status', '=', 'publish')
    .where('gateway', '=', 'cash')
    .executeTakeFirstOrThrow();
  const counter = await soldOf(server, seat);
  if (counter !== sold + Number(elsewhere.count)) found.push(`counter ${counter}, places ${sold} + ${elsewhere.count}`);
  if (counter > CAPACITY) found.push(`${counter} of ${CAPACITY} places sold`);
  return found;
}

describe.each(DATABASES)('every history of payments on %s', (kind) => {
  let paying: PayingServer;
  let tax_rate_id: number;
  beforeAll(async () => {
    paying = await startPaying(kind, { invoices: 'paid' });
    const rate = { name: 'VAT', rate: 19_000, included: true };
    tax_rate_id = (await paying.server.make('POST admin:/tax-rates', rate)).id;
  });
  const makeTaxed = async () => {
    const id = await paying.makeSeat(CAPACITY);
    await paying.server.context.db.query.updateTable('tickets').set({ tax_rate_id }).where('id', '=', id).execute();
    return id;
  };
  afterAll(() => paying.close());

  it('ends with the price of the places that are held at the payment service', async () => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        paying.server.clock.now = NOON;
        const history: History = { paying, seat: await makeTaxed(), orders: [] };
        await play(history, steps);
        await end(history);
        for (const { bought } of history.orders) reached.add((await paying.read(bought)).status);
        expect(await contradictions(history)).toEqual([]);
        const { db } = paying.server.context;
        expect([await findBookErrors(db), await findWrongCounters(db)]).toEqual([[], []]);
      }),
      { numRuns: effort(2000, 12), seed: 29, endOnFailure: true },
    );
    // Otherwise the histories would prove little.
    expect([...reached].sort()).toEqual(['completed', 'not-completed', 'refunded', 'reversed', 'voided']);
  });
});
