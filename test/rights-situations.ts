import type { ImportState } from '../src/db/tables/import.ts';
import type { Role } from '../src/http/core/auth.ts';
import { findPaymentsOfOrder } from '../src/ticketing/ledger/payments.ts';
import { codeOf, makeAttendee, makeRsvp, makeSeat, pageOf } from './attendees.ts';
import { asHolder, buy, lastMailOf, markSent } from './buyers.ts';
import { makeGate, pairDevice, scanOf } from './door.ts';
import { png, upload } from './fixtures.ts';
import { addImport, addSubscription } from './imports.ts';
import { addDeadJob } from './jobs.ts';
import { auditEntryOf, clashOf, failedRefundOf, gateOf, makeFinding } from './samples.ts';
import type { Answer, Asking, TestServer } from './server.ts';
import { confirmFactor, linkToken, newPerson, openLink, sessionOf, signIn } from './sessions.ts';
import { holdOf } from './shopper.ts';
import { EVENING, makeEvent, makeTicket } from './tickets.ts';

/** The requests for the rows of rights-table.ts, and the words for their outcomes. */

/** The check-in key of the settings. */
export const SITE_KEY = 'rights-site-key';
const MISSING = 987_654;

/** One column of the table: the credentials of a viewer. */
export interface Caller {
  name: string;
  headers: Record<string, string>;
}

export interface World {
  server: TestServer;
  /** A published event of the editor, for which a check-in key is valid. */
  gate: number;
  /** Paid tickets of `gate`. */
  seat: number;
  /** Paid tickets of a published event of the author. */
  ownSeat: number;
}

interface Sample extends Pick<Asking, 'query' | 'body' | 'form' | 'headers'> {
  /** Values of the path, in order. */
  path?: (string | number)[];
}

export interface Situation {
  make(world: World, caller: Caller): Promise<Sample> | Sample;
  /** The word for a successful response; by default its status. */
  judge?(answer: Answer): string;
  /** Whether each viewer needs its own request. */
  isPersonal?: boolean;
  /** Whether a request can succeed only once; those that delete always do. */
  isOnce?: boolean;
}

let serial = 0;
const fresh = (word: string) => `${word}${++serial}`;

type Author = Extract<Role, 'author' | 'contributor' | 'editor'>;

/** An event of an account; if it is in the trash, it was published before. */
async function eventOf({ server }: World, author: Author, fields: Record<string, unknown> = {}): Promise<number> {
  const { status = 'publish', ...rest } = fields;
  const body = { description: 'Told', author: server.userId(author), ...rest };
  const id = await makeEvent(server, { ...body, status: status === 'trash' ? 'publish' : status });
  if (status === 'trash') await server.ask(`DELETE /events/${id}`, { as: 'administrator' });
  return id;
}

const auditEntry = async (world: World) => auditEntryOf(world.server, await eventOf(world, 'author'));

type Linked = 'venue' | 'organizer';

async function linkedOf({ server }: World, kind: Linked, author: Author, status = 'publish'): Promise<number> {
  const first = status === 'trash' ? 'publish' : status;
  const body = { [kind]: fresh('Hall '), author: server.userId(author), status: first };
  const { id } = await server.make(`POST /${kind}s`, body);
  if (status === 'trash') await server.ask(`DELETE /${kind}s/${id}`, { as: 'administrator' });
  return id;
}

const listed =
  (key: string, word: (item: Answer['body']) => string) =>
  ({ body }: Answer): string =>
    body[key].length === 0 ? 'none' : word(body[key][0]);

const eventWord = ({ description, attendance }: Answer['body']) => {
  if (description === '') return 'mask';
  return attendance ? 'full' : '200';
};
const ticketWord = ({ title, checkin }: Answer['body']) => {
  if (title === 'No Access') return 'mask';
  return checkin ? 'full' : '200';
};
const attendeeWord = ({ email }: Answer['body']) => (email === undefined ? '200' : 'full');
const feedWord = ({ text }: Answer) => {
  if (!/BEGIN:VEVENT|<item>|<entry>|"date_published"/.test(text)) return 'none';
  return text.includes('Told') ? '200' : 'mask';
};
const statusWord = ({ body }: Answer) => String(body.status).slice(0, 4);

type MakeRecord = (world: World, caller: Caller) => Promise<number> | number;

const read = (make: MakeRecord, word: (item: Answer['body']) => string = () => '200'): Situation => ({
  make: async (world, caller) => ({ path: [await make(world, caller)] }),
  judge: ({ body }) => word(body),
});
const change = (make: MakeRecord, body?: Record<string, unknown>): Situation => ({
  make: async (world, caller) => ({ path: [await make(world, caller)], ...(body && { body }) }),
});
const missing = () => MISSING;
const importIn = (state: ImportState, body?: Record<string, unknown>): Situation =>
  change(({ server }) => addImport(server.context, state), body);
const subscription = (body: Record<string, unknown>): Situation =>
  change(({ server }) => addSubscription(server.context), body);
/** Records that prices are made of. */
const priceRecords = (plural: string, path: string, body: () => object): Record<string, Record<string, Situation>> => {
  const create: MakeRecord = async ({ server }) => (await server.make(`POST admin:/${path}`, body())).id;
  return {
    [`${plural}.list`]: { always },
    [`${plural}.create`]: { any: { make: () => ({ body: { ...body() } }), isPersonal: true } },
    [`${plural}.update`]: {
      any: { make: async (world, caller) => ({ path: [await create(world, caller)], body: { ...body() } }) },
      missing: change(missing, {}),
    },
    [`${plural}.delete`]: { any: change(create), missing: change(missing) },
  };
};

const deadJob: MakeRecord = ({ server }) => addDeadJob(server.context);

/** Creates a record once for all viewers of a server. */
function shared(make: MakeRecord): MakeRecord {
  const made = new WeakMap<World, Promise<number>>();
  return (world, caller) => {
    const known = made.get(world) ?? Promise.resolve(make(world, caller));
    made.set(world, known);
    return known;
  };
}

const editorsGate = ({ server, gate }: World): Promise<number> => gateOf(server, gate);
const authorsGate = async (world: World): Promise<number> => gateOf(world.server, await eventOf(world, 'author'));

/** A request by a device of a gate; a check-in key takes the place of its token. */
const byDevice = async (world: World): Promise<Sample> => ({
  headers: { 'x-api-key': (await pairDevice(world.server, await editorsGate(world))).token },
});

const bySellingDevice = async (world: World): Promise<Sample> => {
  const gate = await makeGate(world.server, [world.gate], { may_sell: true });
  return { headers: { 'x-api-key': (await pairDevice(world.server, gate)).token } };
};

const NO_SALE = { id: 'sale-00000000', items: [{ ticket_id: 1, quantity: 1 }], payment: 'cash' };
const NO_PAYMENT = { id: 'sale-00000000', attendee: 1, amount: 1, payment: 'cash' };

