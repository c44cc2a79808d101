import { codeOf, makeAttendee, makeRsvp, makeSeat, pageOf } from './attendees.ts';
import { asHolder, buy } from './buyers.ts';
import type { Everything } from './fixtures.ts';
import { addImport, addSubscription } from './imports.ts';
import { addRunningJob } from './jobs.ts';
import { DOOR_KEY } from './samples.ts';
import type { Asking, TestServer } from './server.ts';
import { sessionOf, signIn } from './sessions.ts';
import { shopperOf } from './shopper.ts';
import { EVENING, makeEvent, nonce } from './tickets.ts';

/** Requests that provoke statuses, or shapes of responses, that the samples do not. */

interface SituationContext {
  server: TestServer;
  world: Everything;
}

interface Sent extends Omit<Asking, 'as'> {
  /** Values of the path, in order. */
  path?: (string | number)[];
  /** The administrator by default. */
  as?: Asking['as'] | 'stranger';
}

type Situation = readonly [status: number, request: (situation: SituationContext) => Sent | Promise<Sent>];

const MISSING = 987_654;
/** A page of another site. */
const ELSEWHERE = { origin: 'https://elsewhere.test' };
let serial = 0;
const fresh = (word: string): string => `${word} ${++serial}`;

const elsewhere: Situation = [404, () => ({ query: { namespace: 'calendar/none/v1' } })];
const pastTheEnd: Situation = [404, () => ({ query: { page: 9999 } })];

type Kind = 'event' | 'venue' | 'organizer';

