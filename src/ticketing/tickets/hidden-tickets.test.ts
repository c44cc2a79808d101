import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAttendee } from '../../../test/attendees.ts';
import { runJobs } from '../../../test/jobs.ts';
import { hiddenFields, pageVisitor } from '../../../test/page-visitor.ts';
import { makeSeason } from '../../../test/season.ts';
import { type Answer, type Asking, DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { ADA, counters, shopperOf } from '../../../test/shopper.ts';
import { usualOf } from '../../../test/thoroughness.ts';
import { addTicket, editTicket, makeEvent, makeTicket, nonce } from '../../../test/tickets.ts';
import { viewerOf } from '../../http/core/auth.ts';
import { findPriceRecord } from '../prices/price-records.ts';
import { findTicketsOfEvents } from './store.ts';
import { isHidden, isShownSql } from './visibility.ts';

const MISSING = 987_654;
/** Parts of responses that differ each time. */
const VARYING = /"request_id":"[^"]*"|(x-request-id|server-timing|date),.*/g;

describe.each(DATABASES)('tickets that require a code on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { secretGuesses: { perAddress: 5, perAccount: 5 } });
  let event = 0;
  let open = 0;
  let hidden = 0;
  let codes = 0;

  beforeAll(async () => {
    event = await makeEvent(server(), { slug: 'premiere', title: 'Premiere' });
    open = (await makeTicket(server(), event, { name: 'Stalls', price: '20', ticket: { mode: '' } })).id;
    hidden = (await makeHidden(event)).id;
  });
  beforeEach(async () => {
    server().clock.now = NOON;
    await server().context.db.query.deleteFrom('rate_limits').execute();
  });

  const makeHidden = (at: number, fields: object = {}) =>
    makeTicket(server(), at, {
      name: 'Backstage door',
      price: '77.77',
      requires_code: true,
      ticket: { mode: '' },
      ...fields,
    });
  const promote = (fields: object = {}) =>
    server().make('POST admin:/promotions', { code: `door ${++codes}`, kind: 'access', value: 0, ...fields });
  const usesOf = async (id: number) => (await findPriceRecord(server().context.db, 'promotions', id))?.used;
  const idsIn = ({ body }: Answer): number[] => body.tickets.map(({ id }: { id: number }) => id);
  const listed = async (asking: Asking = {}) =>
    idsIn(await server().ask('GET tickets:/tickets', { ...asking, query: { include_post: event, ...asking.query } }));

  /** Everything that visitors may read about an event and its tickets, with status, tag and body. */
  async function publicAnswers(id: number, slug: string): Promise<string[]> {
    const query = { include_post: id };
    const calls: [string, Asking][] = [
      ['GET tickets:/tickets', { query }],
      ['GET tickets:/tickets', { query: { search: 'Backstage' } }],
      ['GET tickets:/tickets', { query: { ...query, orderby: 'menu_order', capacity_max: 7 } }],
      ['GET tickets:/tickets', { query: { ...query, requires_code: true } }],
      ['GET tickets:/attendees', { query: { post_id: id } }],
      ['GET /events', { query: { include: id } }],
      ['GET /events', { query: { include: id, ticketed: true } }],
      ['GET /events', { query: { include: id, ticketed: false } }],
      ['GET /events', { query: { include: id, free: true } }],
      ['GET /events', { query: { include: id, free: false } }],
      ['GET /events', { query: { search: 'Backstage' } }],
      [`GET /events/${id}`, {}],
      [`GET /events/by-slug/${slug}`, {}],
      [`GET /events.feed`, {}],
      [`GET /events.feed/${slug}`, {}],
      ['GET tickets:/cart', { query: { post_id: id } }],
    ];
    const paths = [
      `/wp-json/tribe/tickets/v1/tickets?include_post=${id}`,
      `/wp-json/tribe/events/v1/events/${id}`,
      `/wp-json/tribe/events/v1/events?include=${id}`,
      `/wp-json/wp/v2/tribe_events/${id}`,
      ...[
        `/event/${slug}/`,
        `/event/${slug}/ical/`,
        `/embed/event/${slug}/`,
        '/events/',
        '/events/2027-03/',
        '/events/week/2027-03-06/',
      ],
      ...['/events/2027-03-06/', '/sitemap.xml', '/events/feed/', `/?s=Backstage`, '/cart/'],
    ];
    const answers = await Promise.all(calls.map(([call, asking]) => server().ask(call, asking)));
    const pages = await Promise.all(
      paths.map(async (path) => {
        const response = await server().request(path);
        return { status: response.status, headers: response.headers, text: await response.text() };
      }),
    );
    return [...answers, ...pages].map(({ status, headers, text }, at) =>
      [calls[at]?.[0] ?? paths[at - calls.length], status, ...headers, text].join('\n').replaceAll(VARYING, ''),
    );
  }

  it.each([
    ['with', 0],
    // Its own responses and its page, which has a field for codes.
    ['without', 3],
  ])('change no response to visitors, for an event %s other places left, but for %i', async (others, count) => {
    const slug = `quiet-${others}`;
    const id = await makeEvent(server(), { slug });
    if (others === 'with') await makeTicket(server(), id, { name: 'Stalls', price: '20', ticket: { mode: '' } });
    const before = await publicAnswers(id, slug);
    const ticket = await makeHidden(id, { ticket: { mode: 'own', capacity: 7 } });
    await makeAttendee(server(), ticket.id, { optout: false });
    const after = await publicAnswers(id, slug);
    const changed = after.filter((answer, at) => answer !== before[at]);
    expect(changed).toEqual(Array.from({ length: count }, () => expect.stringMatching(/takes_codes|I have a code/)));
    expect(after.join()).not.toMatch(/77[.,]77|Backstage door/);
  });

  it('are shown with a code that names them, and counted', async () => {
    const { code } = await promote({ ticket_ids: [hidden] });
    expect(await listed()).toEqual([open]);
    expect(await listed({ query: { promotion: ` ${code.toUpperCase()} ` } })).toEqual([hidden, open]);
    expect(await listed({ query: { promotion: code, requires_code: true } })).toEqual([hidden]);
    const single = await server().ask(`GET tickets:/tickets/${hidden}`, { query: { promotion: code } });
    expect(single).toMatchObject({ status: 200, body: { id: hidden, requires_code: true } });
    expect(single.headers.get('cache-control')).toBe('private, no-cache');
    const reference = await server().request(`/wp-json/tribe/tickets/v1/tickets/${hidden}?promotion=${code}`);
    expect(await reference.json()).not.toHaveProperty('requires_code');
  });

  it.each([
    ['access to the ticket', () => ({ ticket_ids: [hidden] }), true],
    ['access to the event', () => ({ event_id: event }), true],
    ['access to other tickets', () => ({ ticket_ids: [open] }), false],
    ['access to the ticket in another event', () => ({ ticket_ids: [hidden], event_id: other }), false],
    ['access to another event', () => ({ event_id: other }), false],
    ['a discount on the ticket', () => ({ kind: 'percent', value: 10_000, ticket_ids: [hidden] }), true],
    ['a discount on the event', () => ({ kind: 'percent', value: 10_000, event_id: event }), false],
    ['a discount on everything', () => ({ kind: 'price', value: 100 }), false],
  ] as const)('are opened or not by %s', async (_what, fields, isOpened) => {
    other = await makeEvent(server());
    const { code } = await promote(fields());
    expect((await listed({ query: { promotion: code } })).includes(hidden)).toBe(isOpened);
    const single = await server().ask(`GET tickets:/tickets/${hidden}`, { query: { promotion: code } });
    expect(single.status).toBe(isOpened ? 200 : 404);
    const bought = await shopperOf(server()).put([{ ticket_id: hidden, quantity: 1 }], { promotion: code });
    expect(bought.status).toBe(isOpened ? 200 : 400);
  });
  let other = 0;

  it('have the same rule in TypeScript and in SQL, for all viewers and codes', async () => {
    const { db } = server().context;
    const own = await makeEvent(server(), {}, 'author');
    await makeHidden(own);
    const rows = [];
    for (const fields of [{ ticket_ids: [hidden] }, { event_id: event }, { ticket_ids: [hidden], event_id: own }])
      rows.push(await findPriceRecord(db, 'promotions', (await promote(fields)).id));
    const tickets = await findTicketsOfEvents(db, [event, own]);
    const events = await db.query.selectFrom('events').selectAll().where('id', 'in', [event, own]).execute();
    const roles = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'door', 'box_office'] as const;
    for (const role of roles)
      for (const promotion of [undefined, ...rows]) {
        const viewer = viewerOf({ id: server().userId(role), username: role, email: '', role });
        const conditions = isShownSql(viewer, promotion);
        let query = db.query.selectFrom('tickets as t').select('t.id').where('t.event_id', 'in', [event, own]);
        for (const condition of conditions) query = query.where(condition);
        const shown = (await query.orderBy('t.id').execute()).map(({ id }) => id);
        const open = tickets.filter(
          (ticket) =>
            !isHidden(
              ticket,
              events.find(({ id }) => id === ticket.event_id),
              { viewer, promotion },
            ),
        );
        expect([role, promotion?.id, shown]).toEqual([
          role,
          promotion?.id,
          open.map(({ id }) => id).sort((a, b) => a - b),
        ]);
      }
  });

  it('are marked for the staff of their event only', async () => {
    const own = await makeEvent(server(), {}, 'author');
    const ticket = await makeHidden(own);
    const seen = async (as: Asking['as']) =>
      (await server().ask('GET tickets:/tickets', { as, query: { include_post: own } })).body.tickets;
    for (const as of ['administrator', 'editor', 'author', 'door', 'box_office'] as const)
      expect(await seen(as)).toMatchObject([{ id: ticket.id, requires_code: true }]);
    for (const as of ['contributor', 'subscriber'] as const) expect(await seen(as)).toEqual([]);
    expect((await server().ask(`GET tickets:/tickets/${hidden}`, { as: 'author' })).status).toBe(404);
    expect((await server().ask(`GET tickets:/tickets/${hidden}`, { as: 'box_office' })).status).toBe(200);
  });

  it('respond like tickets that do not exist', async () => {
    const { code } = await promote({ ticket_ids: [open] });
    const same = async (ask: (id: number) => Promise<Answer>) => {
      const [one, none] = [await ask(hidden), await ask(MISSING)];
      const text = (answer: Answer) =>
        answer.text.replaceAll(String(hidden), '#').replaceAll(String(MISSING), '#').replace(VARYING, '');
      expect([one.status, text(one)]).toEqual([none.status, text(none)]);
      return one;
    };
    const add_ticket_nonce = await nonce(server(), 'add_ticket_nonce');
    const own = await makeEvent(server(), { author: server().userId('author') });
    const asks: ((id: number) => Promise<Answer>)[] = [
      (id) => server().ask(`GET tickets:/tickets/${id}`),
      (id) => server().ask(`GET tickets:/tickets/${id}`, { query: { promotion: code } }),
      (id) => server().ask(`GET tickets:/tickets/${id}`, { query: { promotion: 'no such code' } }),
      (id) => server().ask(`GET tickets:/tickets/${id}`, { as: 'author' }),
      (id) => server().ask(`DELETE tickets:/tickets/${id}`, { query: { post_id: event, remove_ticket_nonce: 'x' } }),
      (id) =>
        server().ask(`DELETE tickets:/tickets/${id}`, {
          as: 'author',
          query: { post_id: event, remove_ticket_nonce: 'x' },
        }),
      (id) =>
        server().ask(`PATCH tickets:/tickets/${id}`, { body: { post_id: event, edit_ticket_nonce: add_ticket_nonce } }),
      // Prices below and above the price of the hidden ticket.
      (id) => editTicket(server(), id, { post_id: own, min_price: '77.77' }, 'author'),
      (id) => editTicket(server(), id, { post_id: own, min_price: '77.78' }, 'author'),
      (id) => server().ask('GET tickets:/tickets', { query: { include: id } }),
      (id) => server().ask('GET tickets:/attendees', { query: { ticket_id: id } }),
      (id) => shopperOf(server()).put([{ ticket_id: id, quantity: 1 }]),
      (id) => shopperOf(server()).put([{ ticket_id: id, quantity: 1 }], { promotion: code }),
      (id) => shopperOf(server()).put([{ ticket_id: id, quantity: 1 }], { promotion: 'no such code' }),
      (id) => server().ask(`GET admin:/tickets/${id}/availability`),
    ];
    for (const ask of asks) expect((await same(ask)).status).toBeGreaterThanOrEqual(200);
  });

  usually('count wrong codes as wrong guesses, also in reads', async () => {
    const { code } = await promote({ ticket_ids: [hidden] });
    const guess = (promotion: string) => server().ask('GET tickets:/tickets', { query: { promotion } });
    for (let at = 0; at < 5; at += 1)
      expect(await guess(`wrong ${at}`)).toMatchObject({ status: 400, body: { code: 'promotion-unknown' } });
    expect(await guess('wrong')).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect((await guess(code)).status).toBe(429);
  });

  it('are bought with the code of the cart, which is checked again', async () => {
    const { id, code } = await promote({ ticket_ids: [hidden], max_uses: 1 });
    const before = (await counters(server(), hidden)).sold;
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: open, quantity: 1 }], { promotion: code });
    const added = await shopper.put([{ ticket_id: hidden, quantity: 2 }]);
    expect(added.body).toMatchObject({ promotion: { code, applies: true }, totals: { total: { minor: 17_554 } } });
    const late = shopperOf(server());
    await late.put([{ ticket_id: hidden, quantity: 1 }], { promotion: code });
    expect((await shopper.checkout()).status).toBe(201);
    expect(await usesOf(id)).toBe(1);
    expect(await late.checkout()).toMatchObject({ status: 409, body: { data: { reason: 'used-up' } } });
    expect((await counters(server(), hidden)).sold).toBe(before + 2);
  });

  it('sell the last use of a code once, however many ask at the same time', async () => {
    const { id, code } = await promote({ ticket_ids: [hidden], max_uses: 1 });
    const shoppers = Array.from({ length: 6 }, () => shopperOf(server()));
    for (const shopper of shoppers) await shopper.put([{ ticket_id: hidden, quantity: 1 }], { promotion: code });
    const before = (await counters(server(), hidden)).sold;
    const answers = await Promise.all(shoppers.map((shopper) => shopper.checkout()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await usesOf(id)).toBe(1);
    expect((await counters(server(), hidden)).sold).toBe(before + 1);
  });

  usually('leave the cart with their code, and return their places', async () => {
    const { code } = await promote({ ticket_ids: [hidden] });
    const shopper = shopperOf(server());
    await shopper.put(
      [
        { ticket_id: open, quantity: 1 },
        { ticket_id: hidden, quantity: 1 },
      ],
      { promotion: code },
    );
    const { held } = await counters(server(), hidden);
    const { body } = await shopper.put([], { promotion: null });
    expect(body.tickets).toMatchObject([{ ticket_id: open }]);
    expect((await counters(server(), hidden)).held).toBe(held - 1);
    expect((await shopper.put([{ ticket_id: hidden, quantity: 1 }])).status).toBe(400);
    const only = shopperOf(server());
    await only.put([{ ticket_id: hidden, quantity: 1 }], { promotion: code });
    const another = await promote({ event_id: await makeEvent(server()) });
    // A cart without tickets has no code, so that nothing changes.
    expect((await only.put([], { promotion: another.code })).body.code).toBe('cart-is-empty');
    expect((await only.look()).body).toMatchObject({ promotion: { code }, tickets: [{ ticket_id: hidden }] });
  });

  usually('are not sold from a cart that got them before they were hidden', async () => {
    const ticket = await makeTicket(server(), event, { name: 'Box', ticket: { mode: '' } });
    const shopper = shopperOf(server());
    await shopper.put([
      { ticket_id: open, quantity: 1 },
      { ticket_id: ticket.id, quantity: 1 },
    ]);
    const only = shopperOf(server());
    await only.put([{ ticket_id: ticket.id, quantity: 1 }]);
    await editTicket(server(), ticket.id, { post_id: event, requires_code: true });
    expect((await shopper.look()).body.tickets).toMatchObject([{ ticket_id: open }]);
    expect(await only.look()).toMatchObject({ body: { tickets: [] } });
    expect(await only.checkout()).toMatchObject({ status: 400, body: { code: 'ticket-does-not-exist' } });
    expect((await shopper.checkout()).body.attendees).toMatchObject([{ ticket_id: open }]);
    expect(await counters(server(), ticket.id)).toEqual({ held: 1, sold: 0 });
  });

  it('need a code that is still valid at the checkout', async () => {
    const { id, code } = await promote({ ticket_ids: [hidden] });
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: hidden, quantity: 1 }], { promotion: code });
    await server().ask(`PATCH admin:/promotions/${id}`, { as: 'editor', body: { until_utc: '2026-01-01' } });
    expect(await shopper.checkout()).toMatchObject({ status: 409, body: { code: 'promotion-not-valid' } });
    await server().ask(`PATCH admin:/promotions/${id}`, {
      as: 'editor',
      body: { until_utc: null, ticket_ids: [open] },
    });
    expect(await shopper.checkout()).toMatchObject({ status: 400, body: { code: 'ticket-does-not-exist' } });
    await server().ask(`DELETE admin:/promotions/${id}`, { as: 'editor' });
    expect((await shopper.checkout()).status).toBe(400);
    expect(await counters(server(), hidden)).toMatchObject({ held: expect.any(Number) });
  });

  it.each(['ended', 'deleted'])('leave a cart whose code is %s with its next change', async (how) => {
    const few = (await makeHidden(event, { ticket: { mode: 'own', capacity: 10 } })).id;
    const { id, code } = await promote({ ticket_ids: [few] });
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: few, quantity: 8 }], { promotion: code });
    if (how === 'deleted') await server().ask(`DELETE admin:/promotions/${id}`, { as: 'editor' });
    else await server().make(`PATCH admin:/promotions/${id}`, { until_utc: '2026-01-01' });
    const more = await shopper.put([{ ticket_id: few, quantity: 9 }]);
    expect(more).toMatchObject({ status: 400, body: { code: 'ticket-does-not-exist' } });
    expect((await shopper.put([{ ticket_id: open, quantity: 1 }])).body.tickets).toMatchObject([{ ticket_id: open }]);
    expect(await counters(server(), few)).toMatchObject({ held: 0 });
  });

  usually('do not count a use for an order without them', async () => {
    const { id, code } = await promote({ event_id: event });
    const shopper = shopperOf(server());
    const { body } = await shopper.put([{ ticket_id: open, quantity: 1 }], { promotion: code });
    expect(body.promotion).toEqual({ code, applies: false, reason: 'opens-nothing' });
    expect((await shopper.checkout()).status).toBe(201);
    expect(await usesOf(id)).toBe(0);
  });

  usually('are reduced as well by a discount that names them', async () => {
    const { code } = await promote({ kind: 'price', value: 1000, ticket_ids: [hidden] });
    const { body } = await shopperOf(server()).put([{ ticket_id: hidden, quantity: 1 }], { promotion: code });
    expect(body.totals).toMatchObject({ discount: { minor: 6777 }, total: { minor: 1000 } });
  });

  it('are sold with a discount that names them, also when they cost nothing', async () => {
    const { id } = await makeHidden(event, { price: '0' });
    const promotion = await promote({ kind: 'percent', value: 50_000, ticket_ids: [id] });
    const shopper = shopperOf(server());
    const { body } = await shopper.put([{ ticket_id: id, quantity: 1 }], { promotion: promotion.code });
    expect(body.promotion).toEqual({ code: promotion.code, applies: true });
    expect((await shopper.checkout()).status).toBe(201);
    expect(await usesOf(promotion.id)).toBe(1);
  });

  it('are sold by staff without a code', async () => {
    const shopper = shopperOf(server());
    const cart = await server().ask('POST tickets:/cart', {
      as: 'administrator',
      body: { provider: 'tc', tickets: [{ ticket_id: hidden, quantity: 1 }] },
    });
    expect(cart.body.tickets).toMatchObject([{ ticket_id: hidden }]);
    shopper.token = cart.headers.get('x-cart-token') ?? undefined;
    expect((await shopper.checkout({}, { as: 'administrator' })).status).toBe(201);
    const sale = { items: [{ ticket_id: hidden, quantity: 1 }], payment: 'cash', purchaser: ADA };
    expect((await server().ask('POST admin:/orders', { as: 'box_office', body: sale })).status).toBe(201);
  });

  it('are neither RSVPs nor set by clients of the reference', async () => {
    const answer = await addTicket(server(), { post_id: event, provider: 'rsvp', name: 'Reply', requires_code: true });
    expect(answer).toMatchObject({ status: 400, body: { data: { params: { requires_code: expect.any(String) } } } });
    const edit_ticket_nonce = await nonce(server(), 'edit_ticket_nonce');
    const edited = await server().ask(`POST tickets:/tickets/${hidden}`, {
      as: 'administrator',
      prefix: '/wp-json/tribe',
      body: { post_id: event, edit_ticket_nonce, requires_code: false },
    });
    expect(edited.status).toBe(202);
    expect(await listed()).not.toContain(hidden);
  });

  describe('on pages', () => {
    const visitor = () => pageVisitor((path, init) => server().request(path, init));

    it('are shown and bought with the code in the address', async () => {
      const { id, code } = await promote({ ticket_ids: [hidden] });
      const who = visitor();
      const page = await who.get(`/event/premiere/?code=${encodeURIComponent(code)}`);
      expect(page.text).toContain('Backstage door');
      expect(page.text).toMatch(/<meta name="robots" content="noindex/);
      expect(page.headers.get('cache-control')).toBe('private, no-store');
      for (const path of ['/event/premiere/', '/event/premiere/?code='])
        expect((await visitor().get(path)).text).not.toContain('Backstage door');
      const form = { ...hiddenFields(page.text), [`ticket-${hidden}`]: '1' };
      expect(form).toMatchObject({ event: 'premiere', code });
      expect((await who.post('/cart/', form)).location).toBe('/checkout/');
      const checkout = await who.get('/checkout/');
      const bought = { ...hiddenFields(checkout.text), name: ADA.name, email: ADA.email };
      expect((await who.post('/checkout/', bought)).location).toMatch(/^\/order\//);
      expect(await usesOf(id)).toBe(1);
    });

    usually('stay hidden with a wrong code, which the page says', async () => {
      await promote({ ticket_ids: [open], code: 'ended', until_utc: '2026-01-01' });
      for (const [code, words] of [
        ['wrong', 'This code does not exist'],
        ['ended', 'no longer valid'],
      ]) {
        const page = await visitor().get(`/event/premiere/?code=${code}`);
        expect(page.status).toBe(code === 'wrong' ? 400 : 409);
        expect(page.text).toContain(words);
        expect(page.text).toContain(`value="${code}"`);
        expect(page.text).toContain('Stalls');
        expect(page.text).not.toContain('Backstage door');
      }
      const posted = await visitor().post('/cart/', { event: 'premiere', code: 'wrong', [`ticket-${hidden}`]: '1' });
      expect([posted.status, posted.text.includes('Backstage door')]).toEqual([400, false]);
      for (let at = 0; at < 5; at += 1) await visitor().get(`/event/premiere/?code=guess${at}`);
      expect((await visitor().get('/event/premiere/?code=more')).status).toBe(429);
      expect((await visitor().get('/event/premiere/')).status).toBe(200);
      // Nothing was entered.
      for (const page of ['/event/premiere/', '/cart/'])
        for (const code of ['%E2%80%8B', '%C2%AD', '%00'])
          expect((await visitor().get(`${page}?code=${code}`)).status, `${page} ${code}`).toBe(200);
    });

    it.each([
      ['mistyped', 'This code does not exist'],
      ['over', 'no longer valid'],
    ])('do not keep visitors with a code that is %s from other tickets', async (code, words) => {
      if (code === 'over') await promote({ ticket_ids: [hidden], code, until_utc: '2026-01-01' });
      const { slug } = (await server().ask(`GET /series/${(await makeSeason(server())).series}`)).body;
      for (const path of ['/event/premiere/', `/series/${slug}/`]) {
        const page = await visitor().get(`${path}?code=${code}`);
        expect(page.text).toContain(words);
        expect(hiddenFields(page.text)).toEqual({ event: expect.any(String) });
      }
      const who = visitor();
      const form = hiddenFields((await who.get(`/event/premiere/?code=${code}`)).text);
      expect((await who.post('/cart/', { ...form, [`ticket-${open}`]: '1' })).location).toBe('/checkout/');
    });

    usually('count and show a wrong code in a form once', async () => {
      const shown = async (form: Record<string, string>) => {
        const { text, status } = await visitor().post('/cart/', form);
        return [status, text.match(/This code does not exist|Too many/g)?.length];
      };
      const onPage = { event: 'premiere', [`ticket-${open}`]: '1', code: 'wrong' };
      expect(await shown(onPage)).toEqual([400, 1]);
      expect(await shown({ ...onPage, code: 'wrong 1' })).toEqual([400, 1]);
      expect(await shown({ code: 'wrong 2' })).toEqual([400, 1]);
      const guess = (at: number) => server().ask('GET tickets:/tickets', { query: { promotion: `guess ${at}` } });
      expect([(await guess(1)).status, (await guess(2)).status, (await guess(3)).status]).toEqual([400, 400, 429]);
      expect(await shown({ ...onPage, code: 'wrong 3' })).toEqual([429, 1]);
    });

    usually('leave the cart with their code, which the page says and mends', async () => {
      const { code } = await promote({ ticket_ids: [hidden] });
      const other = await makeHidden(event, { name: 'Balcony door' });
      const { code: otherCode } = await promote({ ticket_ids: [other.id] });
      const who = visitor();
      await who.post('/cart/', { event: 'premiere', code, [`ticket-${hidden}`]: '1' });
      const needed = await who.post('/cart/', { code: otherCode });
      expect([needed.status, needed.text.includes('Your tickets need the code')]).toEqual([400, true]);
      const changed = await who.post('/cart/', { event: 'premiere', code: otherCode, [`ticket-${other.id}`]: '1' });
      expect(changed.status).toBe(200);
      expect(changed.text).toMatch(/no longer in it: Backstage door \([^)]+\)\. A cart has one code/);
      expect(changed.text).toContain('Balcony door');
      expect((await who.get('/cart/')).text).not.toContain('no longer in it');
      const removed = await who.post('/cart/', { code: '' });
      expect(removed.text).toContain('no longer in it: Balcony door');
      expect(removed.text).toContain('Your cart is empty');
      await who.post('/cart/', { event: 'premiere', [`ticket-${open}`]: '1' });
      expect((await who.post('/cart/', { [`ticket-${open}`]: '0' })).location).toBe('/cart/');
    });

    usually('are not in a cart with their code, which the page says without a reason to remove it', async () => {
      const { code } = await promote({ ticket_ids: [hidden] });
      const who = visitor();
      await who.post('/cart/', { event: 'premiere', code, [`ticket-${open}`]: '1' });
      const { text } = await who.get('/cart/');
      expect(text).toContain('This code opens tickets that are not in your cart.');
      expect(text).not.toContain('Remove it from the cart');
    });

    it('are found on the page of the cart, empty or not', async () => {
      const { code } = await promote({ ticket_ids: [hidden] });
      const who = visitor();
      const empty = await who.get(`/cart/?code=${encodeURIComponent(code)}`);
      expect(empty.text).toContain(`href="/event/premiere/?code=${code.replace(' ', '+')}"`);
      await who.post('/cart/', { event: 'premiere', [`ticket-${open}`]: '1' });
      await who.post('/cart/', { code });
      expect((await who.get('/cart/')).text).toContain('Backstage door');
      expect((await visitor().get('/cart/')).text).not.toContain('Backstage door');
    });

    it('are announced in a calendar file to visitors with the code', async () => {
      const later = await makeHidden(event, { start_date: '2027-01-01', name: 'Later door' });
      const { code } = await promote({ ticket_ids: [later.id] });
      const path = `/event/premiere/sale/${later.id}/ical/`;
      expect((await visitor().get(path)).status).toBe(404);
      const file = await visitor().get(`${path}?code=${encodeURIComponent(code)}`);
      expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    });

    it('are opened for an event whose tickets are all hidden, of which the page only says that it takes codes', async () => {
      const id = await makeEvent(server(), { slug: 'secret-show' });
      const show = async (query = '') => (await visitor().get(`/event/secret-show/${query}`)).text;
      const before = await show('?code=wrong');
      expect(await show()).not.toContain('I have a code');
      await makeHidden(id);
      const { code } = await promote({ event_id: id });
      expect(await show('?code=wrong')).toBe(before);
      expect(await show()).toContain('I have a code');
      expect(await show()).not.toMatch(/Backstage door|action="\/cart\/"/);
      expect(await show(`?code=${encodeURIComponent(code)}`)).toContain('Backstage door');
      await server().make(`PATCH /events/${id}`, { event_status: 'cancelled' });
      expect(await show()).not.toContain('I have a code');
    });

    it('are asked for only where a code may help', async () => {
      const takes = async (id: number) => {
        const { body } = await server().ask(`GET /events/${id}`);
        const { text } = await visitor().get(`/event/${body.slug}/`);
        expect(text.includes('I have a code')).toBe(body.takes_codes === true);
        return body.takes_codes;
      };
      const [show, other] = [await makeEvent(server()), await makeEvent(server())];
      const { id } = await makeTicket(server(), show, { price: '20', ticket: { mode: 'own', capacity: 1 } });
      await makeTicket(server(), other, { price: '0', ticket: { mode: '' } });
      expect([await takes(show), await takes(other)]).toEqual([true, undefined]);
      await shopperOf(server()).put([{ ticket_id: id, quantity: 1 }]);
      expect(await takes(show)).toBeUndefined();
      const times = { start_date: '2025-01-01', end_date: '2026-01-01' };
      await makeHidden(other, times);
      await makeTicket(server(), other, { price: '20', ...times });
      expect(await takes(other)).toBeUndefined();
      await makeHidden(other);
      expect(await takes(other)).toBe(true);
      const reference = await server().ask(`GET /events/${other}`, { prefix: '/wp-json/tribe' });
      expect(reference.body).not.toHaveProperty('takes_codes');
    });

    it('stay open on the way to the page of the event', async () => {
      const { code } = await promote({ ticket_ids: [hidden] });
      const query = `?code=${code.replace(' ', '+')}`;
      for (const path of [
        `/?p=${event}&code=${query.slice(6)}`,
        `/events/premiere/${query}`,
        `/event/PREMIERE/${query}`,
      ])
        expect([path, (await visitor().get(path)).location]).toEqual([path, `/event/premiere/${query}`]);
      const locked = await makeEvent(server(), { slug: 'locked-show', post_password: 'sesame' });
      const door = await makeHidden(locked, { name: 'Locked door' });
      const { code: key } = await promote({ ticket_ids: [door.id] });
      const address = `/event/locked-show/?code=${key.replace(' ', '+')}`;
      const who = visitor();
      expect((await who.get(address)).text).toContain(`action="${address}"`);
      expect((await who.post(address, { password: 'wrong' })).text).toContain(`action="${address}"`);
      expect((await who.post(address, { password: 'sesame' })).location).toBe(address);
      expect((await who.get(address)).text).toContain('Locked door');
    });

    it('stay open when a reply on their page is refused', async () => {
      const id = await makeEvent(server(), { slug: 'open-house' });
      const reply = await addTicket(server(), { post_id: id, provider: 'rsvp', name: 'Reply' });
      await makeHidden(id);
      const { code } = await promote({ event_id: id });
      const address = `/event/open-house/?code=${code.replace(' ', '+')}`;
      const who = visitor();
      expect((await who.get(address)).text).toContain(`action="${address}"`);
      const refused = await who.post(address, { reply_to: String(reply.body.id) });
      expect([refused.status, refused.text.includes('Backstage door')]).toEqual([400, true]);
    });

    it('are refused on the page of the cart with a wrong code in its address', async () => {
      const who = visitor();
      for (const places of ['0', '1']) {
        if (places === '1') await who.post('/cart/', { event: 'premiere', [`ticket-${open}`]: '1' });
        const { status, text } = await who.get('/cart/?code=wrong');
        expect([status, text.match(/This code does not exist/g)?.length]).toEqual([400, 1]);
        expect(text).toContain('<a href="#code">');
        expect(text).toMatch(/<meta name="robots" content="noindex/);
      }
    });
  });

  it('are series passes as well, opened only by a code that names them', async () => {
    const { series, events, dates } = await makeSeason(server());
    const { slug } = (await server().ask(`GET /series/${series}`)).body;
    const [first = 0, second = 0] = events;
    const [pass = 0, chosen = 0] = dates;
    const page = async () => (await server().request(`/series/${slug}/`)).text();
    expect(await page()).toContain('Twenty nights');
    await editTicket(server(), pass, { post_id: first, requires_code: true });
    expect(await page()).not.toContain('Twenty nights');
    const opening = await promote({ ticket_ids: [pass] });
    const opened = await server().request(`/series/${slug}/?code=${encodeURIComponent(opening.code)}`);
    expect(await opened.text()).toContain('Twenty nights');
    const ofDates = { include_post: events.join(','), per_page: 50 };
    const visible = await server().ask('GET tickets:/tickets', { query: ofDates });
    expect(visible.body.tickets.some(({ scope }: { scope?: string }) => scope === 'series')).toBe(false);
    const named = await promote({ ticket_ids: [pass], event_id: second });
    const found = await server().ask('GET tickets:/tickets', {
      query: { ...ofDates, promotion: named.code, requires_code: true },
    });
    expect(found.body.total).toBe(dates.length);
    const wanted = [{ ticket_id: chosen, quantity: 1 }];
    const ofEvent = await promote({ event_id: second });
    expect((await shopperOf(server()).put(wanted, { promotion: ofEvent.code })).status).toBe(400);
    const shopper = shopperOf(server());
    expect((await shopper.put(wanted, { promotion: named.code })).body.tickets).toMatchObject([
      { ticket_id: chosen, pass: { dates: dates.length } },
    ]);
    expect((await shopper.put([], { promotion: null })).body.tickets).toEqual([]);
    expect((await counters(server(), pass)).held).toBe(0);
    await shopper.put(wanted, { promotion: named.code });
    expect((await shopper.checkout()).status).toBe(201);
    expect(await usesOf(named.id)).toBe(1);
  });

  it('are hidden in all events of a series, and in copies', async () => {
    const { events } = await makeSeason(server());
    const [first = 0, second = 0] = events;
    const [single] = await findTicketsOfEvents(server().context.db, [first]);
    await editTicket(server(), single!.id, { post_id: first, requires_code: true, scope: 'all' });
    await runJobs(server().context);
    const later = await findTicketsOfEvents(server().context.db, [second]);
    expect(later.find(({ title }) => title === single!.title)).toMatchObject({ requires_code: 1 });
    const copy = await server().make(`POST admin:/events/${first}/duplicate`, {
      with_tickets: true,
      status: 'publish',
    });
    const { code } = await promote({ ticket_ids: [single!.id] });
    expect(
      idsIn(await server().ask('GET tickets:/tickets', { query: { include_post: copy.id, promotion: code } })),
    ).toEqual([]);
  });

  it('are not all opened by one code', async () => {
    const nameless = await server().ask('POST admin:/promotions', {
      as: 'editor',
      body: { code: 'everything', kind: 'access', value: 0 },
    });
    expect(nameless.status).toBe(400);
  });
});
