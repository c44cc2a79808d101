import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../src/base/context.ts';
import { toUtc } from '../src/lib/dates/dates.ts';
import { seal } from '../src/lib/seal.ts';
import { noteComparison } from '../src/ticketing/books/findings.ts';
import { findRefundsOfOrder, moveRefund } from '../src/ticketing/ledger/refunds.ts';
import { codeOf, makeAttendee, makeRsvp, makeSeat, pageOf } from './attendees.ts';
import { asHolder, buy, lastMailOf, markSent } from './buyers.ts';
import { makeGate, pairDevice, scanOf } from './door.ts';
import { type Everything, png, upload } from './fixtures.ts';
import { signWebhook } from './gateways/sign-webhook.ts';
import { type StripeStandIn, startStripe } from './gateways/stripe-stand-in.ts';
import { addImport, addSubscription, endImports } from './imports.ts';
import { addDeadJob } from './jobs.ts';
import { sealFor } from './seal.ts';
import type { Answer, Asking, TestServer } from './server.ts';
import {
  beginFactor,
  bySession,
  confirmFactor,
  linkToken,
  newPerson,
  openLink,
  sessionOf,
  signIn,
} from './sessions.ts';
import { holdOf, shopperOf } from './shopper.ts';
import { makeEvent, nonce } from './tickets.ts';
import { makeCertificates, makeGoogleAccount } from './wallet-keys.ts';

/** A request that succeeds for an administrator. */
interface Sample extends Pick<Asking, 'query' | 'body' | 'form' | 'headers'> {
  /** Values of the path, in order. */
  path?: (string | number)[];
  /** The header `Cookie` of the session that may, in place of the administrator. */
  session?: string;
  /** Token of the device at the door that may, beside the administrator. */
  device?: string;
  /** Status for a subscriber, if it is not 403. */
  subscriber?: number;
  /** Status and code for visitors, if they are not 401 and `rest_forbidden`. */
  stranger?: [status: number, code?: string];
}

/** A mail server that nothing is sent to. */
export const SMTP = { host: '127.0.0.1', port: 1, secure: false, isPlain: true, login: undefined };

/** Input with which a sample succeeds. */
export function authorised({ session, device, headers }: Sample): Pick<Asking, 'as' | 'headers'> {
  if (session !== undefined) return { headers: { ...headers, ...bySession(session) } };
  if (device !== undefined) return { as: 'administrator', headers: { ...headers, 'x-api-key': device } };
  return { as: 'administrator' };
}

export type MakeSample = (world: Everything, server: TestServer) => Sample | Promise<Sample>;

