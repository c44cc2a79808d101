import { beforeAll, describe, expect, it } from 'vitest';
import { makeSeat } from '../../../test/attendees.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { addTicket, EVENING, editTicket, makeEvent } from '../../../test/tickets.ts';

/** 2026 has no such day. */
const LEAP_DAY = 'February 29';

describe.each(DATABASES)('a date that does not exist this year is refused on %s', (kind) => {
  const server = useTestServer(kind);
  let event: number;
  beforeAll(async () => {
    event = await makeEvent(server());
  });

  it.each([
    ['GET /events', 'start_date'],
    ['GET /events', 'ends_after'],
    ['GET tickets:/tickets', 'after'],
    ['GET tickets:/tickets', 'available_until'],
    ['GET tickets:/attendees', 'before'],
  ])('by %s as %s', async (call, name) => {
    const { status, body } = await server().ask(call, { as: 'administrator', query: { [name]: LEAP_DAY } });
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [name]]);
  });

  it.each([
    ['POST /events', 'start_date', { ...EVENING }],
    ['POST /events', 'end_date', { ...EVENING }],
    ['POST /events', 'date', { ...EVENING }],
    ['POST /venues', 'date_utc', { venue: 'Hall' }],
    ['POST admin:/tokens', 'expires', { name: 'feed', scopes: ['read'] }],
  ])('by %s as %s', async (call, name, fields) => {
    const { status, body } = await server().ask(call, { as: 'administrator', body: { ...fields, [name]: LEAP_DAY } });
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [name]]);
  });

  it('by the sale and the discount of a ticket', async () => {
    const ticket = { post_id: event, provider: 'tc', name: 'Seat', price: '10' };
    const discount = { sale_price: { checked: true, price: '5', start_date: LEAP_DAY } };
    expect((await addTicket(server(), { ...ticket, start_date: LEAP_DAY })).status).toBe(400);
    expect((await addTicket(server(), { ...ticket, ticket: discount })).status).toBe(400);
    const seat = await makeSeat(server(), event);
    expect((await editTicket(server(), seat, { post_id: event, end_date: LEAP_DAY })).status).toBe(400);
  });
});
