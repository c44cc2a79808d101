import { beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from './attendees.ts';
import { png, upload } from './fixtures.ts';
import { type Answer, type Asking, bodyOf, DATABASES, useTestServer } from './server.ts';
import { EVENING, makeEvent } from './tickets.ts';

const MISSING = 987_654;

/** Records that are hidden from visitors and from authors who do not own them. */
type Hidden = 'draft' | 'private' | 'trashed' | 'venue' | 'organizer' | 'ticket' | 'deleted' | 'attendee';
type Row = [what: Hidden, call: string, asking: (id: number) => Asking];

const filter = (what: Hidden, call: string, name: string): Row => [what, call, (id) => ({ query: { [name]: id } })];
const EVENTS = ['draft', 'private', 'trashed'] as const;

/** Every list parameter that names a record which may be hidden. */
const FILTERS: Row[] = [
  ...EVENTS.flatMap((what) => [
    filter(what, 'GET /events', 'post_parent'),
    filter(what, 'GET /venues', 'event'),
    filter(what, 'GET /organizers', 'event'),
    filter(what, 'GET /categories', 'post'),
    filter(what, 'GET /categories', 'event'),
    filter(what, 'GET /tags', 'post'),
    filter(what, 'GET /tags', 'event'),
    filter(what, 'GET tickets:/tickets', 'include_post'),
    filter(what, 'GET tickets:/tickets', 'exclude_post'),
    filter(what, 'GET tickets:/attendees', 'post_id'),
    filter(what, 'GET tickets:/attendees', 'include_post'),
    filter(what, 'GET tickets:/attendees', 'exclude_post'),
    filter(what, 'GET tickets:/cart', 'post_id'),
  ]),
  filter('venue', 'GET /events', 'venue'),
  filter('organizer', 'GET /events', 'organizer'),
  ...(['ticket', 'deleted'] as const).flatMap((what) => [
    filter(what, 'GET tickets:/attendees', 'ticket_id'),
    filter(what, 'GET tickets:/attendees', 'include_ticket'),
    filter(what, 'GET tickets:/attendees', 'exclude_ticket'),
  ]),
];

/** Every write that names a record which may be hidden. */
const WRITES: Row[] = [
  ['venue', 'POST /events', (venue) => ({ body: { ...EVENING, venue } })],
  ['venue', 'POST /events', (id) => ({ body: { ...EVENING, venue: [{ id }] } })],
  ['organizer', 'POST /events', (organizer) => ({ body: { ...EVENING, organizer: [organizer] } })],
  ...EVENTS.flatMap((what): Row[] => [
    [what, 'POST /events', (post_parent) => ({ body: { ...EVENING, post_parent } })],
    [what, 'POST tickets:/nonces', (post_id) => ({ body: { action: 'add_ticket_nonce', post_id } })],
    [what, 'POST tickets:/tickets', (post_id) => ({ body: { post_id, provider: 'tc', add_ticket_nonce: 'x' } })],
    [what, 'POST tickets:/cart', (post_id) => ({ body: { provider: 'tc', post_id, tickets: [] } })],
    [what, 'POST admin:/check-in-keys', (event_id) => ({ body: { name: 'Gate', event_id } })],
  ]),
  [
    'ticket',
    'POST tickets:/attendees',
    (ticket_id) => ({ body: { ticket_id, full_name: 'Ada', email: 'ada@party.test' } }),
  ],
];

describe.each(DATABASES)('a record hidden from the viewer on %s', (kind) => {
  const server = useTestServer(kind);
  const ids = {} as Record<Hidden, number>;
  let open: number;
  beforeAll(async () => {
    const { ask, make } = server();
    open = await makeEvent(server());
    ids.draft = await makeEvent(server(), { status: 'draft' });
    ids.private = await makeEvent(server(), { status: 'private' });
    ids.trashed = await makeEvent(server());
    await ask(`DELETE /events/${ids.trashed}`, { as: 'administrator' });
    ids.venue = (await make('POST /venues', { venue: 'Hidden hall', status: 'draft' })).id;
    ids.organizer = (await make('POST /organizers', { organizer: 'Hidden club', status: 'private' })).id;
    ids.ticket = await makeSeat(server(), ids.private);
    ids.attendee = (await makeAttendee(server(), ids.ticket)).id;
    ids.deleted = await makeSeat(server(), open);
    await server()
      .context.db.query.updateTable('tickets')
      .set({ is_deleted: 1 })
      .where('id', '=', ids.deleted)
      .execute();
  });

  const CALLERS: Asking[] = [{}, { as: 'subscriber' }, { as: 'contributor' }, { as: 'author' }];

  /** The response without what differs between requests. */
  const shown = (answer: Answer) => ({ status: answer.status, body: bodyOf(answer) });

  it.each([...FILTERS, ...WRITES])('gets the response of a missing one: %s in %s %#', async (what, call, asking) => {
    for (const caller of CALLERS) {
      const hidden = await server().ask(call, { ...caller, ...asking(ids[what]) });
      const missing = await server().ask(call, { ...caller, ...asking(MISSING) });
      expect([caller.as, shown(hidden)]).toEqual([caller.as, shown(missing)]);
      expect(hidden.status).toBeGreaterThanOrEqual(400);
    }
  });

  it.each(FILTERS)('is 400 for visitors as a filter: %s in %s %#', async (what, call, asking) => {
    const answer = await server().ask(call, asking(ids[what]));
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_param']);
  });

  it.each(FILTERS.filter(([what]) => what !== 'trashed' && what !== 'deleted'))(
    'is accepted from editors: %s in %s %#',
    async (what, call, asking) => {
      const answer = await server().ask(call, { as: 'editor', ...asking(ids[what]) });
      // A cart of an event without tickets is refused with another code.
      expect(call === 'GET tickets:/cart' ? [200, 403] : [200]).toContain(answer.status);
    },
  );

  it('is found by its author', async () => {
    const { ask, make } = server();
    const { id: event } = await make('POST /events', { ...EVENING, status: 'draft' }, 'author');
    const { id: venue } = await make('POST /venues', { venue: 'Own hall', status: 'draft' }, 'author');
    expect((await ask('GET /events', { as: 'author', query: { venue } })).status).toBe(200);
    expect((await ask('GET /venues', { as: 'author', query: { event } })).status).toBe(200);
    expect((await ask('GET tickets:/tickets', { as: 'author', query: { include_post: event } })).status).toBe(200);
    expect((await ask('GET tickets:/tickets', { as: 'contributor', query: { include_post: event } })).status).toBe(400);
    expect((await ask('GET /events', { as: 'contributor', query: { venue } })).status).toBe(400);
  });

  it('is found only by editors once it is in the trash', async () => {
    const { ask, make } = server();
    const event = await makeEvent(server(), {}, 'author');
    const statuses = (as: Asking['as']) =>
      Promise.all(
        FILTERS.filter(([what, call]) => what === 'trashed' && !/^GET tickets:.(cart|attendees)/.test(call)).map(
          async ([, call, asking]) => (await ask(call, { as, ...asking(event) })).status,
        ),
      );
    expect(new Set(await statuses('author'))).toEqual(new Set([200]));
    await make(`DELETE /events/${event}`, undefined, 'author');
    expect(new Set(await statuses('author'))).toEqual(new Set([400]));
    expect(new Set(await statuses('editor'))).toEqual(new Set([200]));
  });

  it('is not revealed by the account or the image that a write names', async () => {
    const { ask, userId } = server();
    const known = userId('administrator');
    const put = async (asking: Asking, call = 'POST /events') => {
      const { status, body } = await ask(call, asking);
      return [status, body.code];
    };
    for (const as of [undefined, 'subscriber', 'contributor', 'author'] as const) {
      for (const [call, body] of [
        ['POST /events', EVENING],
        ['POST /venues', { venue: 'Hall' }],
      ] as const) {
        const named = (author: number) => put({ as, body: { ...body, author } }, call);
        expect([as, await named(known)]).toEqual([as, await named(MISSING)]);
      }
    }
    const { body } = await ask('POST admin:/media', { as: 'editor', form: upload(await png(20, 20)) });
    for (const image of [body.id, MISSING])
      expect(await put({ body: { ...EVENING, image } })).toEqual([400, 'rest_invalid_param']);
    const removal = (reassign: number) => put({ query: { reassign } }, `DELETE admin:/users/${userId('author')}`);
    expect(await removal(known)).toEqual(await removal(MISSING));
    expect((await ask('POST /events', { as: 'editor', body: { ...EVENING, author: MISSING } })).status).toBe(400);
  });

  it.each([
    ['/events', (end_date: string) => ({ end_date })],
    ['wp:/tribe_events', (end: string) => ({ meta: { _EventEndDate: end } })],
  ])('does not reveal its dates by refused values in %s', async (path, ending) => {
    for (const id of [ids.draft, ids.private]) {
      for (const caller of CALLERS) {
        const endAt = async (end: string) =>
          shown(await server().ask(`POST ${path}/${id}`, { ...caller, body: ending(end) }));
        expect(await endAt('2000-01-01 10:00:00')).toEqual(await endAt('2100-01-01 10:00:00'));
      }
    }
  });

  it('is hidden from a check-in key of another event too', async () => {
    const { ask, make } = server();
    const { key } = await make('POST admin:/check-in-keys', { name: 'Gate', event_id: open });
    const headers = { 'x-api-key': key };
    for (const [name, id] of [
      ['post_id', ids.private],
      ['exclude_post', ids.draft],
      ['ticket_id', ids.ticket],
    ] as const) {
      expect((await ask('GET tickets:/attendees', { headers, query: { [name]: id } })).status).toBe(400);
    }
    expect((await ask('GET tickets:/attendees', { headers, query: { ticket_id: ids.deleted } })).status).toBe(200);
    for (const call of ['GET tickets:/attendees/', 'PATCH tickets:/attendees/']) {
      const asking = call.startsWith('GET') ? { headers } : { headers, body: { check_in: true } };
      const other = await ask(`${call}${ids.attendee}`, asking);
      const missing = await ask(`${call}${MISSING}`, asking);
      expect(shown(other)).toEqual(shown(missing));
    }
  });

  it('differs from a missing one for viewers who may read orders', async () => {
    const { ask } = server();
    const status = async (event: number, as?: Asking['as']) =>
      (await ask('GET admin:/orders', { as, query: { event } })).status;
    expect([await status(open, 'editor'), await status(MISSING, 'editor')]).toEqual([200, 400]);
    expect([await status(open), await status(MISSING)]).toEqual([401, 401]);
    expect([await status(open, 'author'), await status(MISSING, 'author')]).toEqual([400, 400]);
    expect([await status(open, 'door'), await status(MISSING, 'door')]).toEqual([403, 403]);
    const gone = await makeEvent(server());
    await makeAttendee(server(), await makeSeat(server(), gone));
    await ask(`DELETE /events/${gone}`, { as: 'editor', query: { force: true } });
    expect(await status(gone, 'editor')).toBe(200);
  });
});
