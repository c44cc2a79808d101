import { beforeEach, describe, expect, it } from 'vitest';
import { makeSeat } from '../../../test/attendees.ts';
import { type Answer, DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { wait } from '../../../test/shopper.ts';
import { makeEvent } from '../../../test/tickets.ts';
import { visitorAt } from '../../../test/visitor.ts';
import { expireUnpaid } from '../../jobs/expire-unpaid.ts';
import { findWrongCounters } from '../../jobs/recount.ts';
import { sweepCarts } from '../../jobs/remove-expired.ts';

const LIMITS = {
  heldPerAddress: 20,
  keptPerAddress: 8,
  cartsPerAddress: 3,
  openOrders: { perAddress: 2, perEmail: 1 },
};

describe.each(DATABASES)('limits on seats on %s', (kind) => {
  const server = useTestServer(kind, LIMITS);
  let event: number;
  let hall: number;
  let hosts = 0;
  let home: string;
  beforeEach(async () => {
    server().clock.now = NOON;
    event = await makeEvent(server());
    hall = await makeSeat(server(), event, 60, { price: '5', max_per_order: 0 });
    home = `198.51.100.${++hosts}`;
    await server().make('PATCH admin:/site', { payment_ways: [] });
  });

  const codeOf = ({ status, body }: Answer) => (status < 300 ? status : body.code);
  const later = async (minutes: number, work: () => Promise<unknown>) => {
    const { clock, context } = server();
    const before = clock.now;
    clock.now = new Date(before.getTime() + minutes * 60_000);
    await sweepCarts(context);
    await expireUnpaid(context);
    await work();
    clock.now = before;
  };

  it('apply to an address across carts, prefixes and headers', async () => {
    const first = visitorAt(server(), home);
    expect(codeOf(await first.put(hall, 15))).toBe(200);
    const forged = { headers: { 'x-forwarded-for': '192.0.2.9', 'x-real-ip': '192.0.2.9' } };
    const second = visitorAt(server(), home, { prefix: '/wp-json/tribe', ...forged });
    const refused = await second.put(hall, 6);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-places-held', data: { available: 5 } } });
    expect(refused.headers.get('retry-after')).toBe('900');
    expect(codeOf(await second.put(hall, 5))).toBe(200);
    expect(codeOf(await first.put(hall, 16))).toBe('too-many-places-held');
    expect(codeOf(await first.put(hall, 14))).toBe(200);
    expect(codeOf(await second.put(hall, 6))).toBe(200);
    expect(codeOf(await visitorAt(server(), `198.51.101.${hosts}`).put(hall, 20))).toBe(200);
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('give way to a 409 for seats that do not exist', async () => {
    const visitor = visitorAt(server(), home);
    expect(codeOf(await visitor.put(hall, 61))).toBe('ticket-capacity-not-available');
    expect(codeOf(await visitor.put(hall, 10))).toBe(200);
    expect(codeOf(await visitor.put(hall, 61))).toBe('ticket-capacity-not-available');
    expect(codeOf(await visitor.put(hall, 60))).toBe('too-many-places-held');
  });

  it('count a cart with all its seats for the address where it last grew', async () => {
    const other = `2001:db8:${hosts.toString(16)}::1`;
    const here = visitorAt(server(), home);
    const there = visitorAt(server(), other);
    await here.put(hall, 15);
    await visitorAt(server(), `2001:db8:${hosts.toString(16)}::2`).put(hall, 10);
    there.use(here.token);
    expect(codeOf(await there.put(hall, 16))).toBe('too-many-places-held');
    expect(codeOf(await there.put(hall, 14))).toBe(200);
    expect(codeOf(await visitorAt(server(), home).put(hall, 7))).toBe('too-many-places-held');
    await there.put(hall, 9);
    expect(codeOf(await there.put(hall, 10))).toBe(200);
    expect(codeOf(await visitorAt(server(), home).put(hall, 20))).toBe(200);
  });

  it('restrict the open carts of an address until they expire', async () => {
    for (let index = 0; index < 3; index += 1) expect(codeOf(await visitorAt(server(), home).put(hall, 1))).toBe(200);
    const refused = await visitorAt(server(), home).put(hall, 1);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-carts' } });
    expect(Number(refused.headers.get('retry-after'))).toBe(900);
    await later(15, async () => {
      expect(codeOf(await visitorAt(server(), home).put(hall, 20))).toBe(200);
      const left = server().context.db.query.selectFrom('carts').select('id').where('network', '=', home);
      expect(await left.execute()).toHaveLength(1);
    });
  });

  it('count unpaid orders too, and restrict them by address and by mailbox', async () => {
    const visitor = visitorAt(server(), home);
    await visitor.put(hall, 12);
    expect(codeOf(await visitor.buy('one@example.test'))).toBe(201);
    expect(codeOf(await visitor.put(hall, 9))).toBe('too-many-places-held');
    await visitor.put(hall, 2);
    for (const spelling of ['One@Example.test', 'one+2@example.test']) {
      const token = visitor.token;
      const refused = await visitor.buy(spelling);
      expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-open-orders' } });
      expect(refused.headers.get('retry-after')).toBe('1800');
      visitor.use(token);
    }
    const abroad = visitorAt(server(), `198.51.102.${hosts}`);
    abroad.use(visitor.token);
    expect(codeOf(await abroad.buy('two@example.test'))).toBe(201);
    await visitor.put(hall, 1);
    expect(codeOf(await visitor.buy('three@example.test'))).toBe('too-many-open-orders');
    await abroad.put(hall, 1);
    expect(codeOf(await abroad.buy('three@example.test'))).toBe(201);
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('count places that a checkout takes again after their hold has expired', async () => {
    const [late, other] = [visitorAt(server(), home), visitorAt(server(), home)];
    await late.put(hall, 12);
    const { token } = late;
    wait(server(), 16);
    expect(codeOf(await other.put(hall, 15))).toBe(200);
    const refused = await late.buy();
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-places-held', data: { available: 5 } } });
    expect(codeOf(await other.put(hall, 8))).toBe(200);
    late.use(token);
    expect(codeOf(await late.buy(`late@again${hosts}.test`))).toBe(201);
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('expire unpaid orders of visitors after half an hour, unless staff extend them', async () => {
    const { ask, context } = server();
    const buy = async (places: number) => {
      const visitor = visitorAt(server(), home);
      await visitor.put(hall, places);
      return (await visitor.buy(`buyer${places}@staying${hosts}.test`)).body.order.id as number;
    };
    const [lost, kept] = [await buy(2), await buy(3)];
    const read = async (id: number) => (await ask(`GET admin:/orders/${id}`, { as: 'editor' })).body;
    const change = (id: number, body: object) => ask(`PATCH admin:/orders/${id}`, { as: 'editor', body });
    expect((await read(lost)).expires_utc).toBe('2026-11-21 17:30:00');
    expect((await change(kept, { expires_utc: '2026-11-22T10:00:00+01:00' })).body.expires_utc).toBe(
      '2026-11-22 09:00:00',
    );
    const report = (await ask(`GET admin:/tickets/${hall}/availability`, { as: 'editor' })).body;
    expect(report).toMatchObject({
      available: 55,
      sold: {
        total: 5,
        by_order: [
          { order_id: lost, status: 'pending', places: 2, until: '2026-11-21 17:30:00' },
          { order_id: kept, status: 'pending', places: 3, until: '2026-11-22 09:00:00' },
        ],
      },
    });
    expect(codeOf(await change(kept, {}))).toBe('rest_missing_callback_param');
    expect(codeOf(await change(kept, { expires_utc: '2020-01-01' }))).toBe('rest_invalid_param');
    expect(codeOf(await change(kept, { expires_utc: null, status: 'completed' }))).toBe('rest_invalid_param');
    await later(30, async () => {
      expect((await read(lost)).status).toBe('not-completed');
      expect(codeOf(await change(lost, { expires_utc: null }))).toBe('rest_invalid_param');
      expect((await change(lost, { status: 'pending', expires_utc: null })).body.expires_utc).toBeNull();
      expect((await change(lost, { status: 'pending', expires_utc: '2027-01-01' })).body.expires_utc).toBe(
        '2027-01-01 00:00:00',
      );
      expect((await change(kept, { expires_utc: null })).body.expires_utc).toBeNull();
    });
    await later(60 * 24 * 365, async () => expect((await read(kept)).status).toBe('pending'));
    const stored = context.db.query
      .selectFrom('orders')
      .select(['network', 'email_key'])
      .where('id', 'in', [lost, kept]);
    expect(await stored.execute()).toEqual(Array(2).fill({ network: '', email_key: '' }));
  });

  it('restrict the seats that visitors keep unpaid for a long time', async () => {
    await server().make('PATCH admin:/site', { payment_ways: [{ id: 'door' }] });
    const order = async (places: number, email: string, from = home) => {
      const visitor = visitorAt(server(), from);
      await visitor.put(hall, places);
      return visitor.buy(`${email}@keeping${hosts}.test`);
    };
    expect(codeOf(await order(9, 'all'))).toBe('too-many-places-held');
    const { body } = await order(5, 'some');
    const refused = await order(4, 'more');
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-places-held', data: { available: 3 } } });
    expect(refused.headers.get('retry-after')).toBe(
      String((Date.UTC(2027, 2, 7, 2) - Date.UTC(2026, 10, 21, 17)) / 1000),
    );
    expect(codeOf(await order(4, 'elsewhere', `198.51.103.${hosts}`))).toBe(201);
    await server().make(`PATCH admin:/orders/${body.order.id}`, { status: 'completed' }, 'editor');
    expect(codeOf(await order(7, 'again'))).toBe(201);
    await server().make('PATCH admin:/site', { payment_ways: [{ id: 'transfer', hold_hours: 72 }] });
    const proxied = visitorAt(server(), `10.2.0.${hosts}`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    await proxied.put(hall, 9);
    expect(codeOf(await proxied.buy('proxied@example.test'))).toBe('too-many-places-held');
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });

  it('count the places of orders that never expire as kept', async () => {
    await server().make('PATCH admin:/site', { payment_ways: [{ id: 'transfer', hold_hours: 0 }] });
    const order = async (places: number, email: string) => {
      const visitor = visitorAt(server(), home);
      await visitor.put(hall, places);
      return visitor.buy(`${email}@never${hosts}.test`);
    };
    expect(codeOf(await order(9, 'all'))).toBe('too-many-places-held');
    expect(codeOf(await order(6, 'some'))).toBe(201);
    const refused = await order(3, 'more');
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-places-held', data: { available: 2 } } });
    expect(codeOf(await order(2, 'rest'))).toBe(201);
  });

  it('do not apply to accounts, whose orders expire as the settings say', async () => {
    const member = visitorAt(server(), home, { as: 'subscriber' });
    await member.put(hall, 30);
    const { body } = await member.buy();
    const order = (await server().ask(`GET admin:/orders/${body.order.id}`, { as: 'editor' })).body;
    expect(order.expires_utc).toBe('2026-11-22 17:00:00');
    await member.put(hall, 25);
    expect(codeOf(await member.buy())).toBe(201);
  });

  it('apply to each cart alone behind an undeclared proxy', async () => {
    const proxy = (client: string) =>
      visitorAt(server(), `10.1.0.${hosts}`, { headers: { 'x-forwarded-for': client } });
    expect(codeOf(await proxy('192.0.2.1').put(hall, 15))).toBe(200);
    expect(codeOf(await proxy('192.0.2.2').put(hall, 20))).toBe(200);
    expect(codeOf(await proxy('192.0.2.3').put(hall, 21))).toBe('too-many-places-held');
  });

  it('hold for concurrent carts', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => visitorAt(server(), `2001:db8:ff${hosts}::${index + 1}`).put(hall, 9)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await findWrongCounters(server().context.db)).toEqual([]);
  });
});

describe('the rate limit for changes of carts', () => {
  const server = useTestServer('sqlite', { cartRate: { writes: 3, checkouts: 1 } });

  it('applies to visitors and tells them how many changes are left', async () => {
    const seat = await makeSeat(server(), await makeEvent(server()), 50);
    const visitor = visitorAt(server(), '198.51.100.1');
    for (const left of ['2', '1', '0']) {
      const { headers } = await visitor.put(seat, 1);
      expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['3', left]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    const refused = await visitor.put(seat, 1);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-requests' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await visitorAt(server(), '198.51.100.1', { as: 'subscriber' }).put(seat, 1)).status).toBe(200);
    expect((await visitor.buy()).status).toBe(201);
    expect((await visitor.buy()).body.code).toBe('too-many-requests');
  });
});
