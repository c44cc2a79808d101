import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';

describe.each(DATABASES)('a moved event on %s', (kind) => {
  const server = useTestServer(kind);
  const sales = (event: number) =>
    server()
      .context.db.query.selectFrom('tickets')
      .select(['start_date', 'end_date', 'end_time', 'sale_end_utc', 'sale_price_end'])
      .where('event_id', '=', event)
      .orderBy('id')
      .execute();

  it('takes the sale of its tickets along on request, and back again', async () => {
    const id = await makeEvent(server(), { start_date: '2027-03-06 19:00', end_date: '2027-03-06 21:00' });
    const sale_price = { checked: true, price: '5', start_date: '2027-02-01', end_date: '2027-02-10' };
    const window = { start_date: '2027-01-01', end_date: '2027-03-05', end_time: '18:00:00' };
    await makeTicket(server(), id, { ...window, ticket: { sale_price } });
    // By default, the sale ends when the event starts.
    await makeTicket(server(), id);
    const before = await sales(id);
    expect(before[1]).toMatchObject({ end_date: '2027-03-06', end_time: '19:00:00' });
    const span = { start_date: '2027-03-16 20:00', end_date: '2027-03-16 22:00' };
    await server().make(`PATCH /events/${id}`, { ...span, move_sales: true });
    const moved = await sales(id);
    expect(moved).toMatchObject([
      {
        start_date: '2027-01-11',
        end_date: '2027-03-15',
        end_time: '18:00:00',
        sale_end_utc: '2027-03-15 22:00:00',
        sale_price_end: '2027-02-20',
      },
      { end_date: '2027-03-16', end_time: '20:00:00' },
    ]);
    const back = { start_date: '2027-03-06 19:00', end_date: '2027-03-06 21:00' };
    await server().make(`PATCH /events/${id}`, { ...back, move_sales: true });
    expect(await sales(id)).toEqual(before);
  });

  it('leaves the sale as it is by default, and if only other fields change', async () => {
    const id = await makeEvent(server());
    await makeTicket(server(), id, { end_date: '2027-03-05' });
    const before = await sales(id);
    await server().make(`PATCH /events/${id}`, { start_date: '2027-03-16 19:00', end_date: '2027-03-16 22:00' });
    await server().make(`PATCH /events/${id}`, { title: 'Renamed', move_sales: true });
    expect(await sales(id)).toEqual(before);
  });

  it('is not moved with the sale by programs that may not change tickets', async () => {
    const id = await makeEvent(server());
    await makeTicket(server(), id, { end_date: '2027-03-05' });
    const before = await sales(id);
    const { token } = await server().make('POST admin:/tokens', { name: 'Calendar', scopes: 'events:write' });
    const headers = { authorization: `Bearer ${token}` };
    const body = { start_date: '2027-03-05 19:00', move_sales: true };
    expect((await server().ask(`PATCH /events/${id}`, { headers, body })).status).toBe(403);
    expect(await sales(id)).toEqual(before);
  });
});
