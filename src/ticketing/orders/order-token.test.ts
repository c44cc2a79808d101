import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeSeat } from '../../../test/attendees.ts';
import { buy } from '../../../test/buyers.ts';
import { bodyOf, DATABASES, useTestServer } from '../../../test/server.ts';
import { ADA } from '../../../test/shopper.ts';
import { deleteTicket, makeEvent } from '../../../test/tickets.ts';
import { createApp } from '../../app.ts';
import type { Database } from '../../db/database.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { siteKeysOf } from '../../lib/site-keys.ts';

/** Takes the database back to before an order, as a backup does. */
const forgetFrom = (db: Database, id: number): Promise<void> =>
  db.transaction(async ({ query, dialect }) => {
    for (const table of ['order_log', 'order_items'] as const)
      await query.deleteFrom(table).where('order_id', '>=', id).execute();
    for (const table of ['attendees', 'orders', 'records'] as const)
      await query.deleteFrom(table).where('id', '>=', id).execute();
    await (dialect.kind === 'postgres'
      ? sql`SELECT setval(pg_get_serial_sequence('records', 'id'), ${id}, false)`
      : sql`UPDATE sqlite_sequence SET seq = ${id - 1} WHERE name = 'records'`
    ).execute(query);
  });

describe.each(DATABASES)('an order, for holders of its token, on %s', (kind) => {
  const server = useTestServer(kind, { timezone: 'America/New_York' });
  let event: number;
  let priced: number;
  let free: number;
  beforeAll(async () => {
    event = await makeEvent(server(), { title: 'Lantern Night', slug: 'lantern-night' });
    priced = await makeSeat(server(), event, 50, { name: 'Stalls', price: '12.50' });
    free = await makeSeat(server(), event, 50, { name: 'Balcony', price: '0' });
  });

  const read = (id: number, headers: Record<string, string>, asking: object = {}) =>
    server().ask(`GET tickets:/orders/${id}`, { headers, ...asking });
  const become = (id: number, body: object) => server().make(`PATCH admin:/orders/${id}`, body);

  it('shows items, sum and people, and the codes of tickets while they admit or may be paid at the door', async () => {
    const { id, token, headers, attendees, body } = await buy(server(), [priced, priced]);
    expect(token).toMatch(/^[\w-]{22}$/);
    const url = `http://localhost/order/${id}/${token}/`;
    expect(body.order).toMatchObject({ status: 'pending', url });
    const pending = await read(id, headers);
    expect(pending.headers.get('cache-control')).toBe('private, no-store');
    const ticket = {
      ticket_id: priced,
      title: 'Stalls',
      provider: 'tc',
      event: expect.objectContaining({
        id: event,
        title: 'Lantern Night',
        url: 'http://localhost/event/lantern-night/',
      }),
      full_name: ADA.name,
      email: ADA.email,
      optout: false,
      status: 'publish',
      attendee_status: 'pending',
      admits: false,
      checked_in: false,
      checkin_utc: null,
    };
    const total = { minor: 2500, formatted: '$25.00' };
    const expires_utc = '2027-03-07 02:00:00';
    expect(pending.body).toEqual({
      invoices: [],
      id,
      number: orderNumber(id),
      status: 'pending',
      purchaser: ADA,
      currency: 'USD',
      total,
      date: '2026-11-21 12:00:00',
      date_utc: '2026-11-21 17:00:00',
      items: [
        {
          ticket_id: priced,
          event_id: event,
          title: 'Stalls',
          quantity: 2,
          price: { minor: 1250, formatted: '$12.50' },
          subtotal: { minor: 2500, formatted: '$25.00' },
        },
      ],
      charges: [],
      attendees: attendees.map(({ id: holder, security_code, url }) => ({
        id: holder,
        ...ticket,
        unpaid: { total, currency: 'USD', expires_utc },
        security_code,
        url,
      })),
      at_door: true,
      expires_utc,
      payment: { id: 'door', name: 'Pay at the door', text: '', reference: null },
      paid: { minor: 0, formatted: '$0.00' },
      refunded: { minor: 0, formatted: '$0.00' },
      receipts: [],
      refunds: [],
      payment_status: null,
      pay_url: null,
      may_cancel: true,
      url,
    });
    await become(id, { status: 'completed' });
    expect((await read(id, headers)).body).toMatchObject({
      status: 'completed',
      expires_utc: null,
      attendees: attendees.map((one) => ({
        attendee_status: 'completed',
        admits: true,
        security_code: one.security_code,
        url: one.url,
      })),
    });
    await server().make(`PATCH admin:/orders/${id}`, { status: 'refunded' });
    const [refunded] = (await read(id, headers)).body.attendees;
    expect(refunded).toEqual({ ...ticket, id: attendees[0]?.id, status: 'trash', attendee_status: 'refunded' });
  });

  it('is as if it did not exist for all others', async () => {
    const { id, token, headers } = await buy(server(), [free]);
    const other = await buy(server(), [free]);
    const missing = await read(999_999, headers);
    expect(missing).toMatchObject({ status: 404, body: { code: 'order-not-found' } });
    const wrong = [{}, { 'x-order-token': '' }, other.headers, { 'x-order-token': `${token}=` }];
    for (const sent of wrong) expect(bodyOf(await read(id, sent as Record<string, string>))).toEqual(bodyOf(missing));
    expect((await read(id, {}, { query: { token } })).status).toBe(404);
    expect((await read(id, {}, { as: 'administrator' })).status).toBe(404);
    expect((await read(id, {}, { query: { per_page: 'x' } })).status).toBe(404);
  });

  it('is closed to a token that was revoked, and open to the new one', async () => {
    const { id, headers } = await buy(server(), [free]);
    const answer = await server().ask(`PATCH admin:/orders/${id}`, { as: 'editor', body: { revoke_link: true } });
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect((await read(id, headers)).status).toBe(404);
    const token = answer.body.url.split('/').at(-2);
    expect((await read(id, { 'x-order-token': token })).status).toBe(200);
  });

  it('is closed to the tokens of another secret', async () => {
    const { id, headers } = await buy(server(), [free]);
    const { context } = server();
    const app = createApp({ ...context, siteKey: siteKeysOf('another secret') });
    const answer = await app.request(`/calendar/tickets/v1/orders/${id}`, { headers });
    expect(answer.status).toBe(404);
  });

  it('is closed to the token of an order that had its id before a backup was restored', async () => {
    const lost = await buy(server(), [free]);
    await forgetFrom(server().context.db, lost.id);
    const order = await buy(server(), [free]);
    expect(order.id).toBe(lost.id);
    expect((await read(order.id, lost.headers)).status).toBe(404);
    expect((await read(order.id, order.headers)).status).toBe(200);
  });

  it('names its tickets and events in the language of the customer, deleted ones too', async () => {
    const own = await makeEvent(server(), { title: 'Fair' });
    const id = await makeSeat(server(), own, 5, { name: 'Gone', price: '0' });
    await server().make(`PATCH /events/${own}?i18n_language=fr`, { title: 'Foire' });
    const order = await buy(server(), [id]);
    await deleteTicket(server(), id, own);
    const { body } = await read(order.id, order.headers, { query: { i18n_language: 'fr' } });
    expect(body).toMatchObject({
      items: [{ title: 'Gone' }],
      attendees: [{ title: 'Gone', event: { title: 'Foire' } }],
    });
    await server().ask(`DELETE /events/${own}`, { as: 'administrator', query: { force: true } });
    expect((await read(order.id, order.headers)).body.attendees[0].event).toBeNull();
  });
});
