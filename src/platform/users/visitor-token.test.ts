import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/server.ts';
import { ADA } from '../../../test/shopper.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';

const ATTRIBUTES = 'Path=/; Max-Age=86400; HttpOnly; SameSite=Lax';
const FRIEND = 'https://shop.example.org';

describe('the token of a visitor', () => {
  const server = useTestServer('sqlite', { corsOrigins: [FRIEND] });
  let ticketId = 0;

  beforeAll(async () => {
    const eventId = await makeEvent(server());
    ticketId = (await makeTicket(server(), eventId, { price: '0', ticket: { mode: 'own', capacity: 500 } })).id;
  });

  const write = (headers: Record<string, string> = {}, quantity = 1, query = {}) =>
    server().ask('POST tickets:/cart', {
      headers,
      query,
      body: { provider: 'tc', tickets: [{ ticket_id: ticketId, quantity }] },
    });
  const look = (headers: Record<string, string>, query = {}) => server().ask('GET tickets:/cart', { headers, query });

  /** A browser with a cart: the cookie it sends. */
  async function browser(): Promise<string> {
    const answer = await write();
    return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  }

  it('comes with a new cart, as a cookie and in a header, and only its hash is stored', async () => {
    const { headers } = await write();
    const token = headers.get('x-cart-token') ?? '';
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(headers.get('set-cookie')).toBe(`marquee-cart=${token}; ${ATTRIBUTES}`);
    const carts = await server().context.db.query.selectFrom('carts').selectAll().execute();
    expect(carts.length).toBeGreaterThan(0);
    expect(JSON.stringify(carts)).not.toContain(token);
  });

  it('opens the cart as cookie or header, and is not repeated to scripts if it came as a cookie', async () => {
    const cookie = await browser();
    const token = cookie.slice('marquee-cart='.length);
    const ways: Record<string, string>[] = [{ cookie }, { cookie: `a=b; ${cookie}; c=d` }, { 'x-cart-token': token }];
    for (const headers of ways) expect((await look(headers)).body.tickets).toHaveLength(1);
    const changed = await write({ cookie }, 2);
    expect(changed.headers.get('set-cookie')).toBe(`${cookie}; ${ATTRIBUTES}`);
    expect(changed.headers.get('x-cart-token')).toBeNull();
    const app = await write({ 'x-cart-token': token }, 3);
    expect(app.headers.get('set-cookie')).toBeNull();
    expect(app.headers.get('x-cart-token')).toBe(token);
    expect((await look({ cookie })).headers.get('set-cookie')).toBeNull();
  });

  it('is neither accepted as a parameter nor chosen by the client', async () => {
    const cookie = await browser();
    const token = cookie.slice('marquee-cart='.length);
    const names = ['marquee-cart', 'X-Cart-Token', 'cart_token', 'tec-tc-cookie'];
    const query = Object.fromEntries(names.map((name) => [name, token]));
    expect((await look({}, query)).body.tickets).toEqual([]);
    const made = await write({}, 7, query);
    expect(made.headers.get('x-cart-token')).not.toBe(token);
    expect((await look({ cookie })).body.tickets[0].quantity).toBe(1);
    for (const chosen of ['A'.repeat(43), 'short', '']) {
      const answer = await write({ 'x-cart-token': chosen });
      expect(answer.headers.get('x-cart-token')).not.toBe(chosen);
      expect((await look({ 'x-cart-token': chosen })).body.tickets).toEqual([]);
    }
  });

  it('loses its cookie at the checkout', async () => {
    const cookie = await browser();
    const body = { purchaser: ADA };
    const answer = await server().ask('POST tickets:/cart/checkout', { headers: { cookie }, body });
    expect(answer.headers.get('set-cookie')).toBe('marquee-cart=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
    expect((await look({ cookie })).body.tickets).toEqual([]);
  });

  it('keeps its cookie when the cart is emptied, and opens it again', async () => {
    const cookie = await browser();
    const emptied = await write({ cookie }, 0);
    expect(emptied.body.tickets).toEqual([]);
    expect(emptied.headers.get('set-cookie')).toBe(`${cookie}; ${ATTRIBUTES}`);
    expect((await write({ cookie }, 2)).headers.get('set-cookie')).toBe(`${cookie}; ${ATTRIBUTES}`);
    expect((await look({ cookie })).body.tickets).toMatchObject([{ quantity: 2 }]);
  });

  it('loses its cookie when the cart no longer exists', async () => {
    const { headers } = await write({ cookie: `marquee-cart=${'Z'.repeat(43)}` }, 0);
    expect(headers.get('set-cookie')).toContain('marquee-cart=; Path=/; Max-Age=0');
  });

  it.each([
    ['its own pages', { origin: 'http://localhost' }, 200],
    ['a site that is named in the settings', { origin: FRIEND }, 200],
    ['another site', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a link elsewhere', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a link of its own', { 'sec-fetch-site': 'same-origin' }, 200],
  ])('in a cookie may write from %s: %j', async (_where, headers, status) => {
    const cookie = await browser();
    expect((await write({ cookie, ...(headers as Record<string, string>) }, 4)).status).toBe(status);
    expect((await look({ cookie })).body.tickets[0].quantity).toBe(status === 200 ? 4 : 1);
    const checkout = await server().ask('POST tickets:/cart/checkout', {
      headers: { cookie, ...(headers as Record<string, string>) },
      body: { purchaser: ADA },
    });
    expect(checkout.status).toBe(status === 200 ? 201 : 403);
  });

  it('in a header works from another site, which cannot set a cookie', async () => {
    const origin = 'https://elsewhere.example';
    const { status, headers } = await write({ origin });
    expect(status).toBe(200);
    expect(headers.get('set-cookie')).toBeNull();
    const token = headers.get('x-cart-token') ?? '';
    expect((await write({ origin, 'x-cart-token': token }, 2)).body.tickets[0].quantity).toBe(2);
  });

  it('that is stale opens an empty cart and is replaced by the next write', async () => {
    const cookie = `marquee-cart=${'Z'.repeat(43)}`;
    expect(await look({ cookie })).toMatchObject({ status: 200, body: { tickets: [] } });
    expect((await write({ cookie })).headers.get('set-cookie')).not.toContain(cookie);
  });
});

describe('the cookie of a cart', () => {
  const server = useTestServer('sqlite', { url: 'https://events.example.org' });

  it('is secure under https', async () => {
    const eventId = await makeEvent(server());
    const { id } = await makeTicket(server(), eventId, { ticket: { mode: '' } });
    const body = { provider: 'tc', tickets: [{ ticket_id: id, quantity: 1 }] };
    const answer = await server().ask('POST tickets:/cart', { body });
    expect(answer.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
    expect(answer.body.checkout_url).toBe('https://events.example.org/checkout/');
  });
});