/** A record that is not published, or already in the trash. */
async function recordOf(
  { server }: SituationContext,
  kind: Kind,
  status: 'draft' | 'trash',
): Promise<{ id: number; slug: string }> {
  const name = fresh(kind);
  const dates = { title: name, start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' };
  const fields = kind === 'event' ? dates : { [kind]: name };
  return server.make(`POST /${kind}s`, { ...fields, slug: name.replace(' ', '-'), status });
}

const RECIPIENT = { full_name: 'Bo Park', email: 'bo@party.test' };

const ticketOf = async (server: TestServer): Promise<number> =>
  (await makeAttendee(server, await makeSeat(server, await makeEvent(server)))).id;

const rsvpOf = async (server: TestServer): Promise<number> =>
  (await makeAttendee(server, await makeRsvp(server, await makeEvent(server)))).id;

/** A promotion code that has ended. */
const endedPromotion = async (server: TestServer): Promise<string> =>
  (
    await server.make('POST admin:/promotions', {
      code: fresh('ENDED'),
      kind: 'percent',
      value: 10_000,
      until_utc: '2020-01-01 00:00:00',
    })
  ).code;

/** A change by someone who knows only the code on the ticket. */
const byCode = async (server: TestServer, id: number, change: object): Promise<Sent> => ({
  as: 'stranger',
  path: [id],
  body: { ...change, security_code: await codeOf(server, id) },
});

/** A request with the secret of the page that a ticket had before it was transferred. */
async function transferred(server: TestServer, id: number, body?: object): Promise<Sent> {
  const headers = asHolder(await pageOf(server, id));
  await server.ask(`POST tickets:/attendees/${id}/transfer`, { headers, body: RECIPIENT });
  return { as: 'stranger', path: [id], headers, ...(body && { body }) };
}

const mergeOfTrashed = (kind: Kind): Situation => [
  410,
  async (situation) => ({
    path: [(await recordOf(situation, kind, 'draft')).id],
    body: { from: [(await recordOf(situation, kind, 'trash')).id] },
  }),
];

const single = (kind: Kind): Record<string, readonly Situation[]> => {
  const at = (key: 'id' | 'slug', status: 'draft' | 'trash') => async (situation: SituationContext) => ({
    path: [(await recordOf(situation, kind, status))[key]],
  });
  const hidden = (key: 'id' | 'slug'): Situation => [
    403,
    async (situation) => ({ ...(await at(key, 'draft')(situation)), as: 'stranger' }),
  ];
  return {
    [`${kind}s.list`]: [pastTheEnd],
    [`${kind}s.read`]: [hidden('id')],
    [`${kind}s.read_by_slug`]: [hidden('slug')],
    ...(kind === 'event' && {
      'events.read_ical': [hidden('id')],
      'events.read_ical_by_slug': [hidden('slug')],
    }),
    ...(kind !== 'event' && { [`${kind}s.merge`]: [mergeOfTrashed(kind)] }),
    [`${kind}s.delete`]: [[410, at('id', 'trash')]],
    [`${kind}s.delete_by_slug`]: [[410, at('slug', 'trash')]],
  };
};

const attendeeOf = async (server: TestServer): Promise<number> =>
  (await makeAttendee(server, await makeSeat(server, await makeEvent(server)))).id;

async function scanOf({ server }: SituationContext) {
  const id = await attendeeOf(server);
  return { api_key: DOOR_KEY, ticket_id: id, security_code: await codeOf(server, id) };
}

/** An event whose tickets visitors see redacted. */
async function maskedTicket(server: TestServer): Promise<{ event: number; ticket: number }> {
  const event = await makeEvent(server, { post_password: 'sesame' });
  return { event, ticket: await makeSeat(server, event) };
}

/** A browser's cart, in a request from a page of another site. */
async function foreignCart(server: TestServer): Promise<Record<string, string>> {
  const shopper = shopperOf(server);
  await shopper.put([{ ticket_id: await makeSeat(server, await makeEvent(server)), quantity: 1 }]);
  return { cookie: `marquee-cart=${shopper.token}`, 'sec-fetch-site': 'cross-site' };
}

const picture = (accept: string): Situation => [
  200,
  async ({ server }) => ({ path: [await attendeeOf(server)], headers: { accept } }),
];

/** A new event at an older copy of a venue. */
async function atOutdatedVenue({ server }: SituationContext) {
  const venue = await server.make('POST /venues', { venue: 'Mill' });
  await server.make(`PATCH /venues/${venue.id}`, { phone: '555 0101' });
  return { body: { ...EVENING, venue } };
}

const LESSON = { start_date: '2027-06-01 10:00', end_date: '2027-06-01 11:00' };
const TWICE = { rrule: 'FREQ=DAILY;COUNT=2' };

/** A series in the trash, with one of its events. */
async function trashedSeries({ server }: SituationContext) {
  const { id } = await server.make('POST /series', { event: { title: fresh('Lesson'), ...LESSON }, recurrence: TWICE });
  const { body } = await server.ask(`GET /series/${id}/occurrences`, { as: 'administrator' });
  await server.ask(`DELETE /series/${id}`, { as: 'administrator' });
  // The trash changes its slug.
  const event = await server.context.db.query
    .selectFrom('events')
    .select(['id', 'slug'])
    .where('id', '=', body.occurrences[0].id)
    .executeTakeFirstOrThrow();
  return { id: id as number, event };
}

const inTrashedSeries = (key: 'id' | 'slug'): Situation => [
  410,
  async (situation) => {
    const { event } = await trashedSeries(situation);
    return { path: [event[key]], query: { scope: 'all' }, body: { title: 'Clay' } };
  },
];

const scanning: readonly Situation[] = [
  [400, async (situation) => ({ query: { ...(await scanOf(situation)), api_key: 'wrong' } })],
  [403, async (situation) => ({ query: { ...(await scanOf(situation)), security_code: 'wrong' } })],
];

/** An order that staff called off, and its ticket, with the token of the order. */
async function voided(server: TestServer): Promise<Record<'order' | 'ticket', Pick<Sent, 'path' | 'headers'>>> {
  const { id, headers, attendees } = await buy(server, [await makeSeat(server, await makeEvent(server))]);
  await server.make(`POST admin:/orders/${id}`, { status: 'voided' });
  return { order: { path: [id], headers }, ticket: { path: [attendees[0]?.id ?? 0], headers } };
}

const ofHolder: readonly Situation[] = [
  [403, async ({ server }) => ({ as: 'stranger', ...(await voided(server)).ticket })],
  [410, async ({ server }) => transferred(server, await ticketOf(server))],
];

/** By the name of the endpoint. */
export const SITUATIONS: Readonly<Record<string, readonly Situation[]>> = {
  'events.index': [elsewhere],
  'tickets.index': [elsewhere],
  'admin.index': [elsewhere],
  ...single('event'),
  'events.list': [pastTheEnd, [403, () => ({ as: 'subscriber', query: { missing_language: 'fr' } })]],
  'events.create': [[412, atOutdatedVenue]],
  'events.update': [inTrashedSeries('id')],
  'events.update_by_slug': [inTrashedSeries('slug')],
  'series.create': [
    [200, () => ({ body: { event: { title: 'Lesson', ...LESSON }, recurrence: TWICE, dry_run: true } })],
    [404, () => ({ body: { event_id: MISSING, recurrence: TWICE } })],
    [
      412,
      async ({ server }) => {
        const { id } = await server.make('POST /events', { title: 'Lesson', ...LESSON });
        return { body: { event_id: id, recurrence: TWICE }, headers: { 'if-match': '"r999999"' } };
      },
    ],
  ],
  'series.update': [
    [404, () => ({ path: [MISSING], body: { recurrence: TWICE } })],
    [410, async (situation) => ({ path: [(await trashedSeries(situation)).id], body: { recurrence: TWICE } })],
  ],
  'series.delete': [[410, async (situation) => ({ path: [(await trashedSeries(situation)).id] })]],
  ...single('venue'),
  ...single('organizer'),
  'findings.close': [[404, () => ({ path: [MISSING], body: { note: 'Known' } })]],
  'tickets.list': [
    [409, async ({ server }) => ({ query: { promotion: await endedPromotion(server) } })],
    [403, () => ({ as: 'subscriber', query: { attendees_min: 1 } })],
    [200, async ({ server }) => ({ as: 'stranger', query: { include_post: (await maskedTicket(server)).event } })],
  ],
  'tickets.read': [
    [200, async ({ server }) => ({ as: 'stranger', path: [(await maskedTicket(server)).ticket] })],
    [
      409,
      async ({ server }) => ({
        path: [(await maskedTicket(server)).ticket],
        query: { promotion: await endedPromotion(server) },
      }),
    ],
  ],
  'tickets.update': [
    [
      404,
      async ({ server }) => {
        const edit_ticket_nonce = await nonce(server, 'edit_ticket_nonce');
        return { path: [MISSING], body: { post_id: await makeEvent(server), edit_ticket_nonce } };
      },
    ],
  ],
  'tickets.delete': [[404, () => ({ path: [MISSING], query: { post_id: 1, remove_ticket_nonce: 'any' } })]],
  'replies.update': [
    [404, () => ({ path: [MISSING], body: { security_code: 'any', attendee_status: 'no' } })],
    [403, async ({ server }) => byCode(server, await rsvpOf(server), { attendee_status: 'no' })],
    [410, async ({ server }) => transferred(server, await rsvpOf(server), { attendee_status: 'no' })],
  ],
  'held_tickets.read': [[410, async ({ server }) => transferred(server, await ticketOf(server))]],
  'held_tickets.pdf': ofHolder,
  'held_tickets.apple_pass': ofHolder,
  'held_tickets.google_wallet': ofHolder,
  'buyers_orders.tickets_pdf': [[403, async ({ server }) => ({ as: 'stranger', ...(await voided(server)).order })]],
  'buyers_orders.send_links': [
    [
      404,
      ({ server }) => {
        server.restart({ smtp: undefined });
        return { body: { email: 'ada@party.test' } };
      },
    ],
  ],
  'held_tickets.update': [
    [403, async ({ server }) => byCode(server, await ticketOf(server), { full_name: 'Bo Park' })],
    [410, async ({ server }) => transferred(server, await ticketOf(server), { full_name: 'Bo Park' })],
  ],
  'held_tickets.transfer': [
    [403, async ({ server }) => byCode(server, await ticketOf(server), RECIPIENT)],
    [404, () => ({ path: [MISSING], body: { ...RECIPIENT, security_code: 'any' } })],
  ],
  'orders.cancel_places': [[404, () => ({ path: [MISSING], body: { attendees: [1] } })]],
  'attendees.move': [
    [
      404,
      async ({ server }) => ({
        path: [MISSING],
        body: { ticket_id: await makeSeat(server, await makeEvent(server)) },
      }),
    ],
  ],
  'attendees.list': [[403, () => ({ as: 'subscriber', query: { checkedin: true } })]],
  'cart.read': [[403, async ({ server }) => ({ query: { post_id: await makeEvent(server) } })]],
  'cart.save': [[403, async ({ server }) => ({ body: { provider: 'tc', post_id: await makeEvent(server) } })]],
  'cart.checkout': [[403, async ({ server }) => ({ as: 'stranger', headers: await foreignCart(server) })]],
  'qr.scan': scanning,
  'qr.scan_get': scanning,
  'qr.read': [
    picture('image/png'),
    picture('image/svg+xml'),
    [404, async ({ server }) => ({ path: [await makeSeat(server, await makeEvent(server))] })],
    [403, async ({ server }) => ({ as: 'stranger', ...(await voided(server)).ticket })],
  ],
  'mail_texts.list': [[404, () => ({ query: { event: MISSING } })]],
  'mail_texts.write': [[404, () => ({ body: { kind: 'order', language: 'en', subject: 'Hello', event: MISSING } })]],
  'mail_texts.preview': [[404, () => ({ body: { kind: 'order', language: 'en', event: MISSING } })]],
  'announcements.create': [[200, ({ world }) => ({ path: [world.event], body: { text: 'News', dry_run: true } })]],
  'session.create': [[403, () => ({ as: 'stranger', body: signIn('editor'), headers: ELSEWHERE })]],
  'session.create_by_link': [[403, () => ({ as: 'stranger', body: { token: 'x' }, headers: ELSEWHERE })]],
  'mails.bounce': [[404, () => ({ body: { message_id: '<mail-1-1@nowhere.test>' } })]],
  'session.mail_link': [
    [403, () => ({ as: 'stranger', body: { email: 'a@b.test' }, headers: ELSEWHERE })],
    [
      404,
      ({ server }) => {
        server.restart({ smtp: undefined });
        return { as: 'stranger', body: { email: 'a@b.test' } };
      },
    ],
  ],
  'session.remove': [[403, () => ({ as: 'stranger', headers: ELSEWHERE })]],
  'sessions.list': [[403, () => ({ as: 'subscriber', query: { user: 'all' } })]],
  'sessions.remove': [
    [
      403,
      async ({ server }) => {
        const { token } = await server.make('POST admin:/tokens', { name: 'feed', scopes: ['read'] }, 'editor');
        const id = await sessionOf(server, 'editor');
        return { as: 'stranger', path: [id], headers: { authorization: `Bearer ${token}` } };
      },
    ],
  ],
  'jobs.retry': [[409, async ({ server }) => ({ path: [await addRunningJob(server.context)] })]],
  'imports.create': [
    [
      409,
      async ({ server }) => {
        for (let left = 30; left > 0; left--) await addImport(server.context, 'planned');
        return { body: { file_name: 'table.csv', size: 100 } };
      },
    ],
  ],
  'imports.upload': [
    [409, async ({ server }) => ({ path: [await addImport(server.context, 'planned'), 5], body: {} })],
  ],
  'imports.columns': [
    [404, () => ({ path: [MISSING], body: { columns: ['title', 'start_date'] } })],
    [
      409,
      async ({ server }) => ({
        path: [await addImport(server.context, 'finished')],
        body: { columns: ['title', 'start_date'] },
      }),
    ],
  ],
  'imports.start': [[409, async ({ server }) => ({ path: [await addImport(server.context, 'mapping')], body: {} })]],
  'imports.cancel': [[409, async ({ server }) => ({ path: [await addImport(server.context, 'finished')] })]],
  'imports.undo': [[409, async ({ server }) => ({ path: [await addImport(server.context, 'planned')] })]],
  'subscriptions.create': [
    [
      409,
      async ({ server }) => {
        await addSubscription(server.context);
        const { body } = await server.ask('GET admin:/imports/subscriptions', { as: 'administrator' });
        return { body: { address: body.subscriptions[0].address } };
      },
    ],
  ],
  'application_passwords.create': [[404, () => ({ path: [MISSING], body: { name: 'till' } })]],
  'tokens.list': [[403, ({ server }) => ({ as: 'subscriber', query: { user_id: server.userId('editor') } })]],
  'tokens.create': [[404, () => ({ body: { name: 'feed', scopes: ['read'], user_id: MISSING } })]],
  'tokens.remove': [
    [
      403,
      async ({ server }) => {
        const body = { name: 'feed', scopes: ['read'] };
        const { id, token } = await server.make('POST admin:/tokens', body, 'editor');
        return { as: 'stranger', path: [id], headers: { authorization: `Bearer ${token}` } };
      },
    ],
  ],
};