const WALK = { title: 'Short walk', start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' };
const EVENING = { _EventStartDate: '2027-05-01 19:00:00', _EventEndDate: '2027-05-01 21:00:00' };
const made = async (server: TestServer, call: string, body: unknown) =>
  (await server.make(call, body)) as Answer['body'];
const DAILY = { rrule: 'FREQ=DAILY;COUNT=3' };
const seriesOf = async (server: TestServer): Promise<number> =>
  (await made(server, 'POST /series', { event: { ...WALK, title: fresh('Walk') }, recurrence: DAILY })).id;
let serial = 0;
const fresh = (word: string) => `${word}${++serial}`;

/** Endpoints of the console for all kinds of linked records. */
const merging = (plural: string, body: () => object): Record<string, MakeSample> => ({
  [`${plural}.counted`]: () => ({ query: { per_page: 1 } }),
  [`${plural}.duplicates`]: () => ({}),
  [`${plural}.merge`]: async (_world, server) => {
    const [one, other] = [await made(server, `POST /${plural}`, body()), await made(server, `POST /${plural}`, body())];
    return { path: [one.id], body: { from: [other.id] } };
  },
});

/** Records that prices are made of. */
const priceRecords = (plural: string, path: string, body: () => object): Record<string, MakeSample> => {
  const create = (server: TestServer) => made(server, `POST admin:/${path}`, body());
  return {
    [`${plural}.list`]: async (_world, server) => {
      await create(server);
      return {};
    },
    [`${plural}.create`]: () => ({ body: body() }),
    [`${plural}.update`]: async (_world, server) => ({ path: [(await create(server)).id], body: body() }),
    [`${plural}.delete`]: async (_world, server) => ({ path: [(await create(server)).id] }),
  };
};

const linked = (plural: string, kind: 'venue' | 'organizer'): Record<string, MakeSample> => {
  const create = (server: TestServer) => made(server, `POST /${plural}`, { [kind]: fresh(kind) });
  return {
    ...merging(plural, () => ({ [kind]: fresh(kind) })),
    [`${plural}.list`]: () => ({ query: { per_page: 1 } }),
    [`${plural}.create`]: () => ({ body: { [kind]: fresh(kind), website: 'https://example.org' } }),
    [`${plural}.read`]: (world) => ({ path: [world[kind]] }),
    [`${plural}.update`]: (world) => ({ path: [world[kind]], body: { phone: fresh('') } }),
    [`${plural}.delete`]: async (_world, server) => ({ path: [(await create(server)).id] }),
    [`${plural}.read_by_slug`]: async (_world, server) => ({ path: [(await create(server)).slug] }),
    [`${plural}.update_by_slug`]: async (_world, server) => ({
      path: [(await create(server)).slug],
      body: { phone: '1' },
    }),
    [`${plural}.delete_by_slug`]: async (_world, server) => ({
      path: [(await create(server)).slug],
      query: { force: true },
    }),
  };
};

const terms = (plural: string, kind: 'category' | 'tag'): Record<string, MakeSample> => ({
  ...merging(plural, () => ({ name: fresh(kind) })),
  [`${plural}.list`]: () => ({ query: { per_page: 1, hide_empty: false } }),
  [`${plural}.create`]: () => ({ body: { name: fresh(kind) } }),
  [`${plural}.read`]: (world) => ({ path: [world[kind]] }),
  [`${plural}.update`]: (world) => ({ path: [world[kind]], body: { description: fresh('') } }),
  [`${plural}.delete`]: async (_world, server) => ({
    path: [(await made(server, `POST /${plural}`, { name: fresh(kind) })).id],
  }),
});

/** The records of the samples above, in the core namespace. */
const core: Record<string, MakeSample> = {
  'wp.index': () => ({}),
  'wp_events.list': () => ({ query: { per_page: 1, _embed: 1, context: 'edit' }, stranger: [401, 'rest_forbidden'] }),
  'wp_events.create': () => ({ body: { title: fresh('Walk '), meta: EVENING } }),
  'wp_events.read': (world) => ({ path: [world.event], query: { _embed: 1 }, ...OPEN }),
  'wp_events.update': (world) => ({ path: [world.event], body: { excerpt: { raw: fresh('') } } }),
  'wp_tags.list': () => ({ query: { per_page: 1 }, ...OPEN }),
  'wp_tags.create': () => ({ body: { name: fresh('tag') } }),
  'wp_tags.read': (world) => ({ path: [world.tag], ...OPEN }),
  'wp_categories.list': () => ({ query: { per_page: 1 }, ...OPEN }),
  'wp_categories.create': () => ({ body: { name: fresh('category') } }),
  'wp_categories.read': (world) => ({ path: [world.category], ...OPEN }),
  'wp_media.upload': async () => ({ form: upload(await png()) }),
  'wp_media.list': () => ({ query: { per_page: 1 } }),
  'wp_media.read': (world) => ({ path: [world.media], ...OPEN }),
  'wp_users.me': () => ({ query: { context: 'edit' } }),
  ...coreLinked('wp_venues', 'venue'),
  ...coreLinked('wp_organizers', 'organizer'),
};

function coreLinked(name: string, kind: 'venue' | 'organizer'): Record<string, MakeSample> {
  return {
    [`${name}.list`]: () => ({ query: { per_page: 1, _embed: 1 }, ...OPEN }),
    [`${name}.create`]: () => ({ body: { title: fresh(kind) } }),
    [`${name}.read`]: (world) => ({ path: [world[kind]], ...OPEN }),
    [`${name}.update`]: (world) => ({ path: [world[kind]], body: { content: fresh('') } }),
  };
}

const newUser = () => {
  const username = fresh('user');
  return { username, email: `${username}@example.test`, password: 'long enough', role: 'subscriber' };
};

/** A ticket of a new event. */
async function ticketOf(server: TestServer): Promise<{ event: number; ticket: number }> {
  const event = await makeEvent(server);
  return { event, ticket: await makeSeat(server, event) };
}

const attendeeOf = async (server: TestServer) =>
  (await makeAttendee(server, (await ticketOf(server)).ticket)).id as number;

/** The headers of a visitor with a ticket in the cart. */
async function shopping(server: TestServer): Promise<Record<string, string>> {
  const shopper = shopperOf(server);
  await shopper.put([{ ticket_id: (await ticketOf(server)).ticket, quantity: 1 }]);
  return { 'x-cart-token': shopper.token ?? '' };
}

async function orderOf(server: TestServer): Promise<number> {
  const shopper = shopperOf(server);
  await shopper.put([{ ticket_id: (await ticketOf(server)).ticket, quantity: 1 }]);
  return (await shopper.checkout()).body.order.id;
}

/** An order that was paid offline. */
async function paidOrderOf(server: TestServer): Promise<number> {
  const id = await orderOf(server);
  await server.make(`POST admin:/orders/${id}/payments`, {});
  return id;
}

/** The invoice of a paid order, issued on request. */
async function issued(server: TestServer, orderId: number): Promise<Answer['body']> {
  server.restart({ invoices: 'paid' });
  return (await server.make(`POST admin:/orders/${orderId}/invoices`, {})).invoices[0];
}

const invoiceOf = async (server: TestServer) => issued(server, await paidOrderOf(server));

/** Adds a finding of the reconciliation. */
export async function makeFinding({ db, now }: Pick<Context, 'db' | 'now'>): Promise<number> {
  const [{ last = 0 } = {}] = await db.query
    .selectFrom('reconciliation_findings')
    .select((eb) => eb.fn.max('id').as('last'))
    .execute();
  const payment_id = 900_000 + Number(last ?? 0);
  const sides = { gateway: 'stripe', booked: null, settled: { amount: 100, currency: 'USD' } };
  const ids = { subject: `payment-${payment_id}`, payment_id, refund_id: null, order_id: null, external_id: 'cs_test' };
  const found = await noteComparison(db, { ...sides, ...ids, date_utc: toUtc(now()) }, now());
  if (!found) throw new Error('there is no finding');
  return found.id;
}

/** A refund of a paid order that has failed. */
export async function failedRefundOf(server: TestServer, orderId: number): Promise<number> {
  const { db } = server.context;
  await server.make(`POST admin:/orders/${orderId}/refunds`, { amount: 1 });
  const [refund] = await findRefundsOfOrder(db, orderId);
  if (!refund) throw new Error('the order has no refund');
  await db.transaction((trx) => moveRefund(trx, refund, { to: 'failed', now: server.clock.now, error: 'closed' }));
  return refund.id;
}

let standIn: Promise<StripeStandIn> | undefined;

/** Path and headers of an order that its customer pays at the stand-in of Stripe. */
async function boughtByCard(server: TestServer): Promise<Sample> {
  // The servers of a test file agree about the time.
  standIn ??= startStripe({ now: () => server.clock.now });
  const { settings } = await standIn;
  server.restart({ ...settings });
  // With two others, a checkout that names no method has none.
  const payment_ways = [
    { id: 'card', gateway: 'stripe' },
    { id: 'desk', name: 'Desk' },
    { id: 'post', name: 'Post' },
  ];
  await server.make('PATCH admin:/site', { payment_ways });
  const { id, headers } = await buy(server, [(await ticketOf(server)).ticket], { payment: 'card' });
  return { path: [id], headers };
}

/** The path of an order, and the headers of its customer. */
async function bought(server: TestServer): Promise<Sample> {
  const { id, headers } = await buy(server, [(await ticketOf(server)).ticket]);
  return { path: [id], headers };
}

/** The path of a ticket, and the headers of its holder. */
async function held(server: TestServer): Promise<Sample> {
  const id = await attendeeOf(server);
  return { path: [id], headers: asHolder(await pageOf(server, id)) };
}

const scan = async (server: TestServer) => {
  const id = await attendeeOf(server);
  return { api_key: DOOR_KEY, ticket_id: id, security_code: await codeOf(server, id) };
};

/** The check-in key of the server that the samples are sent to. */
export const DOOR_KEY = 'door-key';

/** Id of the mail with the tickets of a new order. */
async function mailOf(server: TestServer): Promise<number> {
  const { event } = await ticketOf(server);
  const { id } = await buy(server, [await makeSeat(server, event, 10, { price: '0' })]);
  return lastMailOf(server, id);
}

/** Without the right to write, a token does not help: the response is the same as for a wrong token. */
const NEEDS_NONCE: Pick<Sample, 'stranger'> = { stranger: [403, 'forbidden'] };
/** All viewers may list; some filters are for privileged ones only. */
const OPEN: Pick<Sample, 'stranger' | 'subscriber'> = { stranger: [200], subscriber: 200 };

const ticketing: Record<string, MakeSample> = {
  'tickets.index': () => ({}),
  'tickets.doc': () => ({}),
  'tickets.list': async (_world, server) => {
    await ticketOf(server);
    return { query: { per_page: 1 }, ...OPEN };
  },
  'tickets.create': async (_world, server) => {
    const post_id = await makeEvent(server);
    const add_ticket_nonce = await nonce(server, 'add_ticket_nonce');
    return { body: { post_id, provider: 'tc', name: 'Seat', price: '5', add_ticket_nonce }, ...NEEDS_NONCE };
  },
  'tickets.read': async (_world, server) => ({ path: [(await ticketOf(server)).ticket] }),
  'tickets.update': async (_world, server) => {
    const { event, ticket } = await ticketOf(server);
    const edit_ticket_nonce = await nonce(server, 'edit_ticket_nonce');
    return { path: [ticket], body: { post_id: event, name: 'Chair', edit_ticket_nonce }, ...NEEDS_NONCE };
  },
  'tickets.delete': async (_world, server) => {
    const { event, ticket } = await ticketOf(server);
    const remove_ticket_nonce = await nonce(server, 'remove_ticket_nonce');
    return { path: [ticket], query: { post_id: event, remove_ticket_nonce }, ...NEEDS_NONCE };
  },
  'events.duplicate': (world) => ({ path: [world.event], body: { with_tickets: true } }),
  'events.refunds': async (_world, server) => ({ path: [(await ticketOf(server)).event] }),
  'events.refund': async (_world, server) => {
    const { event } = await ticketOf(server);
    await server.make(`PATCH events:/events/${event}`, { event_status: 'cancelled' });
    return { path: [event], body: { dry_run: true } };
  },
  'events.stock': async (_world, server) => ({ path: [(await ticketOf(server)).event] }),
  'sold_places.read': async (_world, server) => ({ query: { events: (await ticketOf(server)).event } }),
  'holds.release': async (_world, server) => ({ path: [await holdOf(server, (await ticketOf(server)).ticket)] }),
  'reports.sales': () => ({}),
  'reports.attendance': () => ({}),
  'reports.money': () => ({}),
  'payments.export': () => ({}),
  'reports.overview': () => ({}),
  // The calendars of these tests are not empty; src/demo/examples.test.ts has one that is.
  'examples.create': () => ({ body: { dry_run: true } }),
  'jobs.list': async (_world, { context }) => {
    await addDeadJob(context);
    return { query: { per_page: 1 } };
  },
  'jobs.count': async (_world, { context }) => {
    await addDeadJob(context);
    return {};
  },
  'jobs.retry_dead': async (_world, { context }) => {
    await addDeadJob(context);
    return { body: { kind: 'test.fail', since: '2020-01-01' } };
  },
  'jobs.retry': async (_world, { context }) => ({ path: [await addDeadJob(context)] }),
  'jobs.remove': async (_world, { context }) => ({ path: [await addDeadJob(context)] }),
  'imports.list': async (_world, { context }) => {
    await addImport(context, 'planned');
    return { query: { per_page: 1 } };
  },
  'imports.create': async (_world, { context }) => {
    await endImports(context);
    return { body: { file_name: 'table.csv', size: 100 } };
  },
  'imports.read': async (_world, { context }) => ({ path: [await addImport(context, 'finished')] }),
  'imports.upload': async (_world, { context }) => {
    const body = { title: 'Tea' };
    return { path: [await addImport(context, 'uploading', JSON.stringify(body).length), 0], body };
  },
  'imports.columns': async (_world, { context }) => ({
    path: [await addImport(context, 'mapping')],
    body: { columns: ['title', 'start_date'] },
  }),
  'imports.start': async (_world, { context }) => ({ path: [await addImport(context, 'planned')], body: {} }),
  'imports.cancel': async (_world, { context }) => ({ path: [await addImport(context, 'planned')] }),
  'imports.undo': async (_world, { context }) => ({ path: [await addImport(context, 'finished')] }),
  'import_plans.list': async (_world, { context }) => ({ path: [await addImport(context, 'planned')] }),
  'import_findings.list': async (_world, { context }) => ({ path: [await addImport(context, 'finished')] }),
  'subscriptions.list': async (_world, { context }) => {
    await addSubscription(context);
    return { query: { per_page: 1 } };
  },
  'subscriptions.create': () => ({ body: { address: `https://calendar.example/new-${++serial}.ics` } }),
  'subscriptions.update': async (_world, { context }) => ({
    path: [await addSubscription(context)],
    body: { paused: true, hours: 5 },
  }),
  'subscriptions.delete': async (_world, { context }) => ({ path: [await addSubscription(context)] }),
  'system.read': () => ({ query: { doctor: true } }),
  'tickets.availability': async (_world, server) => ({ path: [(await ticketOf(server)).ticket] }),
  'tickets.missing_dates': async (_world, server) => ({ path: [(await ticketOf(server)).ticket] }),
  'nonces.create': () => ({ body: { action: 'add_ticket_nonce' } }),
  'attendees.list': async (_world, server) => {
    await attendeeOf(server);
    return { query: { per_page: 1 }, ...OPEN };
  },
  'attendees.create': async (_world, server) => ({
    body: { ticket_id: (await ticketOf(server)).ticket, full_name: 'Ada Park', email: 'ada@party.test' },
  }),
  'attendees.read': async (_world, server) => ({ path: [await attendeeOf(server)] }),
  'attendees.update': async (_world, server) => ({ path: [await attendeeOf(server)], body: { full_name: 'Bo Park' } }),
  'attendees.inspect': async (_world, server) => ({ path: [await attendeeOf(server)] }),
  'cart.read': async (_world, server) => ({ headers: await shopping(server) }),
  'cart.save': async (_world, server) => ({
    body: { provider: 'tc', tickets: [{ ticket_id: (await ticketOf(server)).ticket, quantity: 1 }] },
  }),
  'cart.checkout': async (_world, server) => ({
    headers: await shopping(server),
    body: { purchaser: { name: 'Ada Park', email: 'ada@party.test' } },
  }),
  'qr.scan': async (_world, server) => ({ body: await scan(server) }),
  'qr.scan_get': async (_world, server) => ({ query: await scan(server) }),
  'qr.read': async (_world, server) => ({ path: [await attendeeOf(server)] }),
  'buyers_orders.read': (_world, server) => bought(server),
  'buyers_orders.update': async (_world, server) => ({
    ...(await bought(server)),
    body: { purchaser: { name: 'Bo Park' } },
  }),
  'buyers_orders.cancel': (_world, server) => bought(server),
  'buyers_orders.pay': async (_world, server) => ({ ...(await boughtByCard(server)), body: {} }),
  'buyers_orders.check_payment': (_world, server) => boughtByCard(server),
  'gateways.webhook': (_world, server) => {
    server.restart({ stripeKey: 'sk_test_51abcDEF', stripeWebhookSecret: 'whsec_51abcDEF' });
    const body = { type: 'balance.available', livemode: false, data: { object: { object: 'balance' } } };
    const seconds = Math.floor(server.clock.now.getTime() / 1000);
    return { path: ['stripe'], body, headers: signWebhook(JSON.stringify(body), 'whsec_51abcDEF', seconds) };
  },
  'replies.create': async (_world, server) => ({
    body: {
      ticket_id: await makeRsvp(server, await makeEvent(server)),
      full_name: 'Ada Park',
      email: 'ada@party.test',
      quantity: 2,
    },
  }),
  'replies.update': async (_world, server) => {
    const { id } = await makeAttendee(server, await makeRsvp(server, await makeEvent(server)));
    return { path: [id], headers: asHolder(await pageOf(server, id)), body: { attendee_status: 'no' } };
  },
  'held_tickets.read': async (_world, server) => held(server),
  'held_tickets.update': async (_world, server) => ({ ...(await held(server)), body: { full_name: 'Bo Park' } }),
  'held_tickets.transfer': async (_world, server) => ({
    ...(await held(server)),
    body: { full_name: 'Bo Park', email: 'bo@party.test' },
  }),
  'orders.list': async (_world, server) => {
    await orderOf(server);
    return { query: { per_page: 1 } };
  },
  'orders.read': async (_world, server) => ({ path: [await orderOf(server)] }),
  'orders.update': async (_world, server) => ({ path: [await orderOf(server)], body: { status: 'completed' } }),
  'orders.create': async (_world, server) => ({
    body: { items: [{ ticket_id: (await ticketOf(server)).ticket, quantity: 2 }], payment: 'cash' },
  }),
  'orders.cancel_places': async (_world, server) => {
    const { id, attendees } = await buy(server, [(await ticketOf(server)).ticket]);
    return { path: [id], body: { attendees: [attendees[0]?.id] } };
  },
  'findings.list': async (_world, { context }) => {
    await makeFinding(context);
    return {};
  },
  'findings.close': async (_world, { context }) => ({ path: [await makeFinding(context)], body: { note: 'Known' } }),
  'payments.list': async (_world, server) => ({ query: { order: await paidOrderOf(server) } }),
  'payments.create': async (_world, server) => ({ path: [await orderOf(server)], body: { reference: 'Line 7' } }),
  'payments.close': async (_world, server) => ({ path: (await boughtByCard(server)).path }),
  'payments.check': async (_world, server) => {
    const [order] = (await boughtByCard(server)).path ?? [];
    const { body } = await server.ask('GET admin:/payments', { as: 'administrator', query: { order: Number(order) } });
    return { path: [body.payments[0].id] };
  },
  'refunds.create': async (_world, server) => ({ path: [await paidOrderOf(server)], body: { reason: 'Ill' } }),
  'refunds.retry': async (_world, server) => ({ path: [await failedRefundOf(server, await paidOrderOf(server))] }),
  'refunds.settle': async (_world, server) => ({ path: [await failedRefundOf(server, await paidOrderOf(server))] }),
  'orders.export': async (_world, server) => {
    await orderOf(server);
    return { query: { per_page: 1 } };
  },
  'attendees.search': async (_world, server) => {
    await attendeeOf(server);
    return { query: { per_page: 1, with: 'event,order,code_end' } };
  },
  'attendees.move': async (_world, server) => {
    const { event, ticket } = await ticketOf(server);
    const { id } = await makeAttendee(server, ticket);
    return { path: [id], body: { ticket_id: await makeSeat(server, event) } };
  },
  'attendees.renew_code': async (_world, server) => ({ path: [await attendeeOf(server)] }),
  'attendees.export': () => ({}),
  'events.export': () => ({}),
  'batch.run': () => ({ body: { calls: [{ method: 'GET', path: '/calendar/events/v1/events' }] }, subscriber: 200 }),
  'announcements.list': async (world, server) => {
    await server.make(`POST admin:/events/${world.event}/announcements`, { text: 'News' });
    return { path: [world.event] };
  },
  'announcements.create': async (_world, server) => ({
    path: [(await ticketOf(server)).event],
    body: { text: 'Doors open at six.' },
  }),
  'mail_texts.list': async (_world, server) => {
    await server.make('PUT admin:/mail-texts', { kind: 'tickets', language: 'en', subject: 'Hello' });
    return {};
  },
  'mail_texts.write': () => ({ body: { kind: 'refund', language: 'en', subject: 'Hello {name}' } }),
  'mail_texts.delete': async (_world, server) => {
    const { id } = await server.make('PUT admin:/mail-texts', { kind: 'order', language: 'en', subject: 'Hello' });
    return { path: [id] };
  },
  'mail_texts.preview': () => ({ body: { kind: 'tickets', language: 'en', subject: 'Hello {name}' } }),
  'event_reminders.read': (world) => ({ path: [world.event] }),
  'event_reminders.update': (world) => ({ path: [world.event], body: { own: true } }),
  'reminders.unsubscribe': (_world, { context }) => ({
    body: { token: seal('mailbox', { sealing: context.siteKey('unsubscribe') }, context.random) },
    stranger: [200],
    subscriber: 200,
  }),
  'mails.list': async (_world, server) => {
    await mailOf(server);
    return {};
  },
  'mails.read': async (_world, server) => ({ path: [await mailOf(server)] }),
  'mails.bounce': async (_world, server) => ({ body: { message_id: await markSent(server, await mailOf(server)) } }),
  'mails.send': async (_world, server) => ({ path: [await mailOf(server)], body: { to: 'bo@party.test' } }),
  'invoices.list': async (_world, server) => {
    await invoiceOf(server);
    return {};
  },
  'invoices.read': async (_world, server) => ({ path: [(await invoiceOf(server)).id] }),
  'invoices.export': async (_world, server) => {
    await invoiceOf(server);
    return {};
  },
  'orders.issue_invoices': async (_world, server) => {
    server.restart({ invoices: 'paid' });
    return { path: [await paidOrderOf(server)] };
  },
  'buyers_orders.invoice': async (_world, server) => {
    const { path = [], headers } = await bought(server);
    await server.make(`POST admin:/orders/${path[0]}/payments`, {});
    return { path: [...path, (await issued(server, Number(path[0]))).number], headers };
  },
  'buyers_orders.invoice_pdf': async (_world, server) => {
    const { path = [], headers } = await bought(server);
    await server.make(`POST admin:/orders/${path[0]}/payments`, {});
    return { path: [...path, (await issued(server, Number(path[0]))).number], headers };
  },
  'buyers_orders.tickets_pdf': async (_world, server) => {
    const { path = [], headers } = await bought(server);
    await server.make(`POST admin:/orders/${path[0]}/payments`, {});
    return { path, headers };
  },
  'held_tickets.pdf': async (_world, server) => held(server),
  'held_tickets.apple_pass': async (_world, server) => {
    const applePass = join(server.context.config.data, 'apple');
    if (!existsSync(applePass)) await makeCertificates(applePass);
    server.restart({ applePass });
    return held(server);
  },
  'held_tickets.google_wallet': async (_world, server) => {
    const googleWallet = join(server.context.config.data, 'google');
    await makeGoogleAccount(googleWallet);
    server.restart({ googleWallet });
    return held(server);
  },
  'buyers_orders.send_links': (_world, server) => {
    server.restart({ smtp: { host: '127.0.0.1', port: 9, secure: false, isPlain: true, login: undefined } });
    return { body: { email: 'ada@party.test' } };
  },
  ...priceRecords('tax_rates', 'tax-rates', () => ({ name: fresh('VAT '), rate: 19_000, included: true })),
  ...priceRecords('fees', 'fees', () => ({ name: fresh('Fee '), per: 'order' })),
  ...priceRecords('promotions', 'promotions', () => ({ code: fresh('SPRING'), kind: 'percent', value: 10_000 })),
  'gates.list': async (_world, server) => {
    await gateOf(server);
    return {};
  },
  'gates.create': async (_world, server) => ({ body: { name: fresh('North '), event_ids: [await makeEvent(server)] } }),
  'gates.update': async (_world, server) => ({ path: [await gateOf(server)], body: { reentry: 'never' } }),
  'gates.delete': async (_world, server) => ({ path: [await gateOf(server)] }),
  'gates.pairing': async (_world, server) => ({ path: [await gateOf(server)], body: { name: fresh('Phone ') } }),
  'gates.devices': async (_world, server) => {
    const gate = await gateOf(server);
    await pairDevice(server, gate);
    return { path: [gate] };
  },
  'door_devices.revoke': async (_world, server) => ({ path: [(await pairDevice(server, await gateOf(server))).id] }),
  'door.pair': async (_world, server) => {
    const { code } = await made(server, `POST admin:/door/gates/${await gateOf(server)}/pairings`, {});
    return { body: { code } };
  },
  'door.hello': async (_world, server) => ({
    device: (await pairDevice(server, await gateOf(server))).token,
    body: { battery: 80, queue: 0 },
  }),
  'door.attendees': async (_world, server) => ({ device: (await scannedAt(server)).device.token }),
  'door.scans': async (_world, server) => {
    const { device, scan } = await scannedAt(server);
    return { device: device.token, body: { scans: [scan] } };
  },
  'door.sealed': async (_world, server) => {
    const { device, scan } = await scannedAt(server);
    const { seal_key } = (await device.ask('POST admin:/door/hello')).body;
    return { body: { sealed: [await sealFor(seal_key, { token: device.token, scans: [scan] })] } };
  },
  'door.offers': async (_world, server) => ({ device: (await tillAt(server)).device.token }),
  'door.sell': async (_world, server) => {
    const { device, ticket } = await tillAt(server);
    const items = [{ ticket_id: ticket, quantity: 1 }];
    return { device: device.token, body: { id: fresh('sale-0000'), items, payment: 'cash' } };
  },
  'door.take_payment': async (_world, server) => {
    const { device, ticket } = await tillAt(server);
    await made(server, 'PATCH admin:/site', { payment_ways: [{ id: 'door', at_door: true, hold_hours: null }] });
    const { id: order } = await buy(server, [ticket]);
    const [attendee] = await attendeesOfOrder(server, order);
    return { device: device.token, body: { id: fresh('sale-0000'), attendee, amount: 1000, payment: 'cash' } };
  },
  'door.sales': async (_world, server) => {
    const { device, ticket } = await tillAt(server);
    const items = [{ ticket_id: ticket, quantity: 1 }];
    await device.ask('POST admin:/door/sales', { body: { id: fresh('sale-0000'), items, payment: 'cash' } });
    return { device: device.token };
  },
  'clashes.list': async (_world, server) => {
    const { event_id } = await clashOf(server);
    return { query: { event_id } };
  },
  'clashes.update': async (_world, server) => ({
    path: [(await clashOf(server)).id],
    body: { closed: true, note: fresh('Paper copy ') },
  }),
  'door_stats.read': async (_world, server) => ({ query: { event_id: (await clashOf(server)).event_id } }),
  'signing_keys.create': () => ({}),
  'check_in_keys.list': async (_world, server) => {
    await made(server, 'POST admin:/check-in-keys', { name: fresh('gate') });
    return {};
  },
  'check_in_keys.create': () => ({ body: { name: fresh('gate') } }),
  'check_in_keys.delete': async (_world, server) => ({
    path: [(await made(server, 'POST admin:/check-in-keys', { name: fresh('gate') })).id],
  }),
};

/** A gate of a new event. */
export const gateOf = async (server: TestServer, event?: number): Promise<number> =>
  makeGate(server, [event ?? (await makeEvent(server))], { name: fresh('North ') });

/** A device, and a scan of a ticket that it has yet to send. */
async function scannedAt(server: TestServer, event?: number) {
  const at = event ?? (await makeEvent(server));
  const device = await pairDevice(server, await gateOf(server, at));
  const { id } = await makeAttendee(server, await makeSeat(server, at));
  return { at, device, scan: scanOf(server, id, await codeOf(server, id)) };
}

/** A device that may sell, and a ticket. */
async function tillAt(server: TestServer) {
  const event = await makeEvent(server);
  const ticket = await makeSeat(server, event);
  const gate = await makeGate(server, [event], { may_sell: true });
  return { ticket, device: await pairDevice(server, gate) };
}

const attendeesOfOrder = async ({ context }: TestServer, order: number): Promise<number[]> =>
  (await context.db.query.selectFrom('attendees').select('id').where('order_id', '=', order).execute()).map(
    ({ id }) => id,
  );

/** A clash: a ticket that a device let in twice. */
export async function clashOf(server: TestServer, event?: number): Promise<{ id: number; event_id: number }> {
  const { at: event_id, device, scan } = await scannedAt(server, event);
  await device.scan({ ...scan, let_in: true }, { ...scan, id: `${scan.id}-again`, let_in: true });
  const { body } = await server.ask('GET admin:/door/clashes', { as: 'administrator', query: { event_id } });
  return { id: body.clashes[0].id, event_id };
}

/** The latest entry of the audit log about an event that was changed once. */
export async function auditEntryOf(server: TestServer, event: number): Promise<number> {
  await server.make(`POST /events/${event}`, { excerpt: fresh('Told') });
  const { body } = await server.ask('GET admin:/audit', { as: 'administrator', query: { kind: 'event', id: event } });
  return body.audit[0].id;
}

/** One per endpoint; the contract test fails for an endpoint without one. */
export const SAMPLES: Readonly<Record<string, MakeSample>> = {
  'events.index': () => ({}),
  'events.doc': () => ({}),
  'admin.index': () => ({}),
  'admin.doc': () => ({}),
  'events.list': () => ({ query: { per_page: 1 }, ...OPEN }),
  'events.ical': () => ({}),
  'events.rss': () => ({}),
  'events.atom': () => ({}),
  'events.json_feed': () => ({}),
  'events.read_ical': (world) => ({ path: [world.event] }),
  'events.read_ical_by_slug': () => ({ path: ['lantern-walk'] }),
  'events.create': () => ({ body: { ...WALK, venue: { venue: fresh('Hall') }, categories: ['Walks'] } }),
  'events.read': (world) => ({ path: [world.event] }),
  'events.update': (world) => ({ path: [world.event], body: { excerpt: fresh('') } }),
  'events.delete': async (_world, server) => ({ path: [(await made(server, 'POST /events', WALK)).id] }),
  'events.read_by_slug': () => ({ path: ['lantern-walk'] }),
  'events.update_by_slug': () => ({ path: ['lantern-walk'], body: { excerpt: fresh('') } }),
  'events.delete_by_slug': async (_world, server) => ({
    path: [(await made(server, 'POST /events', WALK)).slug],
    query: { force: true },
  }),
  'series.list': () => ({ query: { per_page: 1 }, ...OPEN }),
  'series.create': () => ({ body: { event: { ...WALK, title: fresh('Walk') }, recurrence: DAILY } }),
  'series.read': async (_world, server) => ({ path: [await seriesOf(server)] }),
  'series.occurrences': async (_world, server) => ({ path: [await seriesOf(server)] }),
  'series.update': async (_world, server) => ({
    ...{ path: [await seriesOf(server)], body: { recurrence: { exdates: ['2027-05-02'] } } },
  }),
  'series.delete': async (_world, server) => ({ path: [await seriesOf(server)] }),
  ...linked('venues', 'venue'),
  ...linked('organizers', 'organizer'),
  ...terms('categories', 'category'),
  ...terms('tags', 'tag'),
  ...ticketing,
  ...core,
  'media.upload': async () => ({ form: upload(await png()) }),
  'media.list': () => ({ query: { per_page: 1 } }),
  'media.read': (world) => ({ path: [world.media] }),
  'media.update': (world) => ({ path: [world.media], body: { alt: fresh('A mill'), focus: { x: 20, y: 80 } } }),
  'media.replace': async (world) => ({ path: [world.media], form: upload(await png()) }),
  'media.delete': async (_world, { ask }) => {
    const { body } = await ask('POST admin:/media', { as: 'administrator', form: upload(await png(20, 20)) });
    return { path: [body.id] };
  },
  'media.used_by': (world) => ({ path: [world.media] }),
  'merges.undo': async (_world, server) => {
    const tag = async () => (await made(server, 'POST /tags', { name: fresh('tag') })).id;
    const { merge } = await made(server, `POST admin:/tags/${await tag()}/merge`, { from: [await tag()] });
    return { path: [merge] };
  },
  'translations.progress': () => ({}),
  'translations.missing': () => ({ query: { kind: 'event', language: 'fr' } }),
  'site.read': () => OPEN,
  'site.update': () => ({ body: { tagline: fresh('Music') } }),
  'session.create': () => ({ body: signIn('editor') }),
  'session.create_by_link': async (_world, server) => ({ body: { token: await linkToken(server) } }),
  'session.mail_link': (_world, server) => {
    server.restart({ smtp: SMTP });
    return { body: { email: 'editor@example.test' }, subscriber: 202 };
  },
  'session.remove': () => ({}),
  'sessions.list': () => ({ subscriber: 200 }),
  'sessions.remove': async (_world, server) => ({ path: [await sessionOf(server, 'editor')], subscriber: 404 }),
  'me.read': () => ({ subscriber: 200 }),
  'me.confirm': async (_world, server) => {
    const { cookie, password } = await newPerson(server);
    return { session: cookie, body: { password } };
  },
  'second_factor.create': async (_world, server) => {
    const { cookie, password } = await newPerson(server);
    return { session: cookie, body: { password } };
  },
  'second_factor.confirm': async (_world, server) => {
    const { cookie } = await newPerson(server);
    return { session: cookie, body: { code: (await beginFactor(server, cookie)).code() } };
  },
  'second_factor.remove': async (_world, server) => {
    const { cookie, password } = await newPerson(server);
    await confirmFactor(server, cookie);
    return { session: cookie, body: { password } };
  },
  'second_factor.recovery_codes': async (_world, server) => {
    const { cookie, password } = await newPerson(server);
    await confirmFactor(server, cookie);
    return { session: cookie, body: { password } };
  },
  'authors.list': () => ({ query: { per_page: 1 } }),
  'users.list': () => ({ query: { per_page: 1 } }),
  'users.create': () => {
    const { password: _password, ...body } = newUser();
    return { body };
  },
  'users.read': (_world, { userId }) => ({ path: [userId('editor')] }),
  'users.update': (_world, { userId }) => ({
    path: [userId('door')],
    body: { email: `${fresh('door')}@example.test` },
  }),
  'users.sign_in_link': (_world, { userId }) => ({ path: [userId('editor')] }),
  'users.sign_in_mail': (_world, server) => {
    server.restart({ smtp: SMTP });
    return { path: [server.userId('editor')] };
  },
  'users.sign_in_links': (_world, { userId }) => ({ path: [userId('editor')] }),
  'users.revoke_sign_in_link': async (_world, server) => ({
    path: [server.userId('editor'), await openLink(server, 'editor')],
  }),
  'users.remove_second_factor': async (_world, server) => {
    const { id, cookie } = await newPerson(server);
    await confirmFactor(server, cookie);
    return { path: [id] };
  },
  'users.remove': async (_world, server) => ({ path: [(await made(server, 'POST admin:/users', newUser())).id] }),
  'application_passwords.list': (_world, { userId }) => ({ path: [userId('editor')] }),
  'application_passwords.create': (_world, { userId }) => ({ path: [userId('editor')], body: { name: 'till' } }),
  'application_passwords.remove': async (_world, server) => {
    const owner = server.userId('editor');
    const { id } = await made(server, `POST admin:/users/${owner}/application-passwords`, { name: 'old' });
    return { path: [owner, id] };
  },
  'tokens.list': () => ({ subscriber: 200 }),
  'tokens.create': (_world, { userId }) => ({
    body: { name: 'feed', scopes: ['read'], user_id: userId('editor'), expires: '2027-01-01' },
  }),
  'tokens.remove': async (_world, server) => {
    const body = { name: 'old', scopes: 'read', user_id: server.userId('editor') };
    return { path: [(await made(server, 'POST admin:/tokens', body)).id], subscriber: 404 };
  },
  'audit.list': async (world, server) => {
    await auditEntryOf(server, world.event);
    return { query: { per_page: 1 } };
  },
  'audit.read': async (world, server) => ({ path: [await auditEntryOf(server, world.event)] }),
  'audit.restore': async (world, server) => ({ path: [await auditEntryOf(server, world.event)] }),
};
