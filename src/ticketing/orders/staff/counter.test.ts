import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { codeOf, makeAttendee, makeRsvp, makeSeat, soldOf } from '../../../../test/attendees.ts';
import { asHolder, buy } from '../../../../test/buyers.ts';
import { type Answer, DATABASES, startTestServer, useTestServer } from '../../../../test/server.ts';
import { sharedCounters } from '../../../../test/shopper.ts';
import { unguarded } from '../../../../test/statements.ts';
import { usualOf } from '../../../../test/thoroughness.ts';
import { makeEvent, makeTicket } from '../../../../test/tickets.ts';
import { findIncompleteRecords } from '../../../db/integrity.ts';
import { findWrongCounters } from '../../../jobs/recount.ts';
import { findBookErrors } from '../../books/check-books.ts';

const idsOf = (records: { id: number }[]) => records.map(({ id }) => id);

describe.each(DATABASES)('the counter on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind);
  let event: number;
  let seat: number;
  beforeAll(async () => {
    event = await makeEvent(server());
    seat = await makeSeat(server(), event, 1000, { name: 'Stalls', price: '12.50' });
  });

  const as = 'editor';
  const act = (call: string, body: object, headers?: Record<string, string>): Promise<Answer> =>
    server().ask(call, { as, body, headers });
  const order = async (id: number) => (await server().ask(`GET admin:/orders/${id}`, { as })).body;
  const sell = (body: object, headers?: Record<string, string>) => act('POST admin:/orders', body, headers);
  const cancel = (id: number, body: object) => act(`POST admin:/orders/${id}/cancel-places`, body);
  /** No counter and no record contradicts another. */
  const expectWhole = async () => {
    const { context } = server();
    expect(await findWrongCounters(context.db)).toEqual([]);
    expect(await findIncompleteRecords(context.db)).toEqual([]);
    expect(await findBookErrors(context.db)).toEqual([]);
  };

  describe('sells', () => {
    it('at the price of today, to people with and without names, paid at once', async () => {
      const sold = await soldOf(server(), seat);
      const items = [
        { ticket_id: seat, quantity: 3, attendees: [{ full_name: 'Mary <b>S</b>', email: 'm@party.test' }] },
      ];
      const answer = await sell({ items, payment: 'cash', purchaser: { name: 'Ada Park' } });
      expect(answer).toMatchObject({
        status: 201,
        body: {
          status: 'completed',
          gateway: 'cash',
          purchaser: { name: 'Ada Park', email: '' },
          total: { minor: 3750 },
          attendees: [{ name: 'Mary S', email: 'm@party.test' }, { name: 'Ada Park', email: '' }, { name: 'Ada Park' }],
          log: [{ to: 'created' }, { to: 'pending' }, { to: 'completed' }, { action: 'sale', details: {} }],
        },
      });
      expect(answer.headers.get('location')).toBe(`http://localhost/calendar/admin/v1/orders/${answer.body.id}`);
      expect(await soldOf(server(), seat)).toBe(sold + 3);
      const { body } = await server().ask('GET tickets:/attendees', { query: { post_id: event } });
      expect(JSON.stringify(body)).not.toContain('Mary');
    });

    usually('at a stated price with a reason only', async () => {
      const items = [{ ticket_id: seat, quantity: 1, price: '5' }];
      expect((await sell({ items, payment: 'card' })).body.data.params).toEqual(['reason']);
      const { body } = await sell({ items, payment: 'card', reason: 'Late' });
      expect(body).toMatchObject({ total: { minor: 500 }, purchaser: { name: 'Box office' } });
      expect(body.log.at(-1)).toMatchObject({
        action: 'sale',
        details: { reason: 'Late' },
        user_id: server().userId(as),
      });
      const free = { items: [{ ...items[0], price: 0 }], payment: 'free', reason: 'Press' };
      expect((await sell(free)).body).toMatchObject({ total: { minor: 0 }, gateway: 'free' });
    });

    it('once with one Idempotency-Key', async () => {
      const sold = await soldOf(server(), seat);
      const body = { items: [{ ticket_id: seat, quantity: 1 }], payment: 'cash' };
      const [first, second] = [
        await sell(body, { 'idempotency-key': 'a' }),
        await sell(body, { 'idempotency-key': 'a' }),
      ];
      expect(second.body).toEqual(first.body);
      expect(await soldOf(server(), seat)).toBe(sold + 1);
    });

    usually('nothing to requests that make no sense', async () => {
      const sold = await soldOf(server(), seat);
      const reply = await makeRsvp(server(), event);
      const line = { ticket_id: seat, quantity: 1 };
      for (const items of [
        [],
        'all',
        [{}],
        [{ ticket_id: seat }],
        [line, line],
        [line, { ticket_id: reply, quantity: 1 }],
        [line, { ticket_id: 999_999, quantity: 1 }],
        [{ ...line, quantity: 501 }],
        [{ ...line, quantity: 0 }],
        [{ ...line, price: -1 }],
        [{ ...line, price: {} }],
        [{ ...line, attendees: 'x' }],
        [{ ...line, attendees: [{ full_name: ' ' }] }],
        [{ ...line, attendees: [{}, {}] }],
        Array.from({ length: 501 }, (_, ticket_id) => ({ ticket_id, quantity: 1 })),
      ]) {
        expect((await sell({ items, payment: 'cash', reason: 'x' })).status).toBe(400);
      }
      for (const payment of ['free', 'gold', '']) expect((await sell({ items: [line], payment })).status).toBe(400);
      expect(await soldOf(server(), seat)).toBe(sold);
    });

    it.each(['cancelled', 'postponed'])('no tickets of a %s event', async (event_status) => {
      const off = await makeEvent(server());
      const items = [{ ticket_id: await makeSeat(server(), off), quantity: 1 }];
      await server().make(`PATCH /events/${off}`, { event_status });
      expect((await sell({ items, payment: 'cash' })).body.code).toBe(`event-${event_status}`);
    });

    it('no more seats than there are, together with customers', async () => {
      const last = await makeSeat(server(), event, 5, { price: '0' });
      const counter = () => sell({ items: [{ ticket_id: last, quantity: 2 }], payment: 'cash' });
      const buyer = () =>
        buy(server(), [last]).then(
          () => ({ status: 201 }),
          () => ({ status: 409 }),
        );
      const answers = await Promise.all([counter(), buyer(), counter(), buyer(), counter(), buyer()]);
      expect(await soldOf(server(), last)).toBeLessThanOrEqual(5);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused.length).toBeGreaterThan(0);
      expect(await counter()).toMatchObject({ status: 409, body: { code: 'tec-tc-insufficient-stock' } });
      await expectWhole();
    });
  });

  describe('cancels places', () => {
    usually('for good, and leaves the rest of the order as it was', async () => {
      const sold = await soldOf(server(), seat);
      const { id, attendees, headers } = await buy(server(), [seat, seat, seat]);
      const [first, second, third] = idsOf(attendees);
      const answer = await cancel(id, { attendees: [second], reason: 'Ill' });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          status: 'pending',
          total: { minor: 2500 },
          items: [{ quantity: 2, cancelled: 1, subtotal: { minor: 2500 } }],
          changes: {
            dry_run: false,
            places: [{ ticket_id: seat, title: 'Stalls', quantity: -1 }],
            archived: [second],
            paid: { minor: 1250 },
            notices: ['Gives back 1 place.'],
          },
        },
      });
      expect(answer.body.log.at(-1)).toMatchObject({
        action: 'places',
        details: { attendees: [second], amount: 1250, reason: 'Ill' },
      });
      expect(await soldOf(server(), seat)).toBe(sold + 2);
      // Given up and revived, the order takes back only the places it still has.
      await act(`PATCH admin:/orders/${id}`, { status: 'not-completed' });
      await act(`PATCH admin:/orders/${id}`, { status: 'completed' });
      expect(await soldOf(server(), seat)).toBe(sold + 2);
      const read = await server().ask(`GET tickets:/orders/${id}`, { headers });
      expect(read.body.items).toMatchObject([{ quantity: 2 }]);
      expect((await cancel(id, { attendees: [second] })).body.changes.archived).toEqual([]);
      const last = await cancel(id, { attendees: [first, second, third] });
      expect(last.body).toMatchObject({ status: 'voided', changes: { paid: { minor: 2500 } } });
      expect(last.body.changes.notices).toEqual([
        'Gives back 2 places.',
        'This refunds no money. $25.00 was paid for these places; refund it yourself if it is due.',
        'Under the rules of this site, the customer may not cancel; a refund is up to you.',
      ]);
      expect(await soldOf(server(), seat)).toBe(sold);
      await expectWhole();
    });

    it('of the order only, and of no attendee who is checked in', async () => {
      const [one, other] = [await buy(server(), [seat, seat]), await buy(server(), [seat])];
      const [first, second] = idsOf(one.attendees);
      expect((await cancel(one.id, { attendees: [first, other.attendees[0]?.id] })).status).toBe(400);
      await act(`PATCH admin:/orders/${one.id}`, { status: 'completed' });
      await act(`PATCH tickets:/attendees/${first}`, { check_in: true });
      for (const attendees of [[first], [first, second]]) {
        const refused = await cancel(one.id, { attendees });
        expect(refused).toMatchObject({ status: 409, body: { data: { reason: 'checked-in' } } });
      }
      expect((await order(one.id)).items).toMatchObject([{ quantity: 2 }]);
      const stale = await act(
        `POST admin:/orders/${one.id}/cancel-places`,
        { attendees: [second] },
        { 'if-match': '"r1"' },
      );
      expect(stale).toMatchObject({ status: 412, body: { data: { record: { id: one.id } } } });
    });

    it('once in concurrent requests', async () => {
      const sold = await soldOf(server(), seat);
      const { id, attendees } = await buy(server(), [seat, seat, seat]);
      const [first, second] = idsOf(attendees);
      const twice = [
        { attendees: [first] },
        { attendees: [first, second] },
        { attendees: [second] },
        { attendees: [first] },
      ];
      const answers = await Promise.all(twice.map((body) => cancel(id, body)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await soldOf(server(), seat)).toBe(sold + 1);
      expect(await order(id)).toMatchObject({ total: { minor: 1250 }, items: [{ cancelled: 2 }] });
      await expectWhole();
    });
  });

  it('previews the exact result of every action, and changes nothing by it', async () => {
    const other = await makeSeat(server(), event, 1000, { name: 'Balcony', price: '8' });
    const statuses = ['pending', 'action-req', 'approved', 'completed', 'not-completed', 'refunded', 'voided'];
    const step = fc.oneof(
      fc.constantFrom(...statuses).map((status) => ({ status })),
      fc.subarray([0, 1, 2, 3], { minLength: 1 }).map((places) => ({ places })),
      fc.constantFrom('', 'Ask at the door').map((note) => ({ note })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 4 }), async (steps) => {
        const { id, attendees } = await buy(server(), [seat, seat, other, other]);
        for (const one of steps) {
          const [call, body] =
            'places' in one
              ? [`POST admin:/orders/${id}/cancel-places`, { attendees: one.places.map((at) => attendees[at]?.id) }]
              : [`PATCH admin:/orders/${id}`, one];
          const before = await order(id);
          const sold = await Promise.all([seat, other].map((ticket) => soldOf(server(), ticket)));
          const preview = await act(call, { ...body, dry_run: 1 });
          expect(await order(id)).toEqual(before);
          expect(await Promise.all([seat, other].map((ticket) => soldOf(server(), ticket)))).toEqual(sold);
          const done = await act(call, body);
          expect(done.status).toBe(preview.status);
          if (done.status !== 200) continue;
          expect(preview.body.changes.dry_run).toBe(true);
          expect(done.body).toEqual({ ...preview.body, changes: { ...preview.body.changes, dry_run: false } });
          const after = await Promise.all([seat, other].map((ticket) => soldOf(server(), ticket)));
          const moved = (ticket: number) =>
            done.body.changes.places.find(({ ticket_id }: { ticket_id: number }) => ticket_id === ticket)?.quantity ??
            0;
          expect(after).toEqual([seat, other].map((ticket, index) => (sold[index] ?? 0) + moved(ticket)));
        }
      }),
      { numRuns: 6, seed: 7 },
    );
    await expectWhole();
  });

  it('keeps notes and customers of orders, which are found by them', async () => {
    const { id, headers } = await buy(server(), [seat]);
    const { revision } = await order(id);
    const changed = await act(
      `PATCH admin:/orders/${id}`,
      { note: 'Row 3, <b>please</b>', purchaser: { email: 'new@party.test', name: 'Zelda Quine' } },
      { 'if-match': `"r${revision}"` },
    );
    expect(changed.body).toMatchObject({
      note: 'Row 3, <b>please</b>',
      purchaser: { name: 'Zelda Quine', email: 'new@party.test' },
    });
    expect(changed.body.log.slice(-2)).toMatchObject([{ action: 'purchaser' }, { action: 'note' }]);
    expect(JSON.stringify(changed.body.log)).not.toMatch(/zelda|party|row/i);
    expect((await server().ask(`GET tickets:/orders/${id}`, { headers })).text).not.toContain('Row 3');
    expect((await act(`PATCH admin:/orders/${id}`, { note: null }, { 'if-match': `"r${revision}"` })).status).toBe(412);
    expect((await act(`PATCH admin:/orders/${id}`, { note: null })).body.note).toBe('');
    expect((await act(`PATCH admin:/orders/${id}`, { dry_run: true })).status).toBe(400);
    const found = async (query: object) => {
      const { status, body } = await server().ask('GET admin:/orders', { as, query: { per_page: 100, ...query } });
      return status === 200 ? idsOf(body.orders) : status;
    };
    for (const search of [`#${id}`, `${id}`, 'quine new@party', `zelda ${id}`])
      expect(await found({ search })).toEqual([id]);
    expect(await found({ search: `${id}0` })).toEqual([]);
    expect(await found({ event, gateway: 'door', search: 'quine', total_min: 12.5, total_max: '12.50' })).toEqual([id]);
    expect(await found({ search: 'quine', total_min: 12.51 })).toEqual([]);
    expect(await found({ search: 'quine', gateway: 'cash' })).toEqual([]);
    // Noon in New York, in the time zone of the site.
    for (const noon of ['2026-11-21 12:00:00', '2026-11-21T17:00:00Z'])
      expect(await found({ search: 'quine', after: noon, before: noon })).toEqual([id]);
    expect(await found({ search: 'quine', after: '2026-11-21', before: '2026-11-21' })).toEqual([id]);
    expect(await found({ search: 'quine', before: '2026-11-20' })).toEqual([]);
    expect(await found({ search: 'quine', before: '2026-11-21 11:59:59' })).toEqual([]);
    for (const wrong of [{ after: 'x' }, { total_min: 'x' }, { total_max: -1 }, { event: 999_999 }])
      expect(await found(wrong)).toBe(400);
  });

  describe('moves attendees', () => {
    const move = (id: number, ticket_id: number, headers?: Record<string, string>) =>
      act(`POST admin:/attendees/${id}/move`, { ticket_id }, headers);

    usually('to another ticket, with their seat, at the price they paid', async () => {
      const other = await makeSeat(server(), event, 1, { name: 'Box', price: '50' });
      const { id, attendees } = await buy(server(), [seat, seat]);
      const sold = await soldOf(server(), seat);
      const [first = 0, second = 0] = idsOf(attendees);
      expect(await move(first, other)).toMatchObject({ status: 200, body: { id: first, ticket_id: other } });
      expect([await soldOf(server(), seat), await soldOf(server(), other)]).toEqual([sold - 1, 1]);
      const shown = await order(id);
      expect(shown.items).toMatchObject([
        { ticket_id: seat, quantity: 1, subtotal: { minor: 1250 } },
        { ticket_id: other, quantity: 1, subtotal: { minor: 1250 } },
      ]);
      expect(shown.log.at(-1)).toMatchObject({ action: 'moved', details: { attendees: [first], ticket_id: other } });
      expect(await move(second, other)).toMatchObject({
        status: 409,
        body: { data: { ticket_id: other, available: 0 } },
      });
      expect((await move(first, other)).status).toBe(200);
      await cancel(id, { attendees: [first] });
      expect(await soldOf(server(), other)).toBe(0);
      expect((await move(first, seat)).body.code).toBe('attendee-archived');
      await expectWhole();
    });

    it('within a full shared room, and not to other kinds of tickets', async () => {
      const own = await makeEvent(server());
      const shared = { mode: 'global', event_capacity: 2 };
      const adults = (await makeTicket(server(), own, { name: 'Adults', ticket: shared })).id;
      const children = (await makeTicket(server(), own, { name: 'Children', ticket: { mode: 'capped', capacity: 1 } }))
        .id;
      const { attendees } = await buy(server(), [adults, adults]);
      const [first = 0, second = 0] = idsOf(attendees);
      expect((await move(first, children)).status).toBe(200);
      expect((await move(second, children)).status).toBe(409);
      expect(await sharedCounters(server(), own)).toEqual({ held: 0, sold: 2 });
      const reply = await makeRsvp(server(), own);
      for (const wrong of [reply, 999_999]) expect((await move(first, wrong)).status).toBe(400);
      await expectWhole();
    });

    it('to another event, between shared rooms, where they check in anew', async () => {
      const [rainy, sunny] = [await makeEvent(server()), await makeEvent(server())];
      const shared = (event_capacity: number) => ({ ticket: { mode: 'global', event_capacity } });
      const from = (await makeTicket(server(), rainy, { name: 'Rain', ...shared(5) })).id;
      const to = (await makeTicket(server(), sunny, { name: 'Sun', ...shared(1) })).id;
      const { id, attendees } = await buy(server(), [from, from]);
      await server().ask(`PATCH admin:/orders/${id}`, { as: 'editor', body: { status: 'completed' } });
      const [first = 0, second = 0] = idsOf(attendees);
      await server().ask(`PATCH tickets:/attendees/${first}`, { as: 'editor', body: { check_in: true } });
      expect(await move(first, to)).toMatchObject({ status: 200, body: { event_id: sunny, ticket_id: to } });
      expect((await move(second, to)).status).toBe(409);
      expect([await sharedCounters(server(), rainy), await sharedCounters(server(), sunny)]).toEqual([
        { held: 0, sold: 1 },
        { held: 0, sold: 1 },
      ]);
      const items = (await order(id)).items.map((item: { event_id: number }) => item.event_id);
      expect(items.sort()).toEqual([rainy, sunny].sort());
      const moved = (await server().ask(`GET tickets:/attendees/${first}`, { as: 'editor' })).body;
      expect([moved.post_id, moved.checked_in]).toEqual([sunny, false]);
      await server().ask(`PATCH /events/${rainy}`, { as: 'editor', body: { event_status: 'cancelled' } });
      expect(await move(first, from)).toMatchObject({ status: 409, body: { code: 'event-cancelled' } });
      await expectWhole();
    });

    usually('between own and shared seats, of which both tickets return or take one', async () => {
      const night = await makeEvent(server());
      const shared = { mode: 'global', event_capacity: 2 };
      const standing = (await makeTicket(server(), night, { name: 'Standing', ticket: shared })).id;
      const balcony = await makeSeat(server(), night, 5, { name: 'Balcony' });
      const [first = 0] = idsOf((await buy(server(), [standing])).attendees);
      const guests = idsOf((await buy(server(), [balcony, balcony, balcony])).attendees);
      const counts = async () => [await soldOf(server(), balcony), (await sharedCounters(server(), night)).sold];
      expect((await move(first, balcony)).status).toBe(200);
      expect(await counts()).toEqual([4, 0]);
      const moved: number[] = [];
      for (const guest of guests) moved.push((await move(guest, standing)).status);
      expect(moved).toEqual([200, 200, 409]);
      expect(await counts()).toEqual([2, 2]);
      await expectWhole();
    });

    it('also those of a reply, whose answer then returns the seats of both tickets', async () => {
      const [near, far] = [await makeRsvp(server(), event, 5), await makeRsvp(server(), event, 5)];
      const body = { ticket_id: near, full_name: 'Ada', email: 'ada@party.test', quantity: 2 };
      const { attendees } = await server().make('POST tickets:/replies', body);
      expect((await move(attendees[1].id, far)).status).toBe(200);
      const { id, url } = attendees[0];
      const no = { body: { attendee_status: 'no' }, headers: asHolder(url) };
      expect((await server().ask(`PATCH tickets:/replies/${id}`, no)).status).toBe(200);
      expect([await soldOf(server(), near), await soldOf(server(), far)]).toEqual([0, 0]);
    });

    it('to another event out of their reply, whose answer then changes its own seats only', async () => {
      const [near, far] = [await makeRsvp(server(), event, 5), await makeRsvp(server(), await makeEvent(server()), 5)];
      const body = { ticket_id: near, full_name: 'Ada', email: 'ada@far.test', quantity: 3 };
      const { attendees } = await server().make('POST tickets:/replies', body);
      const answers = async (index: number, attendee_status: string) => {
        const { id, url } = attendees[index];
        const asked = { body: { attendee_status }, headers: asHolder(url) };
        expect((await server().ask(`PATCH tickets:/replies/${id}`, asked)).status).toBe(200);
        return [await soldOf(server(), near), await soldOf(server(), far)];
      };
      expect((await move(attendees[1].id, far)).status).toBe(200);
      expect(await answers(0, 'no')).toEqual([0, 1]);
      expect(await answers(0, 'yes')).toEqual([2, 1]);
      expect((await move(attendees[0].id, far)).status).toBe(200);
      expect(await answers(0, 'no')).toEqual([1, 1]);
      expect(await answers(2, 'no')).toEqual([0, 1]);
    });
  });

  it('makes new codes, and the former ones no longer admit', async () => {
    const { id, attendees } = await buy(server(), [seat]);
    await act(`PATCH admin:/orders/${id}`, { status: 'completed' });
    const [{ id: attendee = 0, security_code: former = '' } = {}] = attendees;
    const { body } = await act(`POST admin:/attendees/${attendee}/security-code`, {});
    expect(body.security_code).toMatch(/^[0-9a-f]{20}$/);
    expect(body.security_code).not.toBe(former);
    expect(await codeOf(server(), attendee)).toBe(body.security_code);
    expect((await order(id)).log.at(-1)).toMatchObject({ action: 'new-code', details: { attendees: [attendee] } });
    expect(JSON.stringify((await order(id)).log)).not.toContain(body.security_code);
    const { key: api_key } = await server().make('POST admin:/check-in-keys', { name: `Gate ${kind}` });
    const scan = (security_code: string) =>
      server().ask('POST tickets:/qr', { body: { api_key, ticket_id: attendee, security_code } });
    const ticket = (security_code: string) =>
      server().ask(`GET tickets:/attendees/${attendee}/ticket`, { query: { security_code } });
    expect([(await scan(former)).status, (await ticket(former)).status]).toEqual([403, 404]);
    expect([(await scan(body.security_code)).status, (await ticket(body.security_code)).status]).toEqual([201, 200]);
    expect((await server().request(`/ticket/${attendee}/${former}/`)).status).toBe(404);
  });

  it('finds attendees by name, e-mail address, order and whole code', async () => {
    const own = await makeEvent(server(), { title: 'Search night' });
    const ticket = await makeSeat(server(), own, 100, { name: 'Seat' });
    const people = ['Zoë Ångström', 'Bo Park', 'Cid Park'].map((full_name, index) => ({
      full_name,
      email: `p${index}@x.test`,
    }));
    const made = [];
    for (const person of people) made.push(await makeAttendee(server(), ticket, person));
    const [zoe, bo, cid] = idsOf(made);
    await act(`PATCH tickets:/attendees/${bo}`, { check_in: true });
    const ask = (query: object, by: 'editor' | 'door' = as) =>
      server().ask('GET admin:/attendees', { as: by, query: { event: own, ...query } });
    const found = async (query: Record<string, string | number | boolean>) => idsOf((await ask(query)).body.attendees);
    const code = await codeOf(server(), cid ?? 0);
    expect(await found({ search: 'angstrom' })).toEqual([zoe]);
    expect(await found({ search: 'PARK p1@x' })).toEqual([bo]);
    expect(await found({ search: `#${made[0].order}` })).toEqual([zoe]);
    expect(await found({ search: code.toUpperCase() })).toEqual([cid]);
    expect(await found({ search: code.slice(0, 9) })).toEqual([]);
    expect(await found({ orderby: 'name', direction: 'desc' })).toEqual([zoe, cid, bo]);
    expect(await found({ orderby: 'checked_in', direction: 'desc', per_page: 1 })).toEqual([bo]);
    expect(await found({ checked_in: false, ticket })).toEqual([zoe, cid]);
    const tonight = { start_date: '2026-11-21 20:00:00', end_date: '2026-11-21 22:00:00' };
    const next = await makeAttendee(server(), await makeSeat(server(), await makeEvent(server(), tonight), 5));
    for (const filter of ['checked_in', 'search']) {
      const query = { upcoming: true, include: [zoe, next.id].join(), [filter]: filter === 'search' ? 'test' : false };
      const ids = async (orderby: string) =>
        idsOf((await server().ask('GET admin:/attendees', { as, query: { ...query, orderby } })).body.attendees);
      expect([await ids('id'), await ids('event')]).toEqual([
        [zoe, next.id],
        [next.id, zoe],
      ]);
    }
    expect(await found({ order: made[2].order })).toEqual([cid]);
    expect(await found({ attendee_status: 'pending' })).toEqual([]);
    expect([await found({ upcoming: true, search: 'zoe' }), await found({ upcoming: false })]).toEqual([[zoe], []]);
    const [shown] = (await ask({ search: 'bo', with: 'event,order' })).body.attendees;
    expect(shown).toMatchObject({
      ticket: 'Seat',
      email: 'p1@x.test',
      checked_in: true,
      event: { title: 'Search night' },
      order: { id: made[1].order, gateway: 'manual' },
    });
    expect(shown).not.toHaveProperty('security_code');
    expect((await ask({ with: 'order' }, 'door')).status).toBe(403);
    expect((await ask({ with: 'event' }, 'door')).status).toBe(200);
    const { key } = await server().make('POST admin:/check-in-keys', { name: `One ${kind}`, event_id: own });
    const byKey = await server().ask('GET admin:/attendees', {
      headers: { 'x-api-key': key },
      query: { per_page: 100 },
    });
    expect(idsOf(byKey.body.attendees)).toEqual([zoe, bo, cid]);
    for (const wrong of [
      { orderby: 'email' },
      { with: 'all' },
      { search: ' ' },
      { event: 999_999 },
      { ticket: 999_999 },
    ])
      expect((await ask(wrong)).status).toBe(400);
  });
});

describe.each(DATABASES)('two attendees who move to the last seat on %s', (kind) => {
  /** Seats that are taken of three, by eight attendees who move there at once. */
  async function race(isGuarded: boolean): Promise<number> {
    const server = await startTestServer(kind, {}, isGuarded ? {} : { hooks: unguarded });
    try {
      const event = await makeEvent(server);
      const [from, to] = [await makeSeat(server, event, 20), await makeSeat(server, event, 3)];
      const { attendees } = await buy(
        server,
        Array.from({ length: 8 }, () => from),
      );
      const move = ({ id }: { id: number }) =>
        server.ask(`POST admin:/attendees/${id}/move`, { as: 'editor', body: { ticket_id: to } });
      await Promise.all(attendees.map(move));
      expect((await soldOf(server, from)) + (await soldOf(server, to))).toBe(8);
      return await soldOf(server, to);
    } finally {
      await server.close();
    }
  }

  it('never share it', async () => {
    expect(await race(true)).toBe(3);
  });

  it('would share it without the guard', async () => {
    expect(await race(false)).toBeGreaterThan(3);
  });
});