const EVENTS: Record<string, MakeRecord> = {
  published: ({ gate }) => gate,
  'draft of the author': (world) => eventOf(world, 'author', { status: 'draft' }),
  'draft of the contributor': (world) => eventOf(world, 'contributor', { status: 'draft' }),
  'draft of the editor': (world) => eventOf(world, 'editor', { status: 'draft' }),
  'private of the author': (world) => eventOf(world, 'author', { status: 'private' }),
  'with a password': (world) => eventOf(world, 'editor', { post_password: 'sesame' }),
  'the author’s with one': (world) => eventOf(world, 'author', { post_password: 'sesame' }),
  'the contributor’s': (world) => eventOf(world, 'contributor', { post_password: 'sesame' }),
  'in the trash': (world) => eventOf(world, 'author', { status: 'trash' }),
};
const EDITED: Record<string, MakeRecord> = {
  'published of the author': (world) => eventOf(world, 'author'),
  'draft of the author': (world) => eventOf(world, 'author', { status: 'draft' }),
  'published of contributor': (world) => eventOf(world, 'contributor'),
  'draft of the contributor': (world) => eventOf(world, 'contributor', { status: 'draft' }),
  'published of the editor': (world) => eventOf(world, 'editor'),
};
const SERIES = {
  published: EVENTS.published ?? missing,
  'draft of the author': EVENTS['draft of the author'] ?? missing,
};
const DATES = { start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 11:00:00' };
const WEEKLY = { rrule: 'FREQ=WEEKLY;COUNT=2' };

/** A series that begins with an event. */
const seriesOf =
  (make: MakeRecord): MakeRecord =>
  async (world, caller) => {
    const event_id = await make(world, caller);
    const known = await world.server.ask(`GET /events/${event_id}`, { as: 'administrator' });
    if (known.body.series) return known.body.series.id;
    const { id } = await world.server.make('POST /series', { event_id, recurrence: WEEKLY }, 'administrator');
    return id;
  };

/**
 * Events of an author that begin series; of the second kind, another event of the series belongs to the editor. Each
 * request changes all of them.
 */
const SCOPED: Record<string, MakeRecord> = {
  'all of an author’s series': async (world, caller) => {
    const id = await eventOf(world, 'author');
    await seriesOf(() => id)(world, caller);
    return id;
  },
  'all, one of the editor': async (world, caller) => {
    const id = await eventOf(world, 'author');
    const series = await seriesOf(() => id)(world, caller);
    const { body } = await world.server.ask(`GET /series/${series}/occurrences`, { as: 'administrator' });
    const author = world.server.userId('editor');
    await world.server.make(`PATCH /events/${body.occurrences[1].id}`, { author }, 'administrator');
    return id;
  },
};
const scoped = (make: MakeRecord): Situation => ({
  isOnce: true,
  make: async (world, caller) => ({
    path: [await make(world, caller)],
    query: { scope: 'all' },
    body: { excerpt: fresh('Said ') },
  }),
});

const map = <T, U>(record: Record<string, T>, to: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));

