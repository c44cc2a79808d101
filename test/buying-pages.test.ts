import { describe, expect, it } from 'vitest';
import { hiddenFields as hidden, pageVisitor } from './page-visitor.ts';
import { useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';
import { makeTicket } from './tickets.ts';

describe.each(usualDatabases)('buying on the pages on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'] });
  const visitor = () => pageVisitor((path, init) => server().request(path, init));

  const eventWithTickets = async (capacity: number, price = '10', more: object = {}) => {
    const event = await server().make('POST /events', {
      ...{ title: 'Lantern walk', start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00', ...more },
    });
    const ticket = await makeTicket(server(), event.id, { name: 'Adults', price, ticket: { mode: 'own', capacity } });
    return { event, ticket };
  };

  const take = async (capacity: number, quantity: number, price = '10') => {
    const { event, ticket } = await eventWithTickets(capacity, price);
    const who = visitor();
    const taken = await who.post('/cart/', { event: event.slug, [`ticket-${ticket.id}`]: String(quantity) });
    return { event, ticket, who, taken };
  };

  const buy = async (quantity = 2, price = '0') => {
    const { event, ticket, who } = await take(10, quantity, price);
    const page = await who.get('/checkout/');
    const form = { ...hidden(page.text), name: 'Ada Lovelace', email: 'ada@example.test' };
    const ordered = await who.post('/checkout/', form);
    return { event, ticket, who, form, ordered };
  };

  const attendeesOf = async (id: number) =>
    (await server().ask('GET tickets:/attendees', { as: 'administrator', query: { post_id: id } })).body;

  it('leads from the event to the order in three forms', async () => {
    const { event, ticket, who, taken } = await take(10, 2);
    expect([taken.status, taken.location]).toEqual([303, '/checkout/']);
    expect((await who.get(`/event/${event.slug}/`)).text).toContain(`name="ticket-${ticket.id}"`);
    const checkout = await who.get('/checkout/');
    expect(checkout.headers.get('cache-control')).toBe('private, no-store');
    expect(checkout.text).toContain(
      '<h3 dir="auto">Lantern walk</h3>\n<p class="hint">Sunday 6 December, 18:30–21:00</p>',
    );
    expect(checkout.text).toMatch(/2 × Adults/);
    expect(checkout.text).toMatch(/held for you until 12:\d\d EST/);
    const ordered = await who.post('/checkout/', {
      ...{ ...hidden(checkout.text), name: 'Ada Lovelace', email: 'ada@example.test' },
      [`guest-${ticket.id}-2`]: 'Grace Hopper',
    });
    expect([ordered.status, ordered.location]).toEqual([303, expect.stringMatching(/^\/order\/\d+\/[\w-]+\/$/)]);
    const order = await who.get(ordered.location);
    expect(order.text).toContain('Grace Hopper');
    expect(order.text).toMatch(/data-order="Lantern walk, Sunday 6 December, 18:30–21:00, Order /);
    expect(order.text).toContain('Ada Lovelace');
    expect((await attendeesOf(event.id)).total).toBe(2);
    expect((await who.get('/cart/')).text).toContain('Your cart is empty');
  });

  it('names the place of each event, or that it is online, before the order', async () => {
    const venue = { venue: 'Harbour Hall', city: 'Boston' };
    const here = await eventWithTickets(5, '10', { venue });
    const online = await eventWithTickets(5, '10', { title: 'Stream', attendance_mode: 'online' });
    const who = visitor();
    for (const { event, ticket } of [here, online])
      await who.post('/cart/', { event: event.slug, [`ticket-${ticket.id}`]: '1' });
    const { text } = await who.get('/checkout/');
    expect(text).toMatch(/18:30–21:00<br><span[^>]*>Harbour Hall, Boston</);
    expect(text).toMatch(/18:30–21:00<br><span[^>]*>Online</);
  });

  it('orders once, however often the button is pressed', async () => {
    const { event, who, form, ordered } = await buy(2, '10');
    const again = await who.post('/checkout/', form);
    expect([again.status, again.location]).toEqual([303, ordered.location]);
    expect((await attendeesOf(event.id)).total).toBe(2);
  });

  it('preserves the form and lists its errors', async () => {
    const { who } = await take(10, 1);
    const { status, text } = await who.post('/checkout/', { key: 'k', name: 'Ada "A" <b>', email: '' });
    expect(status).toBe(400);
    expect(text).toContain('href="#email"');
    expect(text).toContain('value="Ada &quot;A&quot; &lt;b&gt;"');
  });

  it('says when there are not enough places, and keeps the choice', async () => {
    const { taken, ticket } = await take(3, 5);
    expect(taken.status).toBe(409);
    expect(taken.text).toContain('role="alert"');
    expect(taken.text).toMatch(new RegExp(`name="ticket-${ticket.id}"[^>]*value="5"`));
  });

  it('sells the last ten places to ten of two hundred visitors, and no more', async () => {
    const { event, ticket } = await eventWithTickets(10);
    const buyAsOne = async (number: number) => {
      const who = visitor();
      const taken = await who.post('/cart/', { event: event.slug, [`ticket-${ticket.id}`]: '1' });
      if (taken.status !== 303) return taken.status;
      const page = await who.get('/checkout/');
      const form = { ...hidden(page.text), name: 'Ada Lovelace', email: `ada${number}@example.test` };
      // A double click.
      const pressed = await Promise.all([who.post('/checkout/', form), who.post('/checkout/', form)]);
      expect(new Set(pressed.map(({ location }) => location)).size).toBe(1);
      return pressed[0]?.location.startsWith('/order/') ? 'ordered' : pressed[0]?.status;
    };
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, number) => buyAsOne(number)));
    expect(Object.groupBy(outcomes, String)).toMatchObject({ ordered: { length: 10 }, 409: { length: 190 } });
    expect((await attendeesOf(event.id)).total).toBe(10);
  });

  it('lets one address hold no more places than the interface does', async () => {
    server().restart({ heldPerAddress: 200 });
    const { event, ticket } = await eventWithTickets(1000);
    const statuses = [];
    for (let cart = 0; cart < 12; cart += 1)
      statuses.push((await visitor().post('/cart/', { event: event.slug, [`ticket-${ticket.id}`]: '20' })).status);
    server().restart({});
    // Carts of other tests count for the same address.
    expect([statuses[0], statuses.at(-1)]).toEqual([303, 429]);
    expect(statuses.filter((status) => status === 303).length).toBeLessThanOrEqual(10);
  });

  it('changes and removes tickets in the cart', async () => {
    const { who, ticket } = await take(10, 2);
    const name = `ticket-${ticket.id}`;
    expect((await who.post('/cart/', { [name]: '4', update: '1' })).location).toBe('/cart/');
    expect((await who.get('/cart/')).text).toMatch(new RegExp(`name="${name}"[^>]*value="4"`));
    await who.post('/cart/', { [name]: '4', remove: String(ticket.id) });
    expect((await who.get('/cart/')).text).toContain('Your cart is empty');
  });

  it('accepts no form of another site, nor of a program that fills in every field', async () => {
    const { event, ticket } = await eventWithTickets(10);
    const form = { event: event.slug, [`ticket-${ticket.id}`]: '1' };
    for (const headers of [{ origin: 'https://evil.test' }, { origin: 'null' }] as const)
      expect((await visitor().post('/cart/', form, headers)).status).toBe(403);
    const { who } = await take(10, 1);
    const trapped = await who.post('/checkout/', { name: 'A', email: 'a@b.test', website_address: 'http://spam.test' });
    expect(trapped.status).toBe(400);
  });

  it.each(['a\nb: c', '€', 'k'.repeat(300), '\u0000'])(
    'orders without a fault under the made-up key %j',
    async (key) => {
      const { who } = await take(10, 1, '0');
      const ordered = await who.post('/checkout/', { key, name: 'Ada Lovelace', email: 'ada@example.test' });
      expect([ordered.status, ordered.location]).toEqual([303, expect.stringMatching(/^\/order\//)]);
    },
  );

  it.each(['0', '-1', 'x', '1%2F..%2F..%2Fcart', '1:2', '1%3Fa', '9'.repeat(20), '%00', '%E2%82%AC'])(
    'finds no order and no ticket under the id %s',
    async (id) => {
      const who = visitor();
      for (const path of [`/order/${id}/token/`, `/order/${id}/token/cancel/`, `/ticket/${id}/code/`])
        for (const answer of [await who.get(path), await who.post(path, { full_name: 'A' })])
          expect([path, answer.status]).toEqual([path, 404]);
      expect((await who.post(`/ticket/${id}/code/transfer/`, { full_name: 'A', email: 'a@b.test' })).status).toBe(404);
    },
  );

  it.each(['token%0A', '%E2%82%AC', '%00', 'x'.repeat(3000)])('responds with 404 to the secret %s', async (secret) => {
    const who = visitor();
    for (const path of [`/order/1/${secret}/`, `/order/1/${secret}/cancel/`, `/ticket/1/${secret}/`])
      for (const answer of [await who.get(path), await who.post(path, { full_name: 'A' })])
        expect([path, answer.status]).toEqual([path, 404]);
  });

  it('shows an order only with its link', async () => {
    const { ordered } = await buy();
    const [, , id, token = ''] = ordered.location.split('/');
    expect((await visitor().get(ordered.location)).status).toBe(200);
    for (const wrong of [`${token.slice(0, -1)}_`, 'x', '..', encodeURIComponent('a/b')])
      expect((await visitor().get(`/order/${id}/${wrong}/`)).status).toBe(404);
    const { headers } = await visitor().get(ordered.location);
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
      'same-origin',
      'private, no-store',
    ]);
  });

  it('leads to the same page in the other languages, but not from the response to a form', async () => {
    const { who, ordered } = await buy(1);
    const order = await who.get(ordered.location);
    const [, ticket = ''] = /href="(\/ticket\/\d+\/\w+\/)"/.exec(order.text) ?? [];
    for (const path of ['/cart/', ordered.location, `${ordered.location}cancel/`, ticket]) {
      expect([path, (await who.get(path)).text]).toEqual([path, expect.stringContaining(`href="/fr${path}"`)]);
      expect((await who.get(`/fr${path}`)).text).toContain('<html lang="fr">');
    }
    const { who: other } = await take(10, 1);
    expect((await other.get('/checkout/')).text).toContain('href="/fr/checkout/"');
    expect((await other.post('/checkout/', { key: 'k', name: '', email: '' })).text).not.toContain('class="languages"');
  });

  it('gives places back by a page of its own, which a link alone cannot do', async () => {
    const { event, who, ordered } = await buy();
    const asked = await who.get(`${ordered.location}cancel/`);
    expect(asked.text).toContain('Give back 2 places');
    expect((await attendeesOf(event.id)).total).toBe(2);
    expect((await who.post(`${ordered.location}cancel/`, {})).location).toBe(ordered.location);
    expect((await attendeesOf(event.id)).total).toBe(0);
  });

  it('opens a ticket by its link: names change, and its new holder has a new link', async () => {
    const { who, ordered } = await buy(1);
    const { text } = await who.get(ordered.location);
    const [, ticket = ''] = /href="(\/ticket\/\d+\/\w+\/)"/.exec(text) ?? [];
    const page = await visitor().get(ticket);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect((await visitor().get(`${ticket}code.png`)).headers.get('content-type')).toBe('image/png');
    expect((await who.post(ticket, { full_name: 'Ada King' })).location).toBe(ticket);
    expect((await visitor().get(ticket)).text).toContain('Ada King');
    const given = await who.post(`${ticket}transfer/`, { full_name: 'Grace Hopper', email: 'grace@example.test' });
    const [, fresh = ''] = /href="(\/ticket\/\d+\/\w+\/)"/.exec(given.text) ?? [];
    expect(fresh).not.toBe(ticket);
    expect([(await visitor().get(ticket)).status, (await visitor().get(fresh)).status]).toEqual([410, 200]);
  });

  it('asks for the password of an event once, and again when it has changed', async () => {
    const { event } = await eventWithTickets(10, '10', { post_password: 'sesame' });
    const path = `/event/${event.slug}/`;
    const who = visitor();
    const locked = await who.get(path);
    expect(locked.text).not.toContain('Adults');
    expect(locked.text).toContain('type="password"');
    expect((await who.post(path, { password: 'wrong' })).status).toBe(400);
    const opened = await who.post(path, { password: 'sesame' });
    expect([opened.status, opened.location]).toEqual([303, path]);
    expect(opened.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
    expect(opened.headers.get('set-cookie')).not.toContain('sesame');
    const shown = await who.get(path);
    expect([shown.text.includes('Adults'), shown.headers.get('cache-control')]).toEqual([true, 'private, no-store']);
    await server().make(`PATCH /events/${event.id}`, { post_password: 'changed' });
    expect((await who.get(path)).text).toContain('type="password"');
    expect((await visitor().get(path)).text).toContain('type="password"');
  });
});
