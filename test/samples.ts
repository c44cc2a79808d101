import { codeOf, makeAttendee, makeRsvp, makeSeat } from './attendees.ts';
import { buy } from './buyers.ts';
import { type Everything, png, upload } from './fixtures.ts';
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

/** A request that succeeds for an administrator. */
interface Sample extends Pick<Asking, 'query' | 'body' | 'form' | 'headers'> {
  /** Values of the path, in order. */
  path?: (string | number)[];
  /** The header `Cookie` of the session that may, in place of the administrator. */
  session?: string;
  /** Status for a subscriber, if it is not 403. */
  subscriber?: number;
  /** Status and code for strangers, if they are not 401 and `rest_forbidden`. */
  stranger?: [status: number, code?: string];
}

/** What makes a sample succeed. */
export const authorised = ({ session, headers }: Sample): Pick<Asking, 'as' | 'headers'> =>
  session === undefined ? { as: 'administrator' } : { headers: { ...headers, ...bySession(session) } };

export type MakeSample = (world: Everything, server: TestServer) => Sample | Promise<Sample>;

const WALK = { title: 'Short walk', start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' };
const EVENING = { _EventStartDate: '2027-05-01 19:00:00', _EventEndDate: '2027-05-01 21:00:00' };
const made = async (server: TestServer, call: string, body: unknown) =>
  (await server.make(call, body)) as Answer['body'];
let serial = 0;
const fresh = (word: string) => `${word}${++serial}`;

/** What the console has for all that events are linked to. */
const merging = (plural: string, body: () => object): Record<string, MakeSample> => ({
  [`${plural}.counted`]: () => ({ query: { per_page: 1 } }),
  [`${plural}.duplicates`]: () => ({}),
  [`${plural}.merge`]: async (_world, server) => {
    const [one, other] = [await made(server, `POST /${plural}`, body()), await made(server, `POST /${plural}`, body())];
    return { path: [one.id], body: { from: [other.id] } };
  },
});

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

/** The path of an order, and the headers of its buyer. */
async function bought(server: TestServer): Promise<Sample> {
  const { id, headers } = await buy(server, [(await ticketOf(server)).ticket]);
  return { path: [id], headers };
}

/** A ticket with its code. */
async function held(server: TestServer) {
  const id = await attendeeOf(server);
  return { path: [id], security_code: await codeOf(server, id) };
}

const scan = async (server: TestServer) => {
  const id = await attendeeOf(server);
  return { api_key: DOOR_KEY, ticket_id: id, security_code: await codeOf(server, id) };
};

/** The check-in key of the server that the samples are sent to. */
export const DOOR_KEY = 'door-key';

/** Without the right to write, a token does not help: the answer is the same as for a wrong token. */
const NEEDS_NONCE: Pick<Sample, 'stranger'> = { stranger: [403, 'forbidden'] };
/** Everybody may list; some filters are for privileged callers only. */
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
  'events.stock': async (_world, server) => ({ path: [(await ticketOf(server)).event] }),
  'holds.release': async (_world, server) => ({ path: [await holdOf(server, (await ticketOf(server)).ticket)] }),
  'reports.sales': () => ({}),
  'reports.attendance': () => ({}),
  'reports.overview': () => ({}),
  // The calendars of these tests are not empty; src/demo/examples.test.ts has one that is.
  'examples.create': () => ({ body: { dry_run: true } }),
  'system.read': () => ({ query: { doctor: true } }),
  'tickets.availability': async (_world, server) => ({ path: [(await ticketOf(server)).ticket] }),
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
    return { path: [id], body: { security_code: await codeOf(server, id), attendee_status: 'no' } };
  },
  'held_tickets.read': async (_world, server) => {
    const { path, security_code } = await held(server);
    return { path, query: { security_code } };
  },
  'held_tickets.update': async (_world, server) => {
    const { path, security_code } = await held(server);
    return { path, body: { security_code, full_name: 'Bo Park' } };
  },
  'held_tickets.transfer': async (_world, server) => {
    const { path, security_code } = await held(server);
    return { path, body: { security_code, full_name: 'Bo Park', email: 'bo@party.test' } };
  },
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
  'orders.export': async (_world, server) => {
    await orderOf(server);
    return { query: { per_page: 1 } };
  },
  'attendees.search': async (_world, server) => {
    await attendeeOf(server);
    return { query: { per_page: 1, with: 'event,order' } };
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
  'check_in_keys.list': async (_world, server) => {
    await made(server, 'POST admin:/check-in-keys', { name: fresh('gate') });
    return {};
  },
  'check_in_keys.create': () => ({ body: { name: fresh('gate') } }),
  'check_in_keys.delete': async (_world, server) => ({
    path: [(await made(server, 'POST admin:/check-in-keys', { name: fresh('gate') })).id],
  }),
};

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
