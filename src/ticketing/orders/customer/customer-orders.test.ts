import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeSeat, soldOf } from '../../../../test/attendees.ts';
import { buy } from '../../../../test/buyers.ts';
import { DATABASES, NOON, useTestServer } from '../../../../test/server.ts';
import { ADA, shopperOf, wait } from '../../../../test/shopper.ts';
import type { StatementHooks } from '../../../../test/statements.ts';
import { makeEvent } from '../../../../test/tickets.ts';
import { expireUnpaid } from '../../../jobs/expire-unpaid.ts';
import { findWrongCounters } from '../../../jobs/recount.ts';
import { findBookErrors } from '../../books/check-books.ts';

const PAYMENT_WAYS = [
  { id: 'box-office', name: 'At the box office', text: 'Pay in cash.', hold_hours: 10 },
  { id: 'transfer', text: 'To account 12.', hold_hours: 168 },
  { id: 'invoice', name: 'By invoice', hold_hours: 0 },
];

describe.each(DATABASES)('customers on %s', (kind) => {
  const server = useTestServer(kind);
  const ids = { priced: 0, free: 0 };
  beforeAll(async () => {
    const event = await makeEvent(server());
    ids.priced = await makeSeat(server(), event, 1000, { price: '10' });
    ids.free = await makeSeat(server(), event, 1000, { price: '0' });
  });
  const settle = (settings: object) => server().make('PATCH admin:/site', settings);
  beforeEach(async () => {
    server().clock.now = NOON;
    // A way that is named again keeps what is not sent.
    await settle({ payment_ways: [] });
  });

  const act = (call: string, headers: Record<string, string>, body?: unknown) =>
    server().ask(call.replace(/^(\w+) /, '$1 tickets:'), { headers, body: body ?? {} });
  const cancel = ({ id, headers }: { id: number; headers: Record<string, string> }) =>
    act(`POST /orders/${id}/cancel`, headers);
  const become = (id: number, status: string) => server().make(`PATCH admin:/orders/${id}`, { status }, 'editor');
  const checkIn = (id: number | undefined) =>
    server().ask(`PATCH tickets:/attendees/${id}`, { as: 'editor', body: { check_in: true } });

  it('change names and e-mail addresses of their order, all or nothing', async () => {
    const order = await buy(server(), [ids.free, ids.free]);
    const [first, second] = order.attendees.map(({ id }) => id);
    const changed = await act(`PATCH /orders/${order.id}`, order.headers, {
      purchaser: { name: 'Ada <b>Byron</b>' },
      attendees: [
        { id: second, full_name: 'Mary Somerville', optout: true },
        { id: first, email: 'byron@party.test' },
      ],
    });
    expect(changed).toMatchObject({
      status: 200,
      body: {
        purchaser: { name: 'Ada Byron', email: ADA.email },
        attendees: [
          { full_name: ADA.name, email: 'byron@party.test', optout: false },
          { full_name: 'Mary Somerville', email: ADA.email, optout: true },
        ],
      },
    });
    const foreign = (await buy(server(), [ids.free])).attendees[0]?.id;
    for (const wrong of [
      { attendees: [{ id: foreign, full_name: 'Eve' }] },
      { attendees: [{ id: first, full_name: ' ' }] },
      { attendees: [{ id: first, email: 'no address' }] },
      { attendees: [{ full_name: 'Nobody' }] },
      { attendees: 'all' },
      { purchaser: { email: 'no address' } },
      { purchaser: 'Ada' },
    ]) {
      const body = { purchaser: { name: 'Eve' }, attendees: [{ id: first, full_name: 'Eve' }], ...wrong };
      expect((await act(`PATCH /orders/${order.id}`, order.headers, body)).status).toBe(400);
    }
    const read = await server().ask(`GET admin:/orders/${order.id}`, { as: 'editor' });
    expect(read.body.purchaser).toMatchObject({ name: 'Ada Byron' });
    expect(read.body.attendees.map(({ name }: { name: string }) => name)).toEqual([ADA.name, 'Mary Somerville']);
    const found = await server().ask('GET admin:/orders', { as: 'editor', query: { search: 'byron' } });
    expect(found.body.orders.map(({ id }: { id: number }) => id)).toEqual([order.id]);
  });

  it('do not prolong an unpaid order by a change of its names', async () => {
    await settle({ payment_ways: [] });
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: ids.priced, quantity: 1 }]);
    const { id, token } = (await shopper.checkout({}, { as: 'subscriber' })).body.order;
    wait(server(), 1439);
    await act(`PATCH /orders/${id}`, { 'x-order-token': token }, { purchaser: { name: 'Bo' } });
    wait(server(), 1);
    await expireUnpaid(server().context);
    expect((await server().ask(`GET admin:/orders/${id}`, { as: 'editor' })).body.status).toBe('not-completed');
  });

  it.each([
    ['a week, for an event far ahead', { hours: 30 * 24, pays: 7 * 24, keeps: 8 * 24 }],
    ['until the start, in the days that banks take', { hours: 7 * 24 + 6, pays: 7 * 24, keeps: 7 * 24 + 6 }],
    ['until the start of an event tomorrow', { hours: 26, pays: 26, keeps: 26 }],
    ['half an hour, for an event about to begin', { hours: 0.25, pays: 0.5, keeps: 0.5 }],
    ['until the start, in the hours of their method', { hours: 26, pays: 26, keeps: 26, hold: 72 }],
    ['for the hours of their method', { hours: 100, pays: 72, keeps: 72, hold: 72 }],
  ])(
    'have %s to pay by transfer',
    async (_name, {
      hours,
      pays,
      keeps,
      hold = null,
    }: { hours: number; pays: number; keeps: number; hold?: number | null }) => {
      await settle({ payment_ways: [{ id: 'transfer', gateway: 'transfer', hold_hours: hold }] });
      const at = (later: number) =>
        new Date(NOON.getTime() + later * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
      const event = await makeEvent(server(), {
        ...{ timezone: 'UTC', start_date: at(hours), end_date: at(hours + 3) },
      });
      const order = await buy(server(), [await makeSeat(server(), event, 10, { price: '10' })]);
      const read = await server().ask(`GET tickets:/orders/${order.id}`, { headers: order.headers });
      const kept = await server().ask(`GET admin:/orders/${order.id}`, { as: 'editor' });
      expect([read.body.expires_utc, kept.body.expires_utc]).toEqual([at(pays), at(keeps)]);
    },
  );

  it('cancel an unpaid order whatever the rule, and once however often they ask', async () => {
    await settle({ cancellation: { rule: 'never' } });
    const before = await soldOf(server(), ids.priced);
    const order = await buy(server(), [ids.priced, ids.priced]);
    const answers = await Promise.all([cancel(order), cancel(order), cancel(order)]);
    expect(answers.map(({ status, body }) => [status, body.status, body.may_cancel])).toEqual(
      answers.map(() => [200, 'voided', false]),
    );
    expect((await cancel(order)).status).toBe(200);
    expect(await soldOf(server(), ids.priced)).toBe(before);
    const { log } = (await server().ask(`GET admin:/orders/${order.id}`, { as: 'editor' })).body;
    expect(log.map(({ to }: { to: string }) => to)).toEqual(['created', 'pending', 'voided']);
  });

  it.each([
    [{ rule: 'free' }, 'free', -1, 'voided'],
    [{ rule: 'free' }, 'free', 0, 'too-late'],
    [{ rule: 'free' }, 'priced', -1, 'not-free'],
    [{ rule: 'never' }, 'free', -1, 'rule'],
    [{ rule: 'until', hours_before: 48 }, 'priced', -49, 'voided'],
    [{ rule: 'until', hours_before: 48 }, 'priced', -48, 'too-late'],
  ] as const)('by the rule %j, a completed %s order %i hours after the event began: %s', async (...situation) => {
    const [cancellation, ticket, hours, outcome] = situation;
    await settle({ cancellation });
    const order = await buy(server(), [ids[ticket]]);
    if (ticket === 'priced') await become(order.id, 'completed');
    server().clock.now = new Date(Date.parse('2027-03-06T23:30:00Z') + hours * 3_600_000);
    const shown = await server().ask(`GET tickets:/orders/${order.id}`, { headers: order.headers });
    const { status, body } = await cancel(order);
    expect([status, body.data?.reason ?? body.status]).toEqual([outcome === 'voided' ? 200 : 409, outcome]);
    expect(shown.body.may_cancel).toBe(outcome === 'voided');
  });

  it('cannot cancel a denied order, nor one with an attendee who is checked in, and a refunded one only in vain', async () => {
    await settle({ cancellation: { rule: 'free' } });
    const refunded = await buy(server(), [ids.priced]);
    await become(refunded.id, 'refunded');
    expect(await cancel(refunded)).toMatchObject({ status: 200, body: { status: 'refunded' } });
    const denied = await buy(server(), [ids.priced]);
    await become(denied.id, 'denied');
    expect((await cancel(denied)).body).toMatchObject({ code: 'order-not-cancellable', data: { reason: 'status' } });
    const used = await buy(server(), [ids.free, ids.free]);
    await checkIn(used.attendees[1]?.id);
    expect((await cancel(used)).body.data.reason).toBe('checked-in');
    // Before the rule of the site, which would refuse too.
    await settle({ cancellation: { rule: 'never' } });
    expect((await cancel(used)).body.data.reason).toBe('checked-in');
  });

  it('are offered the cancellation of an order only until the first of its holders is checked in', async () => {
    await settle({ cancellation: { rule: 'free' } });
    const order = await buy(server(), [ids.free, ids.free]);
    const path = `/order/${order.id}/${order.token}/`;
    const offers = async () => {
      const { body } = await server().ask(`GET tickets:/orders/${order.id}`, { headers: order.headers });
      const [page, question] = await Promise.all([path, `${path}cancel/`].map((one) => server().request(one)));
      return [
        body.may_cancel,
        (await page?.text())?.includes(`"${path}cancel/"`),
        (await question?.text())?.includes('<button class="bad"'),
      ];
    };
    expect(await offers()).toEqual([true, true, true]);
    await checkIn(order.attendees[1]?.id);
    expect(await offers()).toEqual([false, false, false]);
    const refusal = await (await server().request(`${path}cancel/`)).text();
    expect(refusal).toContain('one of its tickets has been used');
  });

  it('may not cancel a used order by the rule of the site, as staff see beforehand', async () => {
    await settle({ cancellation: { rule: 'until', hours_before: 48 } });
    const order = await buy(server(), [ids.priced]);
    await become(order.id, 'completed');
    const notices = async () => {
      const body = { status: 'voided', dry_run: true };
      return (await server().make(`PATCH admin:/orders/${order.id}`, body)).changes.notices.join(' ');
    };
    expect(await notices()).toContain('the customer may still cancel');
    await checkIn(order.attendees[0]?.id);
    expect(await notices()).toContain('the customer may not cancel');
  });

  it('either cancel an order or have its holder checked in, never both', async () => {
    await settle({ cancellation: { rule: 'free' } });
    const seat = await makeSeat(server(), await makeEvent(server()), 100, { price: '0' });
    let sold = 0;
    for (let round = 0; round < 12; round += 1) {
      const order = await buy(server(), [seat, seat]);
      const [cancelled, entered] = await Promise.all([cancel(order), checkIn(order.attendees[round % 2]?.id)]);
      expect([
        [200, 400],
        [409, 201],
      ]).toContainEqual([cancelled.status, entered.status]);
      if (cancelled.status === 409) sold += 2;
      expect(await soldOf(server(), seat)).toBe(sold);
    }
    expect(await findWrongCounters(server().context.db)).toEqual([]);
    expect(await findBookErrors(server().context.db)).toEqual([]);
  });

  it('choose a payment method, which may keep their seats for a time of its own', async () => {
    await settle({ payment_ways: PAYMENT_WAYS });
    const chosen = await buy(server(), [ids.priced], { payment: 'box-office' });
    const { body } = await server().ask(`GET tickets:/orders/${chosen.id}`, { headers: chosen.headers });
    expect(body).toMatchObject({
      status: 'pending',
      payment: { id: 'box-office', name: 'At the box office', text: 'Pay in cash.', reference: null },
      expires_utc: '2026-11-22 03:00:00',
    });
    const read = async (id: number) => (await server().ask(`GET admin:/orders/${id}`, { as: 'editor' })).body;
    expect((await read(chosen.id)).gateway).toBe('box-office');
    const none = await buy(server(), [ids.priced]);
    expect(await read(none.id)).toMatchObject({ gateway: 'manual', expires_utc: '2026-11-21 17:30:00' });
    const forever = await buy(server(), [ids.priced], { payment: 'invoice' });
    expect(await read(forever.id)).toMatchObject({ gateway: 'invoice', expires_utc: null });
    const free = await buy(server(), [ids.free], { payment: 'transfer' });
    expect(await read(free.id)).toMatchObject({ gateway: 'free', status: 'completed' });
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: ids.priced, quantity: 1 }]);
    expect((await shopper.checkout({ payment: 'card' })).body.data.params.payment).toContain('box-office');
    const known = await shopper.checkout({ payment: 'transfer' }, { as: 'subscriber' });
    expect(await read(known.body.order.id)).toMatchObject({ gateway: 'transfer', expires_utc: '2026-11-28 17:00:00' });
  });

  it.each([
    [
      'the only way that the site names',
      [PAYMENT_WAYS[1]],
      { gateway: 'transfer', expires_utc: '2026-11-28 17:00:00' },
    ],
    ['one at the door', [{ id: 'door' }], { gateway: 'door', expires_utc: '2027-03-07 02:00:00' }],
    [
      'one at the door two hours before the start',
      [{ id: 'door', hold_hours: 2 }],
      { gateway: 'door', expires_utc: '2027-03-06 21:30:00' },
    ],
    [
      'one without a time of its own',
      [{ id: 'transfer' }],
      { gateway: 'transfer', expires_utc: '2026-11-21 17:30:00' },
    ],
    ['no way', [], { gateway: 'manual', expires_utc: '2026-11-21 17:30:00' }],
  ])('pay in %s', async (_way, payment_ways, expected) => {
    await settle({ payment_ways });
    const order = await buy(server(), [ids.priced]);
    expect((await server().ask(`GET admin:/orders/${order.id}`, { as: 'editor' })).body).toMatchObject(expected);
  });

  it('pay at the door of the last of several events, even after it has ended', async () => {
    await settle({ payment_ways: [{ id: 'door' }] });
    const over = { start_date: '2026-11-20 18:00:00', end_date: '2026-11-20 20:00:00' };
    const past = await makeSeat(server(), await makeEvent(server(), over), 5, { price: '10', end_date: '2027-01-01' });
    for (const [tickets, expected] of [
      [[past], '2026-11-21 17:30:00'],
      [[past, ids.priced], '2027-03-07 02:00:00'],
    ] as const) {
      const { id } = await buy(server(), tickets);
      const { body } = await server().ask(`GET admin:/orders/${id}`, { as: 'editor' });
      expect(body.expires_utc).toBe(expected);
    }
  });
});

describe.each(DATABASES)('a cancellation beside a check-in on %s', (kind) => {
  const hooks: StatementHooks = {};
  const server = useTestServer(kind, {}, { hooks });

  it('is refused for a check-in after its look-up, and returns no seat', async () => {
    const { ask, make, context } = server();
    await make('PATCH admin:/site', { cancellation: { rule: 'free' } });
    const seat = await makeSeat(server(), await makeEvent(server()), 5, { price: '0' });
    const { id, headers, attendees } = await buy(server(), [seat, seat]);
    hooks.committed = async (statement) => {
      if (!/^select .* from "attendees"/.test(statement)) return;
      hooks.committed = undefined;
      await make(`PATCH tickets:/attendees/${attendees[0]?.id}`, { check_in: true }, 'editor');
    };
    expect(await ask(`POST tickets:/orders/${id}/cancel`, { headers, body: {} })).toMatchObject({
      status: 409,
      body: { code: 'order-not-cancellable', data: { reason: 'checked-in' } },
    });
    expect(await soldOf(server(), seat)).toBe(2);
    expect(await findWrongCounters(context.db)).toEqual([]);
    expect(await findBookErrors(context.db)).toEqual([]);
  });
});
