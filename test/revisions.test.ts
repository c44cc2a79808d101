import { beforeEach, describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import { acceptedRevisions } from '../src/http/core/revisions.ts';
import { publishScheduled } from '../src/jobs/publish-scheduled.ts';
import { makeAttendee, makeSeat } from './attendees.ts';
import { png, upload } from './fixtures.ts';
import { type Answer, type Asking, DATABASES, NOON, type TestServer, useTestServer } from './server.ts';
import { shopperOf } from './shopper.ts';
import type { StatementHooks } from './statements.ts';
import { EVENING, makeEvent, nonce } from './tickets.ts';

describe('acceptedRevisions', () => {
  it.each([
    [undefined, undefined],
    ['*', undefined],
    [' * ', undefined],
    ['"r7"', [7]],
    ['W/"r7"', [7]],
    ['"r7-aB_-9"', [7]],
    ['W/"r7-aB_-9"', [7]],
    ['"r7-aB_-9-gzip"', [7]],
    ['"r6", W/"r7-x" ,"other","r8"', [6, 7, 8]],
    ['', []],
    ['r7', []],
    ['"7"', []],
    ['"r"', []],
    ['"r7', []],
    ['w/"r7"', []],
    ['"r7x"', []],
    ['"r-7"', []],
    ['"r1e1"', []],
    ['"r1234567890"', []],
    ['*, "x"', []],
  ])('of %j are %j', (header, revisions) => {
    expect(acceptedRevisions(header)).toEqual(revisions);
  });
});

/** A record, and how clients change and delete it. */
interface Editing {
  path: string;
  /** Sends a change; each is another one. */
  edit?(asking?: Asking): Promise<Answer>;
  remove?(asking?: Asking): Promise<Answer>;
}

type MakeRecord = (server: TestServer) => Promise<Editing>;

let serial = 0;
const fresh = (word: string) => `${word} ${++serial}`;

const editing = (
  { ask }: TestServer,
  path: string,
  {
    change,
    remove,
  }: { change?: () => object | Promise<object>; remove?: () => Asking['query'] | Promise<Asking['query']> },
): Editing => ({
  path,
  ...(change && {
    edit: async (asking) => ask(`PATCH ${path}`, { as: 'administrator', body: await change(), ...asking }),
  }),
  ...(remove && {
    remove: async (asking) => ask(`DELETE ${path}`, { as: 'administrator', query: await remove(), ...asking }),
  }),
});

async function makeTicketEditing(server: TestServer): Promise<Editing & { ticket: number; event: number }> {
  const event = await makeEvent(server);
  const ticket = await makeSeat(server, event);
  const as = 'administrator';
  const own = {
    change: async () => ({
      name: fresh('Seat'),
      post_id: event,
      edit_ticket_nonce: await nonce(server, 'edit_ticket_nonce', as, event),
    }),
    remove: async () => ({
      post_id: event,
      remove_ticket_nonce: await nonce(server, 'remove_ticket_nonce', as, event),
    }),
  };
  return { ...editing(server, `tickets:/tickets/${ticket}`, own), ticket, event };
}

async function makeOrder(server: TestServer): Promise<number> {
  const ticket = await makeSeat(server, await makeEvent(server), 10, { price: '10' });
  const { put, checkout } = shopperOf(server);
  await put([{ ticket_id: ticket, quantity: 1 }]);
  const { body } = await checkout();
  return body.order.id;
}

const RECORDS: Readonly<Record<string, MakeRecord>> = {
  event: async (server) => {
    const { id } = await server.make('POST /events', { ...EVENING, title: fresh('Walk') });
    return editing(server, `/events/${id}`, { change: () => ({ excerpt: fresh('x') }), remove: () => ({}) });
  },
  'event that is deleted permanently': async (server) => {
    const { id } = await server.make('POST /events', { ...EVENING, title: fresh('Walk') });
    return editing(server, `/events/${id}`, { remove: () => ({ force: true }) });
  },
  'event by slug': async (server) => {
    const { slug } = await server.make('POST /events', { ...EVENING, title: fresh('Walk') });
    const path = `/events/by-slug/${slug}`;
    return editing(server, path, { change: () => ({ excerpt: fresh('x') }), remove: () => ({}) });
  },
  venue: async (server) => {
    const { id } = await server.make('POST /venues', { venue: fresh('Hall') });
    return editing(server, `/venues/${id}`, { change: () => ({ phone: fresh('1') }), remove: () => ({}) });
  },
  'organizer that is deleted permanently': async (server) => {
    const { slug } = await server.make('POST /organizers', { organizer: fresh('Club') });
    const path = `/organizers/by-slug/${slug}`;
    return editing(server, path, { change: () => ({ phone: fresh('1') }), remove: () => ({ force: true }) });
  },
  category: async (server) => {
    const { id } = await server.make('POST /categories', { name: fresh('Walks') });
    return editing(server, `/categories/${id}`, { change: () => ({ description: fresh('x') }), remove: () => ({}) });
  },
  tag: async (server) => {
    const { id } = await server.make('POST /tags', { name: fresh('wet') });
    return editing(server, `/tags/${id}`, { change: () => ({ description: fresh('x') }), remove: () => ({}) });
  },
  ticket: makeTicketEditing,
  attendee: async (server) => {
    const { id } = await makeAttendee(server, await makeSeat(server, await makeEvent(server)));
    return editing(server, `tickets:/attendees/${id}`, { change: () => ({ full_name: fresh('Ada') }) });
  },
  order: async (server) => {
    const path = `admin:/orders/${await makeOrder(server)}`;
    return editing(server, path, {
      change: () => ({ expires_utc: new Date(Date.UTC(2027, 0, 1, 0, ++serial)).toISOString() }),
    });
  },
  image: async (server) => {
    const { body } = await server.ask('POST admin:/media', { as: 'administrator', form: upload(await png(20, 20)) });
    return editing(server, `admin:/media/${body.id}`, { remove: () => ({}) });
  },
};

/** Parts of responses that change by themselves or are shown in single reads only. */
function comparable({ json_ld, next, ...record }: Answer['body']): object {
  const { capacity_type, sku, available_from_start_time, available_from_end_time, totals, ...rest } = record;
  return rest;
}

describe.each(DATABASES)('revisions on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'] });
  const read = (path: string, asking?: Asking) => server().ask(`GET ${path}`, { as: 'administrator', ...asking });
  const revisionOf = async (path: string): Promise<number> => (await read(path)).body.revision;
  const ifMatch = (value: string): Asking => ({ headers: { 'if-match': value } });

  describe.each(Object.entries(RECORDS))('of an %s', (_name, make) => {
    it('begin with 1 and grow with each edit', async () => {
      const { path, edit } = await make(server());
      expect(await revisionOf(path)).toBe(1);
      for (const expected of edit ? [2, 3] : []) {
        expect((await edit?.())?.status).toBeLessThan(300);
        expect(await revisionOf(path)).toBe(expected);
      }
    });

    it('are the number of the entity tag, which brings 304', async () => {
      const { path, edit } = await make(server());
      await edit?.();
      const { headers, body } = await read(path);
      const tag = headers.get('etag') ?? '';
      expect(tag).toMatch(new RegExp(`^"r${body.revision}-[\\w-]{27}"$`));
      expect((await read(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
      expect((await read(path, { headers: { 'if-none-match': `"r${body.revision}"` } })).status).toBe(200);
      await edit?.();
      if (edit) expect((await read(path, { headers: { 'if-none-match': tag } })).status).toBe(200);
    });

    it('refuse an edit of another one with the present record, and change nothing', async () => {
      const { path, edit, remove } = await make(server());
      await edit?.();
      const before = (await read(path)).body;
      for (const send of [edit, remove]) {
        for (const tag of ['"r9"', 'W/"r9-x"', '"other"', '']) {
          const refused = await send?.(ifMatch(tag));
          if (!refused) continue;
          expect([refused.status, refused.body.code]).toEqual([412, 'edit-conflict']);
          expect(comparable(refused.body.data.record)).toEqual(comparable(before));
        }
      }
      expect((await read(path)).body).toEqual(before);
    });

    it('let an edit of the present one through', async () => {
      const { path, edit, remove } = await make(server());
      for (const form of [(n: number) => `"r${n}"`, (n: number) => `"r${n - 1}", W/"r${n}-x"`, () => '*']) {
        const answer = await edit?.(ifMatch(form(await revisionOf(path))));
        if (answer) expect(answer.status).toBeLessThan(300);
      }
      const tag = (await read(path)).headers.get('etag') ?? '';
      const edited = await edit?.(ifMatch(tag));
      if (edited) expect(edited.status).toBeLessThan(300);
      const removed = await remove?.(ifMatch((await read(path)).headers.get('etag') ?? ''));
      if (removed) expect(removed.status).toBeLessThan(300);
    });

    it('let one of several edits with the same one through', async () => {
      const { path, edit, remove } = await make(server());
      const send = edit ?? remove;
      const tag = (await read(path)).headers.get('etag') ?? '';
      const answers = await Promise.all([1, 2, 3, 4].map(() => send?.(ifMatch(tag))));
      const statuses = answers.map((answer) => answer?.status ?? 0).sort();
      expect(statuses[0]).toBeLessThan(300);
      // A deleted record has none any more.
      expect(statuses.slice(1).filter((status) => ![412, ...(edit ? [] : [400, 404, 410])].includes(status))).toEqual(
        [],
      );
    });

    it('let all of several edits without one through', async () => {
      const { path, edit } = await make(server());
      const answers = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => edit?.()));
      expect(answers.filter((answer) => answer && answer.status >= 300)).toEqual([]);
      if (edit) expect(await revisionOf(path)).toBe(9);
    });
  });

  it('are guarded by every edit and removal of a single record', () => {
    const single =
      /^\/(events|venues|organizers|categories|tags|tickets|attendees|orders|media|tribe_\w+)\/[^/]*(\{slug\})?$/;
    const edits = endpoints.filter(({ methods, path }) => single.test(path) && !methods.includes('GET'));
    expect(edits.length).toBeGreaterThan(15);
    expect(edits.filter(({ showCurrent, errors }) => !showCurrent || !errors.includes('edit-conflict'))).toEqual([]);
  });

  it('are asked for after the rights and the parameters', async () => {
    const { ask, make } = server();
    const { id } = await make('POST /events', { ...EVENING, title: fresh('Walk') });
    const edit = (asking: Asking) =>
      ask(`PATCH /events/${id}`, { body: { title: 'x' }, ...ifMatch('"r9"'), ...asking });
    const wrong = await edit({ as: 'editor', body: { start_date: 'never' } });
    const statuses = [await edit({}), await edit({ as: 'contributor' }), wrong, await edit({ as: 'editor' })];
    expect(statuses.map(({ status }) => status)).toEqual([401, 403, 400, 412]);
    expect((await ask('PATCH /events/999999', { as: 'editor', body: {}, ...ifMatch('"r1"') })).status).toBe(404);
    const created = await ask('POST /events', { as: 'editor', body: EVENING, ...ifMatch('"r9"') });
    expect(created.status).toBe(201);
  });

  it('refuse in the language of the request, with the texts of it', async () => {
    const { ask, make } = server();
    const { id } = await make('POST /venues', { venue: fresh('Hall') });
    await ask(`PATCH /venues/${id}`, { as: 'editor', body: { venue: 'Salle' }, query: { i18n_language: 'fr' } });
    const refused = await ask(`PATCH /venues/${id}`, {
      as: 'editor',
      body: { phone: '1' },
      query: { i18n_language: 'fr' },
      ...ifMatch('"r1"'),
    });
    expect(refused.body).toMatchObject({ code: 'edit-conflict', data: { record: { venue: 'Salle', revision: 2 } } });
    expect(refused.body.message).toMatch(/modifiée/);
  });

  it('do not use up the token of a refused ticket write', async () => {
    const { edit } = await makeTicketEditing(server());
    const { body } = await server().ask('GET tickets:/tickets', { as: 'administrator', query: { per_page: 1 } });
    const ticket = body.tickets[0];
    const edit_ticket_nonce = await nonce(server(), 'edit_ticket_nonce', 'administrator', ticket.post_id);
    const send = (tag: string) =>
      server().ask(`PATCH tickets:/tickets/${ticket.id}`, {
        as: 'administrator',
        body: { edit_ticket_nonce, post_id: ticket.post_id, name: fresh('Seat') },
        ...ifMatch(tag),
      });
    expect((await send('"r99"')).status).toBe(412);
    expect((await send(`"r${ticket.revision}"`)).status).toBe(202);
    expect(edit).toBeDefined();
  });

  it('grow with texts in any language', async () => {
    const { ask, make } = server();
    const { event } = await makeTicketEditing(server());
    const venue = (await make('POST /venues', { venue: fresh('Hall') })).id;
    const tag = (await make('POST /tags', { name: fresh('wet') })).id;
    const texts: [path: string, body: object][] = [
      [`/events/${event}`, { title: 'Promenade' }],
      [`/venues/${venue}`, { venue: 'Salle' }],
      [`/tags/${tag}`, { name: fresh('mouillé') }],
    ];
    for (const [path, body] of texts) {
      const before = await revisionOf(path);
      const answer = await ask(`PATCH ${path}`, { as: 'administrator', body, query: { i18n_language: 'fr' } });
      expect([path, answer.status, await revisionOf(path)]).toEqual([path, 200, before + 1]);
    }
  });

  it('do not grow by holds, sales, replies, refunds and check-ins, which change the entity tag', async () => {
    const { ask } = server();
    const { ticket, event } = await makeTicketEditing(server());
    const paths = [`tickets:/tickets/${ticket}`, `/events/${event}`];
    const revisions = () => Promise.all(paths.map(revisionOf));
    const tags = async () => Promise.all(paths.map(async (path) => (await read(path)).headers.get('etag')));
    const [before, tagsBefore] = [await revisions(), await tags()];
    const { put, checkout } = shopperOf(server());
    await put([{ ticket_id: ticket, quantity: 2 }]);
    const tagsHeld = await tags();
    expect(tagsHeld[0]).not.toBe(tagsBefore[0]);
    const order = (await checkout()).body.order.id;
    await ask(`PATCH admin:/orders/${order}`, { as: 'administrator', body: { status: 'completed' } });
    const [{ id }] = (await ask(`GET admin:/orders/${order}`, { as: 'administrator' })).body.attendees;
    const attendee = `tickets:/attendees/${id}`;
    expect(await revisionOf(attendee)).toBe(1);
    for (const check_in of [true, false]) await ask(`PATCH ${attendee}`, { as: 'administrator', body: { check_in } });
    await ask(`PATCH admin:/orders/${order}`, { as: 'administrator', body: { status: 'refunded' } });
    expect(await revisionOf(attendee)).toBe(1);
    expect(await revisions()).toEqual(before);
    expect(await revisionOf(`admin:/orders/${order}`)).toBeGreaterThan(1);
  });

  it('of an attendee grow once with a reply', async () => {
    const event = await makeEvent(server());
    const rsvp = await makeSeat(server(), event, 5, { provider: 'rsvp', price: '' });
    const { id } = await makeAttendee(server(), rsvp);
    await server().ask(`PATCH tickets:/attendees/${id}`, { as: 'administrator', body: { attendee_status: 'no' } });
    expect(await revisionOf(`tickets:/attendees/${id}`)).toBe(2);
  });

  it('of terms do not grow with the events that use them', async () => {
    const { make } = server();
    const { id, name } = await make('POST /tags', { name: fresh('wet') });
    await make('POST /events', { ...EVENING, title: fresh('Walk'), tags: [name] });
    expect((await read(`/tags/${id}`)).body).toMatchObject({ count: 1, revision: 1 });
  });

  it('grow when a scheduled event is published, and when an image is taken away', async () => {
    const { ask, make, clock, context } = server();
    const image = (await ask('POST admin:/media', { as: 'administrator', form: upload(await png(20, 20)) })).body.id;
    const later = { ...EVENING, title: fresh('Walk'), date: '2026-11-23 10:00', image };
    const { id } = await make('POST /events', later);
    clock.now = new Date('2026-11-23T15:00:00Z');
    await publishScheduled(context);
    expect(await revisionOf(`/events/${id}`)).toBe(2);
    clock.now = NOON;
    await ask(`DELETE admin:/media/${image}`, { as: 'administrator', query: { force: true } });
    expect((await read(`/events/${id}`)).body).toMatchObject({ image: false, revision: 3 });
  });

  describe('under the prefixes of the reference', () => {
    const prefix = '/wp-json/tribe';
    it('are in the entity tag only, and guard edits', async () => {
      const { ask, make } = server();
      const linked = { venue: { venue: fresh('Hall') }, tags: [fresh('wet')] };
      const { id, revision } = await make('POST /events', { ...EVENING, title: fresh('Walk'), ...linked });
      expect(revision).toBe(1);
      const answer = await ask(`GET /events/${id}`, { prefix });
      expect(answer.text).not.toContain('revision');
      expect(answer.headers.get('etag')).toMatch(/^(W\/)?"r1-/);
      const edit = (tag: string) =>
        ask(`POST /events/${id}`, { as: 'editor', body: { excerpt: fresh('x') }, prefix, ...ifMatch(tag) });
      const refused = await edit('"r2"');
      expect([refused.status, refused.text.includes('revision')]).toEqual([412, false]);
      expect((await edit(answer.headers.get('etag') ?? '')).status).toBe(200);
    });

    it('guard edits of the core namespace', async () => {
      const { ask, make } = server();
      const { id } = await make('POST /events', { ...EVENING, title: fresh('Walk') });
      const answer = await ask(`GET wp:/tribe_events/${id}`);
      expect(answer.text).not.toContain('revision');
      const tag = answer.headers.get('etag') ?? '';
      expect(tag).toMatch(/^(W\/)?"r1-/);
      const edit = () => ask(`POST wp:/tribe_events/${id}`, { as: 'editor', body: { excerpt: 'x' }, ...ifMatch(tag) });
      expect((await edit()).status).toBe(200);
      expect(await edit()).toMatchObject({ status: 412, body: { data: { record: { excerpt: { raw: 'x' } } } } });
    });
  });

  it('are missing from the entity tags of tickets hidden from the viewer', async () => {
    const event = await makeEvent(server(), { post_password: 'secret' });
    const ticket = await makeSeat(server(), event);
    const { headers, body } = await server().ask(`GET tickets:/tickets/${ticket}`);
    expect(body.title).toBe('No Access');
    expect(headers.get('etag')).not.toMatch(/"r\d/);
  });

  it('do not matter to lists', async () => {
    const { headers } = await server().ask('GET /events');
    expect(headers.get('etag')).not.toMatch(/"r\d+-/);
  });
});

describe.each(DATABASES)('the sequence numbers of events in calendars on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'] });
  let event: number;
  let venue: number;
  let other: number;
  const sequenceOf = async (id = event): Promise<number> => {
    const { query } = server().context.db;
    const row = query.selectFrom('events').select('ical_sequence').where('id', '=', id);
    return (await row.executeTakeFirstOrThrow()).ical_sequence;
  };
  beforeEach(async () => {
    const { make } = server();
    venue = (await make('POST /venues', { venue: 'Hall', address: '4 Mill Lane' })).id;
    other = (await make('POST /venues', { venue: 'Barn' })).id;
    event = (await make('POST /events', { ...EVENING, venue, organizer: { organizer: 'Club' } })).id;
  });

  it('begin with 0', async () => {
    expect(await sequenceOf()).toBe(0);
  });

  const MOVES: [what: string, call: () => string, body: object | (() => object), query?: Asking['query']][] = [
    ['the start', () => `PATCH /events/${event}`, { start_date: '2027-03-06 18:00:00' }],
    ['the end', () => `PATCH /events/${event}`, { end_date: '2027-03-06 22:00:00' }],
    ['the time zone', () => `PATCH /events/${event}`, { timezone: 'Asia/Tokyo' }],
    ['all day', () => `PATCH /events/${event}`, { all_day: true }],
    ['the status', () => `PATCH /events/${event}`, { status: 'draft' }],
    ['whether it takes place', () => `PATCH /events/${event}`, { event_status: 'postponed' }],
    ['that it is online', () => `PATCH /events/${event}`, { attendance_mode: 'online' }],
    ['the online address', () => `PATCH /events/${event}`, { online_url: 'https://stream.example/' }],
    ['the status by the core namespace', () => `PATCH wp:/tribe_events/${event}`, { status: 'draft' }],
    ['the name of the venue', () => `PATCH /venues/${venue}`, { venue: 'Great Hall' }],
    ['a translated name of it', () => `PATCH /venues/${venue}`, { venue: 'Salle' }, { i18n_language: 'fr' }],
    ['the address of the venue', () => `PATCH /venues/${venue}`, { address: '5 Mill Lane' }],
    ['the coordinates of the venue', () => `PATCH /venues/${venue}`, { geo_lat: 1, geo_lng: 2 }],
    ['the venue itself', () => `PATCH /events/${event}`, () => ({ venue: other })],
    ['the venue again', () => `PATCH /events/${event}`, () => ({ venue: [venue, other] })],
    ['no venue', () => `PATCH /events/${event}`, { venue: [] }],
  ];

  it.each(MOVES)('grow with %s', async (_what, call, change, query) => {
    const before = await sequenceOf();
    const body = typeof change === 'function' ? change() : change;
    expect((await server().ask(call(), { as: 'administrator', body, query })).status).toBe(200);
    expect(await sequenceOf()).toBe(before + 1);
  });

  it('stay with everything else', async () => {
    const { make } = server();
    await make(`PATCH /events/${event}`, { all_day: true });
    const before = await sequenceOf();
    const { organizer } = await make(`PATCH /events/${event}`, { title: 'Night', description: 'x', venue });
    await make(`PATCH /events/${event}`, { start_date: '2027-03-06 00:00:00', all_day: true, status: 'publish' });
    await make(`PATCH /venues/${venue}`, { phone: '1', description: 'x', website: 'https://x.example' });
    await make(`PATCH /venues/${other}`, { address: '1 Elsewhere' });
    await make(`PATCH /organizers/${organizer[0].id}`, { organizer: 'Society' });
    expect(await sequenceOf()).toBe(before);
  });

  it.each<Asking['query']>([{ force: true }, {}])(
    'grow when the venue is deleted with %j, which is no edit of the event',
    async (query) => {
      const { ask, make } = server();
      const gone = (await make('POST /venues', { venue: 'Tent' })).id;
      await make(`PATCH /events/${event}`, { venue: gone });
      const { revision } = (await ask(`GET /events/${event}`)).body;
      const before = await sequenceOf();
      await ask(`DELETE /venues/${gone}`, { as: 'administrator', query });
      expect(await sequenceOf()).toBe(before + 1);
      expect((await ask(`GET /events/${event}`)).body).toMatchObject({ revision, venue: [] });
    },
  );
});

