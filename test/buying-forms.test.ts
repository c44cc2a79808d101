import { hash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { hiddenFields, pageVisitor } from './page-visitor.ts';
import { NOON, useTestServer } from './server.ts';
import { shopperOf, wait } from './shopper.ts';
import { usualDatabases } from './thoroughness.ts';
import { editTicket, makeTicket } from './tickets.ts';

const HOLD = 15;
const TICKET = /href="(\/ticket\/\d+\/\w+\/)"/;

describe.each(usualDatabases)('the forms of customers and holders on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr', 'de'] });
  const visitor = () => pageVisitor((path, init) => server().request(path, init));

  const makeEvent = (more: object = {}) =>
    server().make('POST /events', {
      ...{ title: 'Lantern walk', start_date: '2026-12-06 18:30:00', end_date: '2026-12-06 21:00:00', ...more },
    });
  const seats = (event: { id: number }, capacity: number, more: object = {}) =>
    makeTicket(server(), event.id, { name: 'Adults', price: '10', ticket: { mode: 'own', capacity }, ...more });

  /** A visitor with places in the cart. */
  const take = async (quantity: number, { capacity = 10, price = '10' } = {}) => {
    server().clock.now = NOON;
    const event = await makeEvent();
    const ticket = await seats(event, capacity, { price });
    const who = visitor();
    const { status } = await who.post('/cart/', { event: event.slug, [`ticket-${ticket.id}`]: String(quantity) });
    expect(status).toBe(303);
    return { event, ticket, who };
  };
  const buy = async (quantity: number, price = '0') => {
    const { event, ticket, who } = await take(quantity, { price });
    const form = { ...hiddenFields((await who.get('/checkout/')).text), name: 'Ada', email: 'ada@example.test' };
    const { location } = await who.post('/checkout/', form);
    const [, path = ''] = TICKET.exec((await who.get(location)).text) ?? [];
    return { event, ticket, who, form, order: location, path };
  };
  const attendeesOf = async ({ id }: { id: number }) =>
    (await server().ask('GET tickets:/attendees', { as: 'administrator', query: { post_id: id } })).body;
  const stockOf = async ({ id }: { id: number }) =>
    (await server().ask(`GET tickets:/tickets/${id}`, { as: 'administrator' })).body.capacity_details;
  const inputOf = (text: string, name: string) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text)?.[0];
  const settle = (settings: object) => server().make('PATCH admin:/site', settings);

  describe('a cart', () => {
    it('is offered again after it expires, and can be restored', async () => {
      const { ticket, who } = await take(2);
      wait(server(), HOLD);
      const over = await who.get('/cart/');
      expect(over.text).toContain('Your reservation has expired');
      expect(over.text).toContain('2 × Adults');
      const back = await who.post('/cart/', { ...hiddenFields(over.text), next: 'checkout' });
      expect([back.status, back.location]).toEqual([303, '/checkout/']);
      expect((await stockOf(ticket)).pending).toBe(2);
    });

    it('of which others took a part says how many places are left, and takes these', async () => {
      const { ticket, who } = await take(2, { capacity: 3 });
      wait(server(), HOLD);
      await shopperOf(server()).put([{ ticket_id: ticket.id, quantity: 2 }]);
      const refused = await who.post('/cart/', { [`ticket-${ticket.id}`]: '2' });
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('others have taken some of these places');
      expect(refused.text).toContain('1 of 2 still available');
      await who.post('/cart/', hiddenFields(refused.text));
      expect((await who.get('/cart/')).text).toMatch(new RegExp(`name="ticket-${ticket.id}"[^>]*value="1"`));
    });

    it('that is sold out meanwhile leads to the events', async () => {
      const { ticket, who } = await take(2, { capacity: 2 });
      wait(server(), HOLD);
      await shopperOf(server()).put([{ ticket_id: ticket.id, quantity: 2 }]);
      const { text } = await who.get('/cart/');
      expect(text).toContain('Sold out');
      expect(text).not.toContain('<form method="post"');
    });

    it('can be held longer, and preserves a refused change', async () => {
      const { ticket, who } = await take(2, { capacity: 5 });
      wait(server(), HOLD - 1);
      await who.post('/cart/', { [`ticket-${ticket.id}`]: '3', update: '1' });
      wait(server(), HOLD - 1);
      const kept = await who.get('/cart/');
      expect(kept.text).toContain('data-seconds="60"');
      const refused = await who.post('/cart/', { [`ticket-${ticket.id}`]: '6', next: 'checkout' });
      expect(refused.status).toBe(409);
      expect(refused.text).toContain(`href="#ticket-${ticket.id}"`);
      expect(refused.text).toMatch(new RegExp(`name="ticket-${ticket.id}"[^>]*value="6"`));
    });

    it('with tickets of several events is shown before it is bought', async () => {
      const { who } = await take(1);
      const other = await makeEvent({ title: 'Talk' });
      const ticket = await seats(other, 5);
      const { location } = await who.post('/cart/', { event: other.slug, [`ticket-${ticket.id}`]: '1' });
      expect(location).toBe('/cart/');
    });

    it('takes tickets of an event with a password after the visitor has given it', async () => {
      const event = await makeEvent({ post_password: 'sesame' });
      const ticket = await seats(event, 5);
      const who = visitor();
      await who.post(`/event/${event.slug}/`, { password: 'sesame' });
      const form = hiddenFields((await who.get(`/event/${event.slug}/`)).text);
      const asked = { [`ticket-${ticket.id}`]: '1' };
      expect((await visitor().post('/cart/', { event: event.slug, ...asked, pass: 'sesame' })).status).toBe(200);
      expect((await who.post('/cart/', { ...form, ...asked })).location).toBe('/checkout/');
      await who.post('/cart/', { [`ticket-${ticket.id}`]: '2' });
      expect((await stockOf(ticket)).pending).toBe(2);
    });
  });

  describe('the places of one order', () => {
    it('are offered up to the limit, which a sentence states if the organizer set it', async () => {
      const event = await makeEvent();
      const limited = await seats(event, 100, { max_per_order: 4 });
      const usual = await seats(event, 100);
      const free = await seats(event, 100, { max_per_order: 0 });
      const few = await seats(event, 3, { max_per_order: 4 });
      const rsvp = await makeTicket(server(), event.id, { provider: 'rsvp', price: '', max_per_order: 1 });
      const { text } = await visitor().get(`/event/${event.slug}/`);
      for (const [name, most] of [
        ...[[limited, 4] as const, [usual, 20] as const, [free, 100] as const, [few, 3] as const].map(
          ([{ id }, max]): [string, number] => [`ticket-${id}`, max],
        ),
        [`reply-${rsvp.id}-places`, 1] as const,
      ])
        expect(inputOf(text, name)).toContain(`max="${most}"`);
      expect(inputOf(text, `ticket-${limited.id}`)).toContain(`aria-describedby="ticket-${limited.id}-limit"`);
      expect(text.match(/At most \w+ per order/g)).toEqual(['At most 4 per order', 'At most one per order']);
      const german = await visitor().get(`/de/event/${event.slug}/`);
      expect(german.text).toContain('Höchstens 4 je Bestellung');
    });

    it('are refused with the ticket and the number, on the event, in the cart, at the checkout and by reply', async () => {
      const event = await makeEvent();
      const { id } = await seats(event, 100, { max_per_order: 4 });
      const who = visitor();
      const message = 'One order may have at most 4 places of the ticket Adults. Take fewer.';
      const name = `ticket-${id}`;
      const refused = [await who.post('/cart/', { event: event.slug, [name]: '5' })];
      expect((await who.post('/cart/', { event: event.slug, [name]: '4' })).location).toBe('/checkout/');
      refused.push(await who.post('/cart/', { [name]: '5', update: '1' }));
      for (const { status, text } of refused) {
        expect(status).toBe(400);
        expect(text).toContain(message);
        expect(text).toContain(`href="#${name}"`);
        expect(inputOf(text, name)).toContain('max="4"');
      }
      const form = { ...hiddenFields((await who.get('/checkout/')).text), name: 'Ada', email: 'ada@example.test' };
      await editTicket(server(), id, { post_id: event.id, max_per_order: 2 });
      const late = await who.post('/checkout/', form);
      expect(late.status).toBe(400);
      expect(late.text).toContain('at most 2 places of the ticket Adults');
      const rsvp = await makeTicket(server(), event.id, {
        provider: 'rsvp',
        name: 'Come',
        price: '',
        max_per_order: 2,
      });
      const reply = {
        ...{ reply_to: String(rsvp.id), [`reply-${rsvp.id}-name`]: 'Ada' },
        ...{ [`reply-${rsvp.id}-email`]: 'ada@example.test', [`reply-${rsvp.id}-places`]: '3' },
      };
      const replied = await who.post(`/event/${event.slug}/?named=1`, reply);
      expect(replied.status).toBe(400);
      expect(replied.text).toContain('at most 2 places of the ticket Come');
      expect(replied.text).toContain(`href="#reply-${rsvp.id}-places"`);
    });
  });

  describe('a checkout', () => {
    it('extends the hold and preserves the form', async () => {
      const { who } = await take(2);
      const page = await who.get('/checkout/');
      const [, places = ''] = /name="take" value="([^"]+)"/.exec(page.text) ?? [];
      wait(server(), HOLD - 1);
      const kept = await who.post('/checkout/', { ...hiddenFields(page.text), name: 'Ada', take: places });
      expect(kept.status).toBe(200);
      expect(kept.text).toContain('value="Ada"');
      expect(kept.text).toContain('data-seconds="900"');
    });

    it('of places that are partly gone keeps the input, and takes the remaining ones', async () => {
      const { event, ticket, who } = await take(2, { capacity: 3 });
      const form = { ...hiddenFields((await who.get('/checkout/')).text), name: 'Ada', email: 'ada@example.test' };
      wait(server(), HOLD);
      await shopperOf(server()).put([{ ticket_id: ticket.id, quantity: 2 }]);
      const refused = await who.post('/checkout/', form);
      expect(refused.status).toBe(409);
      const again = { ...hiddenFields(refused.text), take: `${ticket.id}:1` };
      expect(refused.text).toContain(`name="take" value="${again.take}"`);
      const page = await who.post('/checkout/', again);
      expect(page.text).toContain('value="ada@example.test"');
      const bought = { ...hiddenFields(page.text), name: 'Ada', email: 'ada@example.test' };
      expect((await who.post('/checkout/', bought)).location).toMatch(/^\/order\//);
      expect((await attendeesOf(event)).total).toBe(1);
    });

    const waitingCheckout = async (quantity: number, capacity: number) => {
      const taken = await take(quantity, { capacity });
      const page = await taken.who.get('/checkout/');
      const form = { ...hiddenFields(page.text), name: 'Ada', email: 'ada@example.test' };
      wait(server(), HOLD);
      return { ...taken, form };
    };

    it('takes released places again by itself if they are available', async () => {
      const { event, ticket, who, form } = await waitingCheckout(2, 3);
      const other = shopperOf(server());
      await other.put([{ ticket_id: ticket.id, quantity: 2 }]);
      await other.put([{ ticket_id: ticket.id, quantity: 0 }]);
      expect((await stockOf(ticket)).pending).toBe(0);
      const pressed = await Promise.all([who.post('/checkout/', form), who.post('/checkout/', form)]);
      for (const { location } of pressed) expect(location).toMatch(/^\/order\//);
      expect((await attendeesOf(event)).total).toBe(2);
      expect((await stockOf(ticket)).available).toBe(1);
    });

    it('asks again before it buys released places at another price', async () => {
      const { event, ticket, who, form } = await waitingCheckout(2, 3);
      const other = shopperOf(server());
      await other.put([{ ticket_id: ticket.id, quantity: 2 }]);
      await other.put([{ ticket_id: ticket.id, quantity: 0 }]);
      await editTicket(server(), ticket.id, { post_id: event.id, price: '12' });
      const refused = await who.post('/checkout/', form);
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('The total has changed to $24.00.');
      expect((await attendeesOf(event)).total).toBe(0);
    });

    it('says in one message that others took all places', async () => {
      const { ticket, who, form } = await waitingCheckout(2, 2);
      await shopperOf(server()).put([{ ticket_id: ticket.id, quantity: 2 }]);
      const { status, text } = await who.post('/checkout/', form);
      expect(status).toBe(409);
      expect(text).toContain('others have taken all of these places');
      expect(text.match(/class="notice/g)).toHaveLength(1);
      expect(text).not.toContain('<form method="post"');
    });

    it('shows its errors after a redirect, to this browser only', async () => {
      const { who } = await take(2);
      const form = { ...hiddenFields((await who.get('/checkout/')).text), name: 'Ada', email: 'ada@' };
      const sent = await server().request('/checkout/', {
        ...{ method: 'POST', body: new URLSearchParams(form), redirect: 'manual' },
        headers: { accept: 'text/html', origin: 'http://localhost', cookie: who.cookies() },
      });
      const address = sent.headers.get('location') ?? '';
      expect([sent.status, address]).toEqual([303, expect.stringMatching(/^\/checkout\/\?again=[\w-]+$/)]);
      const [cookie = ''] = (sent.headers.getSetCookie().find((line) => line.startsWith('marquee-form=')) ?? '').split(
        ';',
      );
      expect(cookie).not.toContain('Ada');
      const shown = async (path: string, cookies: string) => {
        const page = await server().request(path, { headers: { accept: 'text/html', cookie: cookies } });
        return [page.status, page.headers.get('cache-control'), /value="ada@"/.test(await page.text())];
      };
      const both = `${who.cookies()}; ${cookie}`;
      expect(await shown(address, both)).toEqual([400, 'private, no-store', true]);
      expect(await shown(address, who.cookies())).toEqual([200, 'private, no-store', false]);
      expect(await shown('/checkout/', both)).toEqual([200, 'private, no-store', false]);
      expect(await shown('/checkout/?again=other', both)).toEqual([200, 'private, no-store', false]);
    });

    it('seals its form for its own page, and not for pages that all visitors share', async () => {
      const { event, ticket, who } = await take(2);
      const form = hiddenFields((await who.get('/checkout/')).text);
      const typed = { ...form, [`ticket-${ticket.id}`]: '7', take: `${ticket.id}:2` };
      const sent = await server().request('/checkout/', {
        ...{ method: 'POST', body: new URLSearchParams(typed), redirect: 'manual' },
        headers: { accept: 'text/html', origin: 'http://localhost', cookie: who.cookies() },
      });
      const [, key = ''] = /\?again=([\w-]+)$/.exec(sent.headers.get('location') ?? '') ?? [];
      const sealed = sent.headers.getSetCookie().find((line) => line.startsWith('marquee-form='));
      const [cookie = ''] = sealed?.split(';') ?? [];
      expect([key, cookie]).not.toContain('');
      for (const cookies of [{ cookie }, {}]) {
        const init = { headers: { accept: 'text/html', ...cookies } };
        const page = await server().request(`/event/${event.slug}/?again=${key}`, init);
        const text = await page.text();
        expect([page.status, inputOf(text, `ticket-${ticket.id}`)]).toEqual([
          200,
          expect.stringContaining('value="0"'),
        ]);
      }
    });

    it('shows a form at once if it is too large for a cookie', async () => {
      const { ticket, who } = await take(20, { capacity: 20 });
      const names = Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          `guest-${ticket.id}-${index + 1}`,
          // Texts that cannot be compressed.
          ['a', 'b'].map((half) => hash('sha512', `${half}${index}`, 'base64url')).join(''),
        ]),
      );
      const form = {
        ...hiddenFields((await who.get('/checkout/')).text),
        ...names,
        name: '',
        email: 'ada@example.test',
      };
      const sent = await server().request('/checkout/', {
        ...{ method: 'POST', body: new URLSearchParams(form), redirect: 'manual' },
        headers: { accept: 'text/html', origin: 'http://localhost', cookie: who.cookies() },
      });
      expect(sent.status).toBe(400);
      expect(await sent.text()).toContain(names[`guest-${ticket.id}-20`]);
    });

    it('leaves a link to the last order in the empty cart', async () => {
      const { who, order } = await buy(1);
      expect((await who.get('/checkout/')).location).toBe('/cart/');
      const { text } = await who.get('/cart/');
      expect(text).toContain(`<a href="${order}">Your last order</a>`);
      expect((await who.get('/de/cart/')).text).toContain(`<a href="/de${order}">Ihre letzte Bestellung</a>`);
      expect((await visitor().get('/cart/')).text).not.toContain('last order');
    });

    it('does not buy for another sum than the one on its button', async () => {
      const { event, ticket, who } = await take(1);
      const form = { ...hiddenFields((await who.get('/checkout/')).text), name: 'Ada', email: 'ada@example.test' };
      await editTicket(server(), ticket.id, { post_id: event.id, price: '12' });
      const refused = await who.post('/checkout/', form);
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('The total has changed to $12.00.');
      expect((await attendeesOf(event)).total).toBe(0);
      const again = { ...form, ...hiddenFields(refused.text) };
      expect((await who.post('/checkout/', again)).location).toMatch(/^\/order\//);
    });

    it('writes sums in the language of the page, and “free” for none', async () => {
      const { who } = await take(2, { price: '12.5' });
      for (const path of ['/fr/cart/', '/fr/checkout/'])
        expect([path, /25,00\s\$/.test((await who.get(path)).text)]).toEqual([path, true]);
      const { who: other, order } = await buy(1);
      expect((await other.get(`/fr${order}`)).text).toMatch(/<td class="amount">Gratuit<\/td>/);
    });

    it('asks for the terms of the site, if it has any', async () => {
      await settle({ terms: '<p>No refunds.</p>' });
      const { who } = await take(1, { price: '0' });
      const page = await who.get('/checkout/');
      const form = { ...hiddenFields(page.text), name: 'Ada', email: 'ada@example.test' };
      const refused = await who.post('/checkout/', form);
      expect([refused.status, refused.text.includes('href="#terms"')]).toEqual([400, true]);
      expect((await who.post('/checkout/', { ...form, terms: '1' })).location).toMatch(/^\/order\//);
      await settle({ terms: '' });
    });

    it('responds with the status and `Retry-After` of the interface', async () => {
      server().restart({ cartRate: { writes: 2, checkouts: 1 } });
      const { who, ticket } = await take(1);
      const form = { ...hiddenFields((await who.get('/checkout/')).text), name: 'Ada', email: 'nobody' };
      expect((await who.post('/checkout/', form)).status).toBe(400);
      const refused = await who.post('/checkout/', form);
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(refused.text).toContain('value="Ada"');
      await who.post('/cart/', { [`ticket-${ticket.id}`]: '2' });
      const cart = await who.post('/cart/', { [`ticket-${ticket.id}`]: '3' });
      expect([cart.status, Number(cart.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(cart.text).toMatch(new RegExp(`name="ticket-${ticket.id}"[^>]*value="3"`));
      server().restart({});
    });
  });

  describe('an order', () => {
    it('preserves refused names', async () => {
      const { who, order } = await buy(2);
      const refused = await who.post(order, { email: 'nobody' });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('<a href="#email">');
      expect(refused.text).toMatch(/name="email"[^>]*value="nobody"/);
      const [, id] = /name="name-(\d+)"/.exec(refused.text) ?? [];
      const unnamed = await who.post(order, { [`name-${id}`]: 'x'.repeat(201) });
      expect(unnamed.text).toContain(`<a href="#name-${id}">`);
    });

    it('states until when it can be cancelled, that no money moves, and when it is too late', async () => {
      await settle({ cancellation: { rule: 'until', hours_before: 24 } });
      const { event, who, order } = await buy(1, '10');
      const { text } = await who.get(order);
      const [, id] = /\/order\/(\d+)\//.exec(order) ?? [];
      expect(text).toContain('Unpaid: $10.00');
      await server().make(`PATCH admin:/orders/${id}`, { status: 'completed' });
      const asked = await who.get(`${order}cancel/`);
      expect(asked.text).toContain('You can cancel until Saturday 5 December, 18:30 EST.');
      expect(asked.text).toContain('not the $10.00 that was paid');
      server().clock.now = new Date('2026-12-06T12:00:00Z');
      expect((await who.get(`${order}cancel/`)).text).toContain('It is too late to cancel this order.');
      expect((await who.post(`${order}cancel/`, {})).status).toBe(409);
      server().clock.now = NOON;
      await settle({ cancellation: { rule: 'free' } });
      expect((await who.get(`${order}cancel/`)).text).toContain('Only orders that cost nothing can be cancelled here.');
      await settle({ cancellation: { rule: 'never' } });
      expect((await who.get(`${order}cancel/`)).text).toContain('Completed orders cannot be cancelled here.');
      await server().make(`PATCH admin:/orders/${id}`, { status: 'refunded' });
      expect((await who.get(order)).text).toContain('This order was refunded.');
      expect((await attendeesOf(event)).total).toBe(0);
      await settle({ cancellation: { rule: 'free' } });
    });
  });

  describe('a ticket', () => {
    it('is transferred once, however often the button is pressed', async () => {
      const { who, path } = await buy(1);
      const { key = '' } = hiddenFields((await who.get(path)).text);
      const form = { key, full_name: 'Grace', email: 'grace@example.test' };
      const given = await Promise.all([who.post(`${path}transfer/`, form), who.post(`${path}transfer/`, form)]);
      const paths = new Set(given.map(({ text }) => TICKET.exec(text)?.[1]));
      expect([given.map(({ status }) => status), paths.size, paths.has(path)]).toEqual([[200, 200], 1, false]);
    });

    it('preserves the form of a refused transfer', async () => {
      const { who, path } = await buy(1);
      const { status, text } = await who.post(`${path}transfer/`, { full_name: 'Grace', email: 'nobody' });
      expect(status).toBe(400);
      expect(text).toContain('<a href="#transfer-email">');
      expect(text).toMatch(/id="transfer-name"[^>]*value="Grace"/);
      const unnamed = await who.post(path, { full_name: 'x'.repeat(201) });
      expect([unnamed.status, unnamed.text.includes('<a href="#full_name">')]).toEqual([400, true]);
    });

    it('shows place and time in the time zone of the event, and that it was used', async () => {
      const { path, who, event } = await buy(1);
      await server().make(`PATCH /events/${event.id}`, { timezone: 'Europe/Paris', venue: { venue: 'Harbour Hall' } });
      const { text } = await who.get(path);
      expect(text).toMatch(/18:30–21:00 CET/);
      expect(text).toContain('Harbour Hall');
      const [, , id] = path.split('/');
      await server().make(`POST tickets:/attendees/${id}`, { check_in: true }, 'administrator');
      expect((await who.get(path)).text).toContain('Used at 18:00');
    });

    it('is drawn as a whole, for its holder alone', async () => {
      const { who, path } = await buy(1);
      await who.post(path, { full_name: `<b>&amp; שלום \u{1F600} ${'W'.repeat(150)}` });
      const { status, headers } = await who.get(`${path}ticket.png`);
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        ...[200, 'image/png', 'private, no-store'],
      ]);
      const picture = async () => Buffer.from(await (await server().request(`${path}ticket.png`)).arrayBuffer());
      const { width, height } = await sharp(await picture()).metadata();
      expect(width).toBe(1000);
      expect(height).toBeGreaterThan(900);
      expect(height).toBeLessThan(3000);
      expect((await picture()).equals(await picture())).toBe(true);
      const before = await picture();
      await who.post(path, { full_name: 'Ada King' });
      expect((await picture()).equals(before)).toBe(false);
      expect((await who.get(`${path.replace(/\w+\/$/, 'wrong')}/ticket.png`)).status).toBe(404);
    });
  });

  describe('a reply', () => {
    const replied = async (capacity = 3) => {
      const event = await makeEvent();
      const ticket = await makeTicket(server(), event.id, {
        ...{ provider: 'rsvp', name: 'Reply', price: '', ticket: { capacity, not_going: 'yes' } },
      });
      const form = (more: Record<string, string> = {}) => ({
        ...{ reply_to: String(ticket.id), [`reply-${ticket.id}-name`]: 'Ada' },
        ...{ [`reply-${ticket.id}-email`]: 'ada@example.test', [`reply-${ticket.id}-answer`]: 'yes' },
        ...{ [`reply-${ticket.id}-places`]: '1', ...more },
      });
      return { event, ticket, form, path: `/event/${event.slug}/`, who: visitor() };
    };

    it('is taken once, however often the same form is sent', async () => {
      const { event, form, path, who } = await replied();
      const first = await who.post(path, form());
      const again = await Promise.all([who.post(path, form()), who.post(path, form())]);
      expect(new Set([first, ...again].map(({ location }) => location)).size).toBe(1);
      expect((await attendeesOf(event)).total).toBe(1);
      const other = await visitor().post(path, form());
      expect(other.location).not.toBe(first.location);
      const several = form({ [`reply-${form().reply_to}-places`]: '2' });
      expect((await visitor().post(path, several)).status).toBe(409);
    });

    it('of several people ends on the cards of their tickets, at a secret address', async () => {
      const { form, path, who, ticket } = await replied();
      const several = form({ [`reply-${ticket.id}-places`]: '2' });
      const { location } = await who.post(path, several);
      expect(location).toMatch(/^\/reply\/\d+\/[\w-]+\/$/);
      const page = await visitor().get(location);
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      expect(page.text).toMatch(
        /<h1 data-order="Lantern walk, Sunday 6 December, 18:30–21:00 EST" data-holds="[^"]+">Lantern walk<\/h1>/,
      );
      expect(page.text.match(/class="code"/g)).toHaveLength(2);
      const [first = '', second = ''] = [...page.text.matchAll(new RegExp(TICKET, 'g'))].map(([, href]) => href);
      await who.post(`${second}reply/`, { answer: 'no' });
      expect((await who.get(location)).text).toContain('You replied that you will not come.');
      const transfer = await who.post(`${first}transfer/`, { full_name: 'Grace', email: 'grace@example.test' });
      expect(transfer.status).toBe(200);
      const after = await who.get(location);
      expect(after.text).toContain('One ticket has a new holder.');
      expect(after.text).not.toContain('Grace');
      for (const wrong of [
        location.replace(/.(?=.{8}\/$)/, (one) => (one === 'A' ? 'B' : 'A')),
        '/reply/1/x/',
        `${location}x/`,
        '/reply/1/',
      ])
        expect((await who.get(wrong)).status).toBe(404);
    });

    it('is taken from browsers without cookies', async () => {
      const { form, path } = await replied();
      const named = await server().request(path, {
        ...{ method: 'POST', body: new URLSearchParams(form()), redirect: 'manual' },
        headers: { accept: 'text/html', origin: 'http://localhost' },
      });
      expect([named.status, named.headers.get('cache-control')]).toEqual([307, 'private, no-store']);
      const taken = await server().request(named.headers.get('location') ?? '', {
        ...{ method: 'POST', body: new URLSearchParams(form()), redirect: 'manual' },
        headers: { accept: 'text/html', origin: 'http://localhost' },
      });
      expect([taken.status, taken.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/ticket\//)]);
    });

    it('changes to no and back on the page of its ticket, as long as there is a place', async () => {
      const { ticket, form, path, who } = await replied(1);
      const { location } = await who.post(path, form());
      expect((await who.get(location)).text).toContain('name="answer" value="no"');
      expect((await who.post(`${location}reply/`, { answer: 'no' })).location).toBe(location);
      const declined = await who.get(location);
      expect(declined.text).toContain('You replied that you will not come.');
      expect(declined.text).toContain('name="answer" value="yes"');
      expect((await stockOf(ticket)).available).toBe(1);
      await who.post(`${location}reply/`, { answer: 'yes' });
      expect((await stockOf(ticket)).available).toBe(0);
      await who.post(`${location}reply/`, { answer: 'no' });
      await visitor().post(path, form());
      const refused = await who.post(`${location}reply/`, { answer: 'yes' });
      expect([refused.status, refused.text.includes('<a href="#answer">')]).toEqual([409, true]);
      expect((await who.post(`${location}reply/`, { answer: 'maybe' })).status).toBe(400);
      expect((await who.post(`${location.replace(/\w+\/$/, 'wrong')}/reply/`, { answer: 'no' })).status).toBe(404);
    });
  });
});