const pick = <T>(record: Record<string, T>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
const omit = <T>(record: Record<string, T>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** A one-time token of the viewer, or a wrong one if it cannot have any. */
async function nonceOf({ server }: World, { headers }: Caller, action: string, post_id: number): Promise<string> {
  const { body } = await server.ask('POST tickets:/nonces', { headers, body: { action, post_id } });
  return body.nonce ?? 'none';
}

const TICKETED: Record<string, MakeRecord> = {
  'published of the author': (world) => eventOf(world, 'author'),
  'published of contributor': (world) => eventOf(world, 'contributor'),
  'draft of the contributor': (world) => eventOf(world, 'contributor', { status: 'draft' }),
  'published of the editor': (world) => eventOf(world, 'editor'),
};

/** A new paid ticket with a name that no other one of its event has. */
const ticketFields = () => ({ provider: 'tc', name: fresh('Seat '), price: '5' });

const newTicket = (event: MakeRecord, scope?: string, make = shared(event)): Situation => ({
  isPersonal: true,
  async make(world, caller) {
    const post_id = await make(world, caller);
    const add_ticket_nonce = await nonceOf(world, caller, 'add_ticket_nonce', post_id);
    return { body: { post_id, ...ticketFields(), add_ticket_nonce, scope } };
  },
});
const editedTicket = (event: MakeRecord, scope?: string): Situation => {
  const make = shared(event);
  const ticket = shared(async (world, caller) => seatIn(world, await make(world, caller), scope));
  return {
    isPersonal: true,
    async make(world, caller) {
      const post_id = await make(world, caller);
      const edit_ticket_nonce = await nonceOf(world, caller, 'edit_ticket_nonce', post_id);
      const body = { post_id, name: 'Chair', edit_ticket_nonce, ...followed(scope) };
      return { path: [await ticket(world, caller)], body };
    },
  };
};
const removedTicket = (event: MakeRecord, scope?: string, make = shared(event)): Situation => ({
  isPersonal: true,
  async make(world, caller) {
    const post_id = await make(world, caller);
    const remove_ticket_nonce = await nonceOf(world, caller, 'remove_ticket_nonce', post_id);
    return {
      path: [await seatIn(world, post_id, scope)],
      query: { post_id, remove_ticket_nonce, ...followed(scope) },
    };
  },
});

/** A ticket of one event, or a series pass, which is always written as a whole. */
const seatIn = async ({ server }: World, event: number, scope?: string): Promise<number> =>
  (await makeTicket(server, event, { ...ticketFields(), ...(scope === 'series' && { scope }) })).id;
const followed = (scope?: string): Record<string, string> =>
  scope === undefined || scope === 'series' ? {} : { scope };

/** Writes of tickets in events of SCOPED with each scope. */
const inScopes = (write: (event: MakeRecord, scope?: string) => Situation): Record<string, Situation> => {
  const [whole = missing, mixed = missing] = Object.values(SCOPED);
  return {
    'all of an author’s series': write(whole, 'all'),
    'all, one of the editor': write(mixed, 'all'),
    'following, one editor’s': write(mixed, 'following'),
    'this, one of the editor': write(mixed, 'this'),
    'pass of author’s series': write(whole, 'series'),
    'pass, one of the editor': write(mixed, 'series'),
  };
};
const ticketWrites = (write: (event: MakeRecord, scope?: string) => Situation): Record<string, Situation> => ({
  ...map(TICKETED, (event) => write(event)),
  ...inScopes(write),
});
const ofEvent =
  (make: MakeRecord, ticket = (world: World, event: number) => makeSeat(world.server, event)): MakeRecord =>
  async (world, caller) => {
    const event = await make(world, caller);
    return event === world.gate ? world.seat : ticket(world, event);
  };

const ATTENDEES: Record<string, MakeRecord> = {
  coming: async ({ server, seat }) => (await makeAttendee(server, seat)).id,
  'who opted out': async ({ server, seat }) => (await makeAttendee(server, seat, { optout: true })).id,
  'of the author’s event': async ({ server, ownSeat }) => (await makeAttendee(server, ownSeat, { optout: true })).id,
  'of a private event': async (world) => {
    const event = await eventOf(world, 'author', { status: 'private' });
    return (await makeAttendee(world.server, await makeSeat(world.server, event))).id;
  },
};

const ownAttendee = ATTENDEES['of the author’s event'] as MakeRecord;
const eventOfSeat = async ({ server, ownSeat }: World): Promise<number> => {
  const { query } = server.context.db;
  return (await query.selectFrom('tickets').select('event_id').where('id', '=', ownSeat).executeTakeFirstOrThrow())
    .event_id;
};
/** Requests for one attendee in the list for staff, or its export. */
const found = (make: MakeRecord, judge: Situation['judge'] = listed('attendees', () => '200')): Situation => ({
  make: async (world, caller) => ({ query: { include: await make(world, caller) } }),
  judge,
});
const exported = ({ text }: Answer): string => (text.trim().split('\n').length > 1 ? '200' : 'none');
/** A request for one order in the list, found by its number. */
const listedOrder = (make: MakeRecord): Situation => ({
  make: async (world, caller) => ({ query: { search: `#${await make(world, caller)}` } }),
  judge: listed('orders', () => '200'),
});

const listOf = (make: MakeRecord, judge: Situation['judge'], query: Record<string, string> = {}): Situation => ({
  make: async (world, caller) => ({ query: { include: await make(world, caller), ...query } }),
  judge,
});

/** Requests for lists and feeds of events. */
const listedEvents = (judge: Situation['judge']): Record<string, Situation> => ({
  ...map(EVENTS, (make) => listOf(make, judge)),
  'hidden from listings': listOf((world) => eventOf(world, 'author', { hide_from_listings: true }), judge),
  'found by what is masked': listOf(
    (world) => eventOf(world, 'contributor', { featured: true, post_password: 'sesame' }),
    judge,
    { featured: 'true' },
  ),
});
const always: Situation = { make: () => ({}) };
const seesTranslations: Situation['judge'] = ({ body }) => (body.translations === undefined ? '200' : 'full');
const term = (plural: string): Record<string, Record<string, Situation>> => {
  const made: MakeRecord = async ({ server }) => (await server.make(`POST /${plural}`, { name: fresh('term ') })).id;
  return {
    [`${plural}.list`]: { always },
    [`${plural}.create`]: { new: { make: () => ({ body: { name: fresh('term ') } }), isOnce: true } },
    [`${plural}.read`]: { any: read(made) },
    [`${plural}.update`]: { any: change(made, { description: 'Told' }) },
    [`${plural}.delete`]: { any: change(made) },
  };
};

/** Records of a kind that can be read or not, and changed or not. */
const linkedPostsOf = (kind: Linked) => ({
  shown: {
    published: (world: World) => linkedOf(world, kind, 'editor'),
    'draft of the author': (world: World) => linkedOf(world, kind, 'author', 'draft'),
    'draft of the editor': (world: World) => linkedOf(world, kind, 'editor', 'draft'),
    'in the trash': (world: World) => linkedOf(world, kind, 'author', 'trash'),
  },
  edited: {
    'published of the author': (world: World) => linkedOf(world, kind, 'author'),
    'draft of the contributor': (world: World) => linkedOf(world, kind, 'contributor', 'draft'),
    'published of the editor': (world: World) => linkedOf(world, kind, 'editor'),
  },
});

function linked(kind: Linked): Record<string, Record<string, Situation>> {
  const { shown, edited } = linkedPostsOf(kind);
  return {
    [`${kind}s.list`]: map(shown, (make) => ({
      // These lists have no `include`, but every name is unique.
      async make(world) {
        const { query } = world.server.context.db;
        const id = await make(world);
        const row = await query.selectFrom('linked_posts').select('title').where('id', '=', id).executeTakeFirst();
        return { query: { search: `"${row?.title}"` } };
      },
      judge: listed(`${kind}s`, () => '200'),
    })),
    [`${kind}s.create`]: {
      'to be published': {
        make: () => ({ body: { [kind]: fresh('Hall '), status: 'publish' } }),
        judge: statusWord,
      },
    },
    [`${kind}s.read`]: { ...map(shown, (make) => read(make)), missing: read(missing) },
    [`${kind}s.update`]: map(edited, (make) => change(make, { phone: '1' })),
    [`${kind}s.delete`]: map(edited, (make) => change(make)),
  };
}

/** A visitor with a paid ticket in the cart. */
async function shopping({ server, gate }: World): Promise<Record<string, string>> {
  const tickets = [{ ticket_id: await makeSeat(server, gate), quantity: 1 }];
  const { headers } = await server.ask('POST tickets:/cart', { body: { provider: 'tc', tickets } });
  return { 'x-cart-token': headers.get('x-cart-token') ?? '' };
}
const purchaser = { name: 'Ada Park', email: 'ada@party.test' };
/** An order, and the headers of its customer. */
async function bought({ server, seat }: World): Promise<Sample> {
  const { id, headers } = await buy(server, [seat]);
  return { path: [id], headers };
}
const withWrongToken = async (world: World): Promise<Sample> => {
  const { headers } = await bought(world);
  return { ...(await bought(world)), headers };
};
/** Once the order is paid. */
const completed = async ({ server }: World, sent: Sample): Promise<Sample> => {
  await server.make(`PATCH admin:/orders/${sent.path?.[0]}`, { status: 'completed' });
  return sent;
};
const heldTicket = (send: 'body' | 'query', more: Record<string, string> = {}): Situation => ({
  async make({ server, seat }) {
    const { id } = await makeAttendee(server, seat);
    return { path: [id], [send]: { security_code: await codeOf(server, id), ...more } };
  },
});
/** With the token of the ticket's page. */
const asItsHolder = (body?: Record<string, string>): Situation => ({
  async make({ server, seat }) {
    const { id } = await makeAttendee(server, seat);
    return { path: [id], headers: asHolder(await pageOf(server, id)), ...(body && { body }) };
  },
});
const replyOfHolder: Situation = {
  async make({ server, gate }) {
    const { id } = await makeAttendee(server, await makeRsvp(server, gate));
    return { path: [id], headers: asHolder(await pageOf(server, id)), body: { attendee_status: 'no' } };
  },
};
const reply = (more: Record<string, string> = {}): Situation => ({
  async make({ server, gate }) {
    const { id } = await makeAttendee(server, await makeRsvp(server, gate));
    return { path: [id], body: { security_code: await codeOf(server, id), attendee_status: 'no', ...more } };
  },
});
const order: MakeRecord = async ({ server, seat }) => (await makeAttendee(server, seat)).order;
const ownOrder: MakeRecord = async ({ server, ownSeat }) => (await makeAttendee(server, ownSeat)).order;
const unpaidOf =
  (...seats: ('seat' | 'ownSeat')[]): Situation['make'] =>
  async (world) => {
    const { id } = await buy(
      world.server,
      seats.map((name) => world[name]),
    );
    return { path: [id], body: { status: 'completed' } };
  };
const unpaidOrder =
  (seat: 'seat' | 'ownSeat'): MakeRecord =>
  async (world) =>
    (await buy(world.server, [world[seat]])).id;
const expiredOrder: MakeRecord = async (world, caller) => {
  const id = await unpaidOrder('seat')(world, caller);
  await world.server.make(`PATCH admin:/orders/${id}`, { status: 'not-completed' });
  return id;
};
const paidOrder =
  (seat: 'seat' | 'ownSeat'): MakeRecord =>
  async (world, caller) => {
    const id = await unpaidOrder(seat)(world, caller);
    await world.server.make(`POST admin:/orders/${id}/payments`, {});
    return id;
  };
const paymentOf =
  (seat: 'seat' | 'ownSeat'): MakeRecord =>
  async (world, caller) => {
    const [payment] = await findPaymentsOfOrder(world.server.context.db, await paidOrder(seat)(world, caller));
    return payment?.id ?? 0;
  };
const failedRefund =
  (seat: 'seat' | 'ownSeat'): MakeRecord =>
  async (world, caller) =>
    failedRefundOf(world.server, await paidOrder(seat)(world, caller));
const listedPayment = (seat: 'seat' | 'ownSeat'): Situation => ({
  make: async (world, caller) => ({ query: { order: await paidOrder(seat)(world, caller) } }),
  judge: listed('payments', () => '200'),
});
/** A paid order on a server that issues invoices. */
const issuable =
  (seat: 'seat' | 'ownSeat'): MakeRecord =>
  async (world, caller) => {
    world.server.restart({ qrApiKey: SITE_KEY, invoices: 'paid' });
    return paidOrder(seat)(world, caller);
  };
/** The invoice of a paid order. */
const invoiceOf =
  (seat: 'seat' | 'ownSeat'): MakeRecord =>
  async (world, caller) => {
    const order = await issuable(seat)(world, caller);
    return (await world.server.make(`POST admin:/orders/${order}/invoices`, {})).invoices[0].id;
  };
/** Invoices of one order in a list or an export. */
const invoicesOf = (seat: 'seat' | 'ownSeat', judge: Situation['judge']): Situation => ({
  async make(world, caller) {
    const id = await invoiceOf(seat)(world, caller);
    return {
      query: { order: (await world.server.ask(`GET admin:/invoices/${id}`, { as: 'administrator' })).body.order.id },
    };
  },
  judge,
});
/** The mail about an order. */
const mailOf =
  (seat: 'seat' | 'ownSeat'): MakeRecord =>
  async ({ server, ...world }) =>
    lastMailOf(server, (await buy(server, [world[seat]])).id);
const accountMail: MakeRecord = async ({ server }) => {
  const name = `invited${++serial}`;
  const person = { username: name, email: `${name}@example.test`, role: 'author', invite: true };
  const { id } = await server.make('POST admin:/users', person);
  const mails = server.context.db.query.selectFrom('mails').select('id').where('account_id', '=', id);
  return (await mails.executeTakeFirstOrThrow()).id;
};
const messageIdOf = async (server: TestServer, seat: number) => {
  const id = await lastMailOf(server, (await buy(server, [seat])).id);
  return markSent(server, id);
};
const mailsOf = (seat: 'seat' | 'ownSeat'): Situation => ({
  make: async ({ server, ...world }) => ({ query: { order: (await buy(server, [world[seat]])).id } }),
  judge: listed('mails', () => '200'),
});
/** A text of mails of the site, or of an event. */
const mailText =
  (about: (world: World) => Promise<number> | undefined): MakeRecord =>
  async (world) => {
    const body = { kind: 'tickets', language: 'en', subject: 'Hello', event: await about(world) };
    return (await world.server.make('PUT admin:/mail-texts', body)).id;
  };
const ofMailText = (fields: Record<string, unknown>): Record<string, Situation> => {
  const body = { kind: 'tickets', language: 'en', ...fields };
  return {
    'of the site': { make: () => ({ body }) },
    'of the author’s event': { make: async (world) => ({ body: { ...body, event: await eventOf(world, 'author') } }) },
    missing: { make: () => ({ body: { ...body, event: MISSING } }) },
  };
};
const withNumber = ({ path = [], ...sample }: Sample): Sample => ({ ...sample, path: [...path, '2026-0001'] });
const orderWord = ({ url }: Answer['body']) => (url === undefined ? '200' : 'full');
const mixedOrder: MakeRecord = async ({ server, seat, ownSeat }) => (await buy(server, [seat, ownSeat])).id;

const sale = (ticket: 'seat' | 'ownSeat', more: Record<string, unknown> = {}): Situation => ({
  make: (world) => ({
    body: { items: [{ ticket_id: world[ticket], quantity: 1, ...more }], payment: 'cash', reason: 'A friend' },
  }),
});

const scan = (send: 'body' | 'query', key: { api_key?: string } = {}, seat?: 'ownSeat'): Situation => ({
  isPersonal: true,
  async make({ server, gate, ...world }, { headers }) {
    const { id } = await makeAttendee(server, seat ? world[seat] : await makeRsvp(server, gate));
    const code = { ticket_id: id, security_code: await codeOf(server, id) };
    return { [send]: { ...code, ...(headers['x-api-key'] === undefined && key) } };
  },
});
const WRONG_KEY = { api_key: 'wrong' };

const cartOf = (make: MakeRecord): Situation => ({
  async make(world, caller) {
    const ticket_id = await makeSeat(world.server, await make(world, caller), 1000);
    return { body: { provider: 'tc', tickets: [{ ticket_id, quantity: 1 }] } };
  },
});

const picture =
  (author: Author): MakeRecord =>
  async ({ server }) => {
    const { body } = await server.ask('POST admin:/media', { as: 'administrator', form: upload(await png(20, 20)) });
    const values = { author_id: server.userId(author) };
    await server.context.db.query.updateTable('media').set(values).where('id', '=', body.id).execute();
    return body.id;
  };

const replaceFile = (make: MakeRecord): Situation => ({
  make: async (world, caller) => ({ path: [await make(world, caller)], form: upload(await png(20, 20)) }),
});

const linkedBy =
  (kind: Linked, author: Author): MakeRecord =>
  (world) =>
    linkedOf(world, kind, author);
const newTerm =
  (plural: string): MakeRecord =>
  async ({ server }) =>
    (await server.make(`POST /${plural}`, { name: fresh('Term ') })).id;

const merge = (survivor: MakeRecord, other: MakeRecord): Situation => ({
  isOnce: true,
  make: async (world, caller) => ({
    path: [await survivor(world, caller)],
    body: { from: [await other(world, caller)] },
  }),
});

const undo = (plural: string, make: MakeRecord): Situation => ({
  isOnce: true,
  async make(world, caller) {
    const [survivor, other] = [await make(world, caller), await make(world, caller)];
    const { merge: id } = await world.server.make(`POST admin:/${plural}/${survivor}/merge`, { from: [other] });
    return { path: [id] };
  },
});

const newUser = () => {
  const username = fresh('user');
  return { username, email: `${username}@example.test`, password: 'long enough', role: 'subscriber' };
};
const account =
  (role: Role): MakeRecord =>
  ({ server }) =>
    server.userId(role);
const ACCOUNTS = { 'of the author': account('author'), 'of the editor': account('editor') };

/** Resets the role of the author's account, which a row may have changed. */
async function withAuthor({ server }: World): Promise<number> {
  const id = server.userId('author');
  await server.context.db.query.updateTable('users').set({ role: 'author' }).where('id', '=', id).execute();
  return id;
}

const appPassword = (make: MakeRecord): Situation => ({
  async make(world, caller) {
    const owner = await make(world, caller);
    const made = await world.server.make(`POST admin:/users/${owner}/application-passwords`, { name: 'Old' });
    return { path: [owner, made.id] };
  },
});
const token =
  (make: MakeRecord): MakeRecord =>
  async (world, caller) => {
    const body = { name: 'Old', scopes: 'read', user_id: await make(world, caller) };
    return (await world.server.make('POST admin:/tokens', body)).id;
  };

const nonce = (make?: MakeRecord): Situation => ({
  make: async (world, caller) => ({
    body: { action: 'add_ticket_nonce', ...(make && { post_id: await make(world, caller) }) },
  }),
});

/** A record in the format of the core namespace. */
const coreWord = ({ title, content }: Answer['body']) => {
  if (content.protected) return 'mask';
  return title.raw === undefined ? '200' : 'raw';
};
const coreListed = ({ body }: Answer): string => (body.length === 0 ? 'none' : coreWord(body[0]));
const coreList = (make: MakeRecord, query: Record<string, string> = {}): Situation => ({
  make: async (world, caller) => ({ query: { include: await make(world, caller), ...query } }),
  judge: coreListed,
});
const stored = (make: MakeRecord): Situation => ({
  make: async (world, caller) => ({ path: [await make(world, caller)], query: { context: 'edit' } }),
  judge: ({ body }) => coreWord(body),
});
const dated = { _EventStartDate: EVENING.start_date, _EventEndDate: EVENING.end_date };

function coreLinked(kind: Linked): Record<string, Record<string, Situation>> {
  const { shown, edited } = linkedPostsOf(kind);
  return {
    [`wp_${kind}s.list`]: {
      published: coreList(shown.published),
      'draft of the author': coreList(shown['draft of the author'], { status: 'any' }),
    },
    [`wp_${kind}s.create`]: {
      'to be published': { make: () => ({ body: { title: fresh('Hall '), status: 'publish' } }), judge: statusWord },
    },
    [`wp_${kind}s.read`]: { ...map(shown, (make) => read(make)), missing: read(missing) },
    [`wp_${kind}s.update`]: map({ ...edited, missing }, (make) => change(make, { content: 'Said' })),
  };
}

const coreTerm = (plural: string): Record<string, Record<string, Situation>> => {
  const {
    list,
    create,
    read: one,
  } = Object.fromEntries(Object.entries(term(plural)).map(([name, situations]) => [name.split('.')[1], situations]));
  return { [`wp_${plural}.list`]: list ?? {}, [`wp_${plural}.create`]: create ?? {}, [`wp_${plural}.read`]: one ?? {} };
};

/** An image of the editor, and an event that shows it. */
const pictured =
  (fields: Record<string, unknown> = {}): MakeRecord =>
  async (world, caller) => {
    const image = await picture('editor')(world, caller);
    await eventOf(world, 'editor', { image, ...fields });
    return image;
  };

const core: Record<string, Record<string, Situation>> = {
  'wp.index': { always },
  'wp_events.list': {
    ...map(pick(EVENTS, ['published', 'with a password', 'the author’s with one']), (make) => coreList(make)),
    'draft of the author': coreList(EVENTS['draft of the author'] as MakeRecord, { status: 'any' }),
    'hidden from listings': coreList((world) => eventOf(world, 'author', { hide_from_listings: true })),
    'found by what is masked': coreList(
      (world) => eventOf(world, 'contributor', { tags: ['masked'], post_password: 'sesame' }),
      { tags: 'masked' },
    ),
    'as it is stored': coreList(({ gate }) => gate, { context: 'edit' }),
  },
  'wp_events.create': {
    'to be published': { make: () => ({ body: { title: 'Walk', status: 'publish', meta: dated } }), judge: statusWord },
    'of another account': {
      make: ({ server }) => ({ body: { title: 'Walk', author: server.userId('subscriber'), meta: dated } }),
    },
  },
  'wp_events.read': {
    ...map(omit(EVENTS, ['draft of the editor', 'the contributor’s']), (make) => read(make, coreWord)),
    missing: read(missing),
    'as it is stored': stored(({ gate }) => gate),
  },
  'wp_events.update': {
    ...map(omit(EDITED, ['draft of the author', 'published of the editor']), (make) =>
      change(make, { excerpt: 'Said' }),
    ),
    'in the trash': change((world) => eventOf(world, 'author', { status: 'trash' }), { excerpt: 'Said' }),
    missing: change(missing, { excerpt: 'Said' }),
  },
  ...coreLinked('venue'),
  ...coreLinked('organizer'),
  ...coreTerm('categories'),
  ...coreTerm('tags'),
  'wp_media.upload': { any: { make: async () => ({ form: upload(await png(20, 20)) }) } },
  'wp_media.list': { always },
  'wp_media.read': {
    'of no record': read(picture('editor')),
    'of a published event': read(pictured()),
    'of a masked event': read(pictured({ post_password: 'sesame' })),
    missing: read(missing),
  },
  'wp_users.me': { always },
};

/** By endpoint, then situation, as named in the table. */
export const SITUATIONS: Readonly<Record<string, Readonly<Record<string, Situation>>>> = {
  'events.index': { always },
  'events.doc': { always },
  'tickets.index': { always },
  'tickets.doc': { always },
  'admin.index': { always },
  'admin.doc': { always },
  'events.list': {
    ...listedEvents(listed('events', eventWord)),
    'by a missing language': listOf((world) => eventOf(world, 'editor'), listed('events', eventWord), {
      missing_language: 'fr',
    }),
  },
  'events.ical': listedEvents(feedWord),
  'events.rss': listedEvents(feedWord),
  'events.atom': listedEvents(feedWord),
  'events.json_feed': listedEvents(feedWord),
  'events.create': {
    'to be published': { make: () => ({ body: { ...EVENING, status: 'publish' } }), judge: statusWord },
    'of another account': { make: ({ server }) => ({ body: { ...EVENING, author: server.userId('subscriber') } }) },
    'at an editor’s draft': {
      make: async (world) => ({ body: { ...EVENING, venue: await linkedOf(world, 'venue', 'editor', 'draft') } }),
    },
  },
  'events.read': { ...map(EVENTS, (make) => read(make, eventWord)), missing: read(missing) },
  'events.read_ical': {
    ...map(EVENTS, (make): Situation => ({ ...read(make), judge: feedWord })),
    missing: read(missing),
  },
  'events.update': {
    ...map(EDITED, (make) => change(make, { excerpt: 'Said' })),
    ...map(SCOPED, scoped),
    'in the trash': change((world) => eventOf(world, 'author', { status: 'trash' }), { excerpt: 'Said' }),
    missing: change(missing, { excerpt: 'Said' }),
  },
  'events.delete': { ...map(EDITED, (make) => change(make)), ...map(SCOPED, scoped), missing: change(missing) },
  'series.list': { always: { make: () => ({}) } },
  'series.create': { any: { make: () => ({ body: { event: { title: 'Pottery', ...DATES }, recurrence: WEEKLY } }) } },
  'series.read': { ...map(SERIES, (make) => read(seriesOf(make))), missing: read(missing) },
  'series.occurrences': { ...map(SERIES, (make) => read(seriesOf(make))), missing: read(missing) },
  'series.update': {
    ...map(EDITED, (make) => change(seriesOf(make), { recurrence: { rdates: ['2027-05-03'] } })),
    missing: change(missing, { recurrence: WEEKLY }),
  },
  'series.delete': { ...map(EDITED, (make) => change(seriesOf(make))), missing: change(missing) },
  ...linked('venue'),
  ...linked('organizer'),
  ...term('categories'),
  ...term('tags'),
  'tickets.list': {
    ...map(EVENTS, (make) => listOf(ofEvent(make), listed('tickets', ticketWord))),
    'by who has checked in': listOf(({ seat }) => seat, listed('tickets', ticketWord), { checkedin_min: '0' }),
    'own by who has checked in': listOf(({ ownSeat }) => ownSeat, listed('tickets', ticketWord), {
      checkedin_min: '0',
    }),
  },
  'tickets.create': ticketWrites(newTicket),
  'tickets.read': { ...map(EVENTS, (make) => read(ofEvent(make), ticketWord)), missing: read(missing) },
  'findings.list': { always },
  'findings.close': {
    any: { ...change(({ server }) => makeFinding(server.context), { note: 'Known' }), isOnce: true },
    missing: change(missing, { note: 'Known' }),
  },
  'tickets.update': ticketWrites(editedTicket),
  'tickets.delete': ticketWrites(removedTicket),
  'events.duplicate': {
    ...map(pick(TICKETED, ['published of the author', 'published of contributor']), (make) => change(make, {})),
    missing: change(missing, {}),
  },
  'events.refunds': { always: read(({ gate }) => gate) },
  'events.refund': { 'not cancelled': change(({ gate }) => gate, {}) },
  'events.stock': {
    any: read(({ gate }) => gate),
    'of the author’s event': read(eventOfSeat),
    missing: read(missing),
  },
  'sold_places.read': {
    'of the editor’s event': {
      make: ({ gate }) => ({ query: { events: gate } }),
      judge: listed('events', () => '200'),
    },
    'of the author’s event': {
      make: async (world) => ({ query: { events: await eventOfSeat(world) } }),
      judge: listed('events', () => '200'),
    },
  },
  'holds.release': {
    any: change(({ server, seat }) => holdOf(server, seat)),
    'of the author’s event': change(({ server, ownSeat }) => holdOf(server, ownSeat)),
    missing: change(missing),
  },
  'reports.sales': { always },
  'reports.attendance': { always },
  'reports.money': { always },
  'payments.export': { always },
  'reports.overview': { always },
  'system.read': { always },
  'jobs.list': { always },
  'jobs.count': { always },
  'jobs.retry_dead': { always: { make: () => ({ body: {} }) } },
  'jobs.retry': { dead: { ...change(deadJob), isOnce: true }, missing: change(missing) },
  'imports.list': { always },
  'imports.create': { always: { make: () => ({ body: { file_name: 'table.csv', size: 9 } }) } },
  'imports.read': { finished: importIn('finished'), missing: change(missing) },
  'imports.upload': {
    expected: {
      make: async ({ server }) => ({ path: [await addImport(server.context, 'uploading', 2), 0], body: {} }),
    },
    missing: { make: () => ({ path: [MISSING, 0], body: {} }) },
  },
  'imports.columns': {
    mapping: { ...importIn('mapping', { columns: ['title', 'start_date'] }), isOnce: true },
    missing: { make: () => ({ path: [MISSING], body: { columns: ['title', 'start_date'] } }) },
  },
  'imports.start': { planned: { ...importIn('planned', {}), isOnce: true }, missing: change(missing) },
  'imports.cancel': { planned: { ...importIn('planned', {}), isOnce: true }, missing: change(missing) },
  'imports.undo': { finished: { ...importIn('finished', {}), isOnce: true }, missing: change(missing) },
  'import_plans.list': { planned: importIn('planned'), missing: change(missing) },
  'import_findings.list': { finished: importIn('finished'), missing: change(missing) },
  'subscriptions.list': { always },
  'subscriptions.create': {
    always: { make: () => ({ body: { address: `https://calendar.example/${fresh('new')}.ics` } }), isPersonal: true },
  },
  'subscriptions.update': { present: subscription({ paused: true }), missing: change(missing) },
  'subscriptions.delete': { present: subscription({}), missing: change(missing) },
  'jobs.remove': { dead: change(deadJob), missing: change(missing) },
  'examples.create': { always: { make: () => ({ body: { dry_run: true } }) } },
  'tickets.availability': {
    any: read(({ seat }) => seat),
    'of the author’s event': read(({ ownSeat }) => ownSeat),
    missing: read(missing),
  },
  'tickets.missing_dates': {
    any: read(({ seat }) => seat),
    'of the author’s event': read(({ ownSeat }) => ownSeat),
    missing: read(missing),
  },
  'nonces.create': {
    ...map(TICKETED, nonce),
    'missing event': nonce(missing),
    'any event': nonce(),
  },
  'attendees.list': {
    ...map(ATTENDEES, (make) => listOf(make, listed('attendees', attendeeWord))),
    'by check-in': listOf(ATTENDEES.coming as MakeRecord, listed('attendees', attendeeWord), { checkedin: 'false' }),
    'by e-mail': listOf(ATTENDEES.coming as MakeRecord, listed('attendees', attendeeWord), { email: 'ada' }),
    'own by e-mail': listOf(ownAttendee, listed('attendees', attendeeWord), { email: 'ada' }),
  },
  'attendees.create': map(
    {
      'any ticket': ({ seat }: World) => seat,
      'of the author’s event': ({ ownSeat }: World) => ownSeat,
      'missing ticket': missing,
    },
    (make) => ({
      make: (world) => ({ body: { ticket_id: make(world), full_name: 'Ada Park', email: 'ada@party.test' } }),
    }),
  ),
  'attendees.read': { ...map(ATTENDEES, (make) => read(make, attendeeWord)), missing: read(missing) },
  'attendees.update': {
    'check in': { ...change(ATTENDEES.coming as MakeRecord, { check_in: true }), isOnce: true },
    rename: change(ATTENDEES.coming as MakeRecord, { full_name: 'Bo Park' }),
    'check in the author’s': { ...change(ownAttendee, { check_in: true }), isOnce: true },
    'rename the author’s': change(ownAttendee, { full_name: 'Bo Park' }),
    'of a private event': {
      ...change(ATTENDEES['of a private event'] as MakeRecord, { check_in: true }),
      isOnce: true,
    },
    missing: change(missing, { check_in: true }),
  },
  'attendees.inspect': {
    any: read(ATTENDEES.coming as MakeRecord),
    'of the author’s event': read(ownAttendee),
    missing: read(missing),
  },
  'cart.read': {
    empty: always,
    'of an editor’s draft': {
      make: async (world) => ({ query: { post_id: await eventOf(world, 'editor', { status: 'draft' }) } }),
    },
  },
  'cart.save': {
    published: cartOf((world) => eventOf(world, 'editor')),
    'draft of the author': cartOf((world) => eventOf(world, 'author', { status: 'draft' })),
    'with a password': cartOf((world) => eventOf(world, 'editor', { post_password: 'sesame' })),
    'the author’s with one': cartOf((world) => eventOf(world, 'author', { post_password: 'sesame' })),
  },
  'cart.checkout': {
    'to be paid': {
      isPersonal: true,
      make: async (world) => ({ headers: await shopping(world), body: { purchaser } }),
      judge: ({ body }) => body.order.status.slice(0, 4),
    },
    'paid by hand': {
      isPersonal: true,
      make: async (world) => ({ headers: await shopping(world), body: { purchaser, payment: 'manual' } }),
      judge: ({ body }) => body.order.status.slice(0, 4),
    },
  },
  'buyers_orders.read': {
    'with its token': { make: bought },
    'with another token': { make: withWrongToken },
    missing: { make: async (world) => ({ ...(await bought(world)), path: [MISSING] }) },
  },
  'buyers_orders.update': {
    'with its token': { make: async (world) => ({ ...(await bought(world)), body: { purchaser: { name: 'Bo' } } }) },
    'with another token': { make: withWrongToken },
  },
  'buyers_orders.cancel': {
    'with its token': { make: bought, isOnce: true },
    'with another token': { make: withWrongToken },
  },
  'buyers_orders.pay': {
    'without a gateway': { make: async (world) => ({ ...(await bought(world)), body: {} }) },
    'with another token': { make: async (world) => ({ ...(await withWrongToken(world)), body: {} }) },
  },
  'buyers_orders.invoice': {
    'that does not exist': { make: async (world) => withNumber(await bought(world)) },
    'with another token': { make: async (world) => withNumber(await withWrongToken(world)) },
  },
  'buyers_orders.tickets_pdf': {
    'with its token': { make: async (world) => completed(world, await bought(world)) },
    'with another token': { make: async (world) => completed(world, await withWrongToken(world)) },
  },
  'buyers_orders.invoice_pdf': {
    'that does not exist': { make: async (world) => withNumber(await bought(world)) },
    'with another token': { make: async (world) => withNumber(await withWrongToken(world)) },
  },
  'buyers_orders.check_payment': {
    'with its token': { make: bought },
    'with another token': { make: withWrongToken },
  },
  'gateways.webhook': { 'without its settings': { make: () => ({ path: ['stripe'], body: {} }) } },
  'held_tickets.read': {
    'token of its page': asItsHolder(),
    'right code': heldTicket('query'),
    'wrong code': heldTicket('query', { security_code: 'wrong' }),
    missing: { make: () => ({ path: [MISSING], query: { security_code: 'wrong' } }) },
  },
  'held_tickets.pdf': {
    'token of its page': asItsHolder(),
    'right code': heldTicket('query'),
    'wrong code': heldTicket('query', { security_code: 'wrong' }),
  },
  'held_tickets.apple_pass': { 'without its settings': asItsHolder() },
  'held_tickets.google_wallet': { 'without its settings': asItsHolder() },
  'buyers_orders.send_links': { 'any address': { make: () => ({ body: { email: 'ada@party.test' } }) } },
  'held_tickets.update': {
    'token of its page': asItsHolder({ full_name: 'Bo Park' }),
    'right code': heldTicket('body', { full_name: 'Bo Park' }),
    'wrong code': heldTicket('body', { full_name: 'Bo Park', security_code: 'wrong' }),
  },
  'held_tickets.transfer': {
    'token of its page': { ...asItsHolder({ full_name: 'Bo', email: 'bo@party.test' }), isOnce: true },
    'right code': heldTicket('body', { full_name: 'Bo', email: 'bo@party.test' }),
    'wrong code': heldTicket('body', { full_name: 'Bo', email: 'bo@party.test', security_code: 'wrong' }),
  },
  'replies.create': map(
    {
      published: (world: World) => eventOf(world, 'editor'),
      'draft of the author': (world: World) => eventOf(world, 'author', { status: 'draft' }),
      'with a password': (world: World) => eventOf(world, 'editor', { post_password: 'sesame' }),
    },
    (make): Situation => ({
      async make(world) {
        const ticket_id = await makeRsvp(world.server, await make(world));
        return { body: { ticket_id, full_name: 'Ada Park', email: 'ada@party.test' } };
      },
    }),
  ),
  'replies.update': {
    'token of a page': replyOfHolder,
    'right code': reply(),
    'wrong code': reply({ security_code: 'wrong' }),
  },
  'qr.scan': {
    'right code': scan('body'),
    'of the author’s event': scan('body', {}, 'ownSeat'),
    'with a wrong key': scan('body', WRONG_KEY),
  },
  'qr.scan_get': { 'right code': scan('query'), 'with a wrong key': scan('query', WRONG_KEY) },
  'qr.read': map(ATTENDEES, (make) => read(make, ({ content }) => (content === undefined ? '200' : 'full'))),
  'media.upload': { any: { make: async () => ({ form: upload(await png(20, 20)) }) } },
  'media.list': { always },
  'media.read': { any: read(picture('editor')), missing: read(missing) },
  'media.update': {
    'of the author': change(picture('author'), { alt: 'A mill' }),
    'of the editor': change(picture('editor'), { alt: 'A mill' }),
    missing: change(missing, { alt: 'A mill' }),
  },
  'media.replace': {
    'of the author': replaceFile(picture('author')),
    'of the editor': replaceFile(picture('editor')),
    missing: replaceFile(missing),
  },
  'media.delete': { 'of the author': change(picture('author')), 'of the editor': change(picture('editor')) },
  'media.used_by': { any: read(picture('editor')), missing: read(missing) },
  ...Object.fromEntries(
    ['venues', 'organizers', 'categories', 'tags'].flatMap((plural) => [
      [`${plural}.counted`, { always }],
      [`${plural}.duplicates`, { always }],
    ]),
  ),
  ...Object.fromEntries(
    (['venue', 'organizer'] as const).map((kind) => [
      `${kind}s.merge`,
      {
        'of the author': merge(linkedBy(kind, 'author'), linkedBy(kind, 'author')),
        'of the editor': merge(linkedBy(kind, 'editor'), linkedBy(kind, 'editor')),
        'one of each': merge(linkedBy(kind, 'author'), linkedBy(kind, 'editor')),
      },
    ]),
  ),
  'categories.merge': { any: merge(newTerm('categories'), newTerm('categories')) },
  'tags.merge': { any: merge(newTerm('tags'), newTerm('tags')) },
  'merges.undo': {
    'of the author’s venues': undo('venues', linkedBy('venue', 'author')),
    'of the editor’s venues': undo('venues', linkedBy('venue', 'editor')),
    'of tags': undo('tags', newTerm('tags')),
    missing: change(missing),
  },
  'translations.progress': { always },
  'translations.missing': { always: { make: () => ({ query: { kind: 'event', language: 'fr' } }) } },
  'orders.list': {
    always,
    'of the editor’s event': listedOrder(order),
    'of the author’s event': listedOrder(ownOrder),
    'of both': listedOrder(mixedOrder),
  },
  'orders.read': {
    any: read(order, orderWord),
    'of the author’s event': read(ownOrder, orderWord),
    'of both': read(mixedOrder, orderWord),
    missing: read(missing),
  },
  'orders.update': {
    refund: { ...change(order, { status: 'refunded' }), isOnce: true },
    'refund the author’s': { ...change(ownOrder, { status: 'refunded' }), isOnce: true },
    void: { ...change(order, { status: 'voided' }), isOnce: true },
    'take the money': { make: unpaidOf('seat'), isOnce: true },
    'for the author’s event': { make: unpaidOf('ownSeat'), isOnce: true },
    'for both': { make: unpaidOf('seat', 'ownSeat'), isOnce: true },
    'and write a note': { ...change(mixedOrder, { status: 'completed', note: 'Paid' }), isOnce: true },
    'the customer': change(order, { purchaser: { name: 'Bo Park' } }),
    'of an expired one': { ...change(expiredOrder, { status: 'completed' }), isOnce: true },
  },
  'orders.create': {
    any: sale('seat'),
    'for the author’s event': sale('ownSeat'),
    'at another price': sale('seat', { price: 1 }),
    'own at another price': sale('ownSeat', { price: 1 }),
  },
  'orders.cancel_places': {
    any: {
      async make({ server, gate }) {
        const { id, attendees } = await buy(server, [await makeSeat(server, gate)]);
        return { path: [id], body: { attendees: [attendees[0]?.id] } };
      },
    },
    'of the author’s event': {
      async make({ server, ownSeat }) {
        const { id, attendees } = await buy(server, [ownSeat]);
        return { path: [id], body: { attendees: [attendees[0]?.id] } };
      },
      isOnce: true,
    },
  },
  'orders.issue_invoices': {
    any: change(issuable('seat'), {}),
    'of the author’s event': change(issuable('ownSeat'), {}),
    missing: change(missing, {}),
  },
  'invoices.list': {
    'of the editor’s event': invoicesOf(
      'seat',
      listed('invoices', () => '200'),
    ),
    'of the author’s event': invoicesOf(
      'ownSeat',
      listed('invoices', () => '200'),
    ),
  },
  'invoices.export': {
    'of the editor’s event': invoicesOf('seat', exported),
    'of the author’s event': invoicesOf('ownSeat', exported),
  },
  'invoices.read': {
    any: read(invoiceOf('seat')),
    'of the author’s event': read(invoiceOf('ownSeat')),
    missing: read(missing),
  },
  'announcements.list': {
    any: read((world) => eventOf(world, 'editor')),
    'of the author': read((world) => eventOf(world, 'author')),
    missing: read(missing),
  },
  'announcements.create': {
    any: { ...change((world) => eventOf(world, 'editor'), { text: 'News' }), isPersonal: true },
    'of the author': { ...change((world) => eventOf(world, 'author'), { text: 'News' }), isPersonal: true },
    missing: change(missing, { text: 'News' }),
  },
  'event_reminders.read': {
    any: read((world) => eventOf(world, 'editor')),
    'of the author': read((world) => eventOf(world, 'author')),
    missing: read(missing),
  },
  'event_reminders.update': {
    any: change((world) => eventOf(world, 'editor'), { own: true }),
    'of the author': change((world) => eventOf(world, 'author'), { own: true }),
    missing: change(missing, { own: true }),
  },
  'reminders.unsubscribe': { 'with a forged token': { make: () => ({ body: { token: 'x' } }) } },
  'mail_texts.list': {
    'of the site': { make: () => ({}) },
    'of the author’s event': { make: async (world) => ({ query: { event: await eventOf(world, 'author') } }) },
    missing: { make: () => ({ query: { event: MISSING } }) },
  },
  'mail_texts.write': ofMailText({ subject: 'Hello' }),
  'mail_texts.preview': ofMailText({}),
  'mail_texts.delete': {
    'of the site': { ...change(mailText(() => undefined)), isPersonal: true },
    'of the author’s event': { ...change(mailText((world) => eventOf(world, 'author'))), isPersonal: true },
    missing: change(missing),
  },
  'mails.list': {
    'to an account': {
      make: async (world, caller) => {
        await accountMail(world, caller);
        return { query: { kind: 'invitation', per_page: 1 } };
      },
      judge: listed('mails', () => '200'),
    },
    'of the editor’s event': mailsOf('seat'),
    'of the author’s event': mailsOf('ownSeat'),
  },
  'mails.read': {
    'to an account': read(accountMail),
    any: read(mailOf('seat')),
    'of the author’s event': read(mailOf('ownSeat')),
    missing: read(missing),
  },
  'mails.bounce': {
    any: { make: async ({ server, seat }) => ({ body: { message_id: await messageIdOf(server, seat) } }) },
    missing: { make: () => ({ body: { message_id: '<mail-1-1@nowhere.test>' } }) },
  },
  'mails.send': {
    'to an account': change(accountMail, {}),
    any: change(mailOf('seat'), {}),
    'of the author’s event': change(mailOf('ownSeat'), {}),
    'to another address': change(mailOf('ownSeat'), { to: 'bo@party.test' }),
    missing: change(missing, {}),
  },
  'payments.list': {
    'of the editor’s event': listedPayment('seat'),
    'of the author’s event': listedPayment('ownSeat'),
  },
  'payments.create': {
    any: { ...change(unpaidOrder('seat'), {}), isOnce: true },
    'for the author’s event': { ...change(unpaidOrder('ownSeat'), {}), isOnce: true },
    'of an expired one': { ...change(expiredOrder, {}), isOnce: true },
    missing: change(missing, {}),
  },
  'payments.close': { any: change(unpaidOrder('seat')), 'of the author’s event': change(unpaidOrder('ownSeat')) },
  'payments.check': {
    any: change(paymentOf('seat')),
    'of the author’s event': change(paymentOf('ownSeat')),
    missing: change(missing),
  },
  'refunds.create': {
    any: { ...change(paidOrder('seat'), {}), isOnce: true },
    'of the author’s event': { ...change(paidOrder('ownSeat'), {}), isOnce: true },
    missing: change(missing, {}),
  },
  ...Object.fromEntries(
    ['refunds.retry', 'refunds.settle'].map((name) => [
      name,
      {
        any: { ...change(failedRefund('seat')), isOnce: true },
        'of the author’s event': { ...change(failedRefund('ownSeat')), isOnce: true },
        missing: change(missing),
      },
    ]),
  ),
  'orders.export': { always },
  'attendees.search': {
    always,
    'of the editor’s event': found(ATTENDEES.coming as MakeRecord),
    'of the author’s event': found(ownAttendee),
    'of the gate': { make: ({ gate }) => ({ query: { event: gate } }) },
    'with orders': { make: () => ({ query: { with: 'order' } }) },
    'with ends of codes': { make: () => ({ query: { with: 'code_end' } }) },
  },
  'attendees.move': {
    any: {
      async make({ server, gate }) {
        const { id } = await makeAttendee(server, await makeSeat(server, gate));
        return { path: [id], body: { ticket_id: await makeSeat(server, gate) } };
      },
    },
    'of the author’s event': {
      async make({ server, ownSeat, ...world }) {
        const { id } = await makeAttendee(server, ownSeat);
        return {
          path: [id],
          body: { ticket_id: await makeSeat(server, await eventOfSeat({ server, ownSeat, ...world })) },
        };
      },
    },
    'to the author’s event': {
      isOnce: true,
      async make({ server, gate, ownSeat }) {
        const { id } = await makeAttendee(server, await makeSeat(server, gate));
        return { path: [id], body: { ticket_id: ownSeat } };
      },
    },
  },
  'attendees.renew_code': {
    any: change(async ({ server, gate }) => (await makeAttendee(server, await makeSeat(server, gate))).id),
    'of the author’s event': change(ownAttendee),
  },
  'attendees.export': {
    always,
    'of the editor’s event': found(ATTENDEES.coming as MakeRecord, exported),
    'of the author’s event': found(ownAttendee, exported),
  },
  'events.export': { always },
  'batch.run': { any: { make: () => ({ body: { calls: [{ method: 'GET', path: '/calendar/events/v1/events' }] } }) } },
  'gates.list': { always },
  'gates.create': {
    any: { make: ({ gate }) => ({ body: { name: fresh('North '), event_ids: [gate] } }) },
    'of the author’s event': {
      make: async (world) => ({ body: { name: fresh('North '), event_ids: [await eventOf(world, 'author')] } }),
    },
    'of both': {
      make: async (world) => ({
        body: { name: fresh('North '), event_ids: [world.gate, await eventOf(world, 'author')] },
      }),
    },
  },
  'gates.update': {
    any: change(editorsGate, { may_sell: true }),
    'of the author’s event': change(authorsGate, { may_sell: true }),
    missing: change(missing, {}),
  },
  'gates.delete': { any: change(editorsGate), 'of the author’s event': change(authorsGate) },
  'gates.pairing': { any: change(editorsGate), 'of the author’s event': change(authorsGate) },
  'gates.devices': { any: change(editorsGate), 'of the author’s event': change(authorsGate) },
  'door_devices.revoke': {
    any: change(async (world) => (await pairDevice(world.server, await editorsGate(world))).id),
    'of the author’s event': change(async (world) => (await pairDevice(world.server, await authorsGate(world))).id),
    missing: change(missing),
  },
  'door.pair': { 'with an unknown code': { make: () => ({ body: { code: '0000000000' } }) } },
  'door.hello': { always, 'of a device': { make: byDevice } },
  'door.attendees': { always, 'of a device': { make: byDevice } },
  'door.scans': {
    always: { make: (world) => ({ body: { scans: [scanOf(world.server, 1, 'x')] } }) },
    'of a device': {
      make: async (world) => ({ ...(await byDevice(world)), body: { scans: [scanOf(world.server, 1, 'x')] } }),
    },
  },
  'door.sealed': { always: { make: () => ({ body: { sealed: ['x'] } }) } },
  'door.offers': { always, 'of a device': { make: byDevice }, 'of a device that sells': { make: bySellingDevice } },
  'door.sell': {
    always: { make: () => ({ body: { ...NO_SALE } }) },
    'of a device': { make: async (world) => ({ ...(await byDevice(world)), body: { ...NO_SALE } }) },
  },
  'door.take_payment': {
    always: { make: () => ({ body: { ...NO_PAYMENT } }) },
    'of a device': { make: async (world) => ({ ...(await byDevice(world)), body: { ...NO_PAYMENT } }) },
  },
  'door.sales': { always, 'of a device': { make: byDevice } },
  'clashes.list': {
    'of the editor’s event': { make: ({ gate }) => ({ query: { event_id: gate } }) },
    'of the author’s event': { make: async (world) => ({ query: { event_id: await eventOf(world, 'author') } }) },
  },
  'clashes.update': {
    any: change(async ({ server, gate }) => (await clashOf(server, gate)).id, { closed: true }),
    'of the author’s event': change(async (world) => (await clashOf(world.server, await eventOf(world, 'author'))).id, {
      closed: true,
    }),
    missing: change(missing, { closed: true }),
  },
  'door_stats.read': {
    'of the editor’s event': { make: ({ gate }) => ({ query: { event_id: gate } }) },
    'of the author’s event': { make: async (world) => ({ query: { event_id: await eventOf(world, 'author') } }) },
  },
  'signing_keys.create': { any: { make: () => ({}) } },
  'check_in_keys.list': { always },
  'check_in_keys.create': { any: { make: ({ gate }) => ({ body: { name: fresh('Gate '), event_id: gate } }) } },
  'check_in_keys.delete': {
    any: change(async ({ server }) => (await server.make('POST admin:/check-in-keys', { name: fresh('Gate ') })).id),
  },
  ...priceRecords('tax_rates', 'tax-rates', () => ({ name: fresh('VAT '), rate: 19_000, included: true })),
  ...priceRecords('fees', 'fees', () => ({ name: fresh('Fee '), per: 'order' })),
  ...priceRecords('promotions', 'promotions', () => ({ code: fresh('SPRING'), kind: 'percent', value: 10_000 })),
  'site.read': { always: { ...always, judge: seesTranslations } },
  'site.update': { any: { make: () => ({ body: { tagline: fresh('Music ') } }), judge: seesTranslations } },
  'session.create': { any: { make: () => ({ body: signIn('author') }) } },
  'session.create_by_link': {
    any: { make: async ({ server }) => ({ body: { token: await linkToken(server) } }), isOnce: true },
  },
  'session.mail_link': { any: { make: () => ({ body: { email: 'ada@party.test' } }) } },
  'session.remove': { always },
  'sessions.list': {
    'of the caller': always,
    'of all accounts': { make: () => ({ query: { user: 'all' } }) },
    'of the editor': { make: ({ server }) => ({ query: { user: server.userId('editor') } }) },
  },
  'sessions.remove': { 'of the author': change(({ server }) => sessionOf(server, 'author')) },
  'me.read': { always },
  'me.confirm': { 'without a session': always },
  'second_factor.create': { 'without a session': always },
  'second_factor.confirm': { 'without a session': { make: () => ({ body: { code: '000000' } }) } },
  'second_factor.remove': { 'without a session': always },
  'second_factor.recovery_codes': { 'without a session': always },
  'authors.list': { always },
  'users.list': { always },
  'users.create': { any: { make: () => ({ body: newUser() }), isOnce: true } },
  'users.read': { ...map(ACCOUNTS, (make) => read(make)), missing: read(missing) },
  'users.update': {
    'e-mail of the author': {
      isPersonal: true,
      make: async (world) => ({ path: [await withAuthor(world)], body: { email: `${fresh('author')}@example.test` } }),
    },
    'role of the author': { ...change(withAuthor, { role: 'editor' }), isPersonal: true },
    'e-mail of the editor': change(account('editor'), { email: 'editor@example.test' }),
  },
  'users.sign_in_link': {
    'of the author': change(({ server }) => server.userId('author')),
    missing: change(missing),
  },
  'users.sign_in_mail': {
    'of the author': change(({ server }) => server.userId('author')),
    missing: change(missing),
  },
  'users.sign_in_links': {
    'of the author': read(({ server }) => server.userId('author')),
    missing: read(missing),
  },
  'users.revoke_sign_in_link': {
    'of the author': {
      make: async ({ server }) => ({ path: [server.userId('author'), await openLink(server, 'author')] }),
    },
    missing: { make: async ({ server }) => ({ path: [server.userId('author'), MISSING] }) },
  },
  'users.remove_second_factor': {
    'of another': change(async ({ server }) => {
      const { id, cookie } = await newPerson(server);
      await confirmFactor(server, cookie);
      return id;
    }),
    missing: change(missing),
  },
  'users.remove': {
    any: change(async ({ server }) => (await server.make('POST admin:/users', newUser())).id),
    missing: change(missing),
  },
  'application_passwords.list': map(ACCOUNTS, (make) => read(make)),
  'application_passwords.create': map(ACCOUNTS, (make) => change(make, { name: 'New' })),
  'application_passwords.remove': map(ACCOUNTS, appPassword),
  'tokens.list': {
    'of all accounts': {
      make: () => ({ query: { per_page: 100 } }),
      judge: ({ body }) =>
        new Set(body.tokens.map((one: { user_id: number }) => one.user_id)).size > 1 ? 'all' : 'own',
    },
    'of the editor': { make: ({ server }) => ({ query: { user_id: server.userId('editor') } }) },
  },
  'tokens.create': {
    'of the caller': { make: () => ({ body: { name: 'New', scopes: 'read' } }) },
    'of the editor': {
      make: ({ server }) => ({ body: { name: 'New', scopes: 'read', user_id: server.userId('editor') } }),
    },
  },
  'tokens.remove': map(ACCOUNTS, (make) => change(token(make))),
  'audit.list': {
    always,
    'event of the author': {
      make: async (world) => ({ query: { kind: 'event', id: await eventOf(world, 'author') } }),
    },
  },
  'audit.read': { 'event of the author': read(auditEntry), missing: read(missing) },
  'audit.restore': { 'event of the author': change(auditEntry, { force: true }), missing: change(missing) },
  ...core,
};