describe.each(DATABASES)('an edit while another statement changes its record, on %s', (kind) => {
  const hooks: StatementHooks = {};
  const server = useTestServer(kind, {}, { hooks });

  /** Lets something happen once the edit has read its row; on SQLite, where nothing can then write, before that. */
  function meanwhile(happen: () => Promise<unknown>): void {
    const once = async () => {
      hooks.before = undefined;
      hooks.begin = undefined;
      await happen();
    };
    if (kind === 'sqlite') hooks.begin = once;
    else hooks.before = (sql) => (sql.startsWith('update "events"') && hooks.before ? once() : undefined);
  }

  it('keeps that change: no lock of the edit makes statements for many records wait', async () => {
    const { make, ask } = server();
    const person = { username: 'leaving', email: 'leaving@example.test', password: 'long enough', role: 'author' };
    const { id: author } = await make('POST admin:/users', person);
    const { id } = await make('POST /events', { ...EVENING, title: 'Walk', author });
    const heir = server().userId('editor');
    meanwhile(() => make(`DELETE admin:/users/${author}`, { reassign: heir }));
    const edited = await ask(`PATCH /events/${id}`, { as: 'administrator', body: { title: 'Long walk' } });
    expect(edited.status).toBe(200);
    const event = (await ask(`GET /events/${id}`)).body;
    expect([event.title, Number(event.author)]).toEqual(['Long walk', heir]);
  });
});
