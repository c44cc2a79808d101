import { describe, expect, it } from 'vitest';
import { DATABASES, type TestServer, useTestServer } from '../../../test/server.ts';
import { shopperOf } from '../../../test/shopper.ts';
import { editTicket, makeEvent, makeTicket } from '../../../test/tickets.ts';

const VAT = { name: 'VAT', rate: 19_000, included: true };
const SALES_TAX = { name: 'Sales tax', rate: 8875, included: false };

const UNLIMITED = { ticket: { mode: '' } };

/** Items and charges of an order, which must add up to its total. */
async function linesOf({ context }: TestServer, orderId: number) {
  const items = await context.db.query.selectFrom('order_items').selectAll().where('order_id', '=', orderId).execute();
  const charges = await context.db.query
    .selectFrom('order_charges')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute();
  const { total } = await context.db.query
    .selectFrom('orders')
    .select('total')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
  const sums = [
    ...items.map(({ price, quantity, cancelled }) => price * (quantity - cancelled)),
    ...charges.map(({ amount }) => amount),
  ];
  expect(sums.reduce((sum, amount) => sum + amount, 0)).toBe(total);
  return {
    total,
    items: items
      .map(({ ticket_id, quantity, price, tax_rate, tax }) => ({ ticket_id, quantity, price, tax_rate, tax }))
      .sort((a, b) => b.price - a.price),
    charges: charges.map(({ kind, title, quantity, amount, tax_rate, tax, source_id }) => ({
      ...{ kind, title, quantity, amount, tax_rate, tax, source_id },
    })),
  };
}

describe.each(DATABASES)('taxes and fees on %s', (kind) => {
  const server = useTestServer(kind);
  const make = (path: string, body: object) => server().make(`POST admin:/${path}`, body);
  const remove = (path: string, id: number) => server().ask(`DELETE admin:/${path}/${id}`, { as: 'administrator' });

  async function sold(ticketId: number, quantity: number) {
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: ticketId, quantity }]);
    const { body } = await shopper.checkout();
    return linesOf(server(), body.order.id);
  }

  it('keeps tax rates, which cannot be deleted while something has them', async () => {
    const rate = await make('tax-rates', { ...VAT, name: '<b>VAT</b> & more' });
    expect(rate).toEqual({ id: rate.id, name: 'VAT & more', rate: 19_000, included: true, revision: 1 });
    const change = (body: object, headers = {}) =>
      server().ask(`PATCH admin:/tax-rates/${rate.id}`, { as: 'administrator', body, headers });
    expect((await change({ rate: 20_000 })).body).toMatchObject({ rate: 20_000, name: 'VAT & more', revision: 2 });
    expect((await change({ rate: 20_000 })).body.revision).toBe(2);
    expect((await change({ rate: 5 }, { 'if-match': '"r1"' })).status).toBe(412);
    const id = (await makeTicket(server(), await makeEvent(server()), { ...UNLIMITED, tax_rate_id: rate.id })).id;
    expect(await remove('tax-rates', rate.id)).toMatchObject({ status: 409, body: { code: 'tax-rate-in-use' } });
    const { post_id } = (await server().ask(`GET tickets:/tickets/${id}`)).body;
    expect((await editTicket(server(), id, { post_id, tax_rate_id: null })).body).not.toHaveProperty('tax_rate_id');
    expect((await remove('tax-rates', rate.id)).status).toBe(200);
    expect(await remove('tax-rates', rate.id)).toMatchObject({ status: 404, body: { code: 'tax-rate-not-found' } });
  });

  it.each([
    ['tax-rates', { ...VAT, rate: -1 }],
    ['tax-rates', { ...VAT, rate: 100_001 }],
    ['tax-rates', { ...VAT, rate: 19.5 }],
    ['tax-rates', { ...VAT, name: ' ' }],
    ['tax-rates', { name: 'VAT', rate: 1 }],
    ['fees', { name: 'Fee', per: 'seat' }],
    ['fees', { name: 'Fee', per: 'order', fixed: -1 }],
    ['fees', { name: 'Fee', per: 'order', fixed: 1.5 }],
    ['fees', { name: 'Fee', per: 'order', fixed: 1e20 }],
    ['fees', { name: 'Fee', per: 'order', event_id: 999_999 }],
    ['fees', { name: 'Fee', per: 'order', tax_rate_id: 999_999 }],
  ])('refuses in %s %j', async (path, body) => {
    expect((await server().ask(`POST admin:/${path}`, { as: 'administrator', body })).status).toBe(400);
  });

  it('names the tax of a ticket outside the reference only', async () => {
    const rate = await make('tax-rates', VAT);
    const event = await makeEvent(server());
    const { id, tax_rate_id } = await makeTicket(server(), event, { ...UNLIMITED, tax_rate_id: rate.id });
    expect(tax_rate_id).toBe(rate.id);
    const { body } = await server().ask(`GET tickets:/tickets/${id}`, { prefix: '/wp-json/tribe' });
    expect(body.id).toBe(id);
    expect(body).not.toHaveProperty('tax_rate_id');
    const unknown = await editTicket(server(), id, { post_id: event, tax_rate_id: 999_999 });
    expect(unknown).toMatchObject({ status: 400, body: { data: { params: { tax_rate_id: expect.any(String) } } } });
  });

  it('charges nothing besides the prices without any', async () => {
    const { id } = await makeTicket(server(), await makeEvent(server()), { ...UNLIMITED, price: '12.50' });
    expect(await sold(id, 2)).toEqual({
      total: 2500,
      items: [{ ticket_id: id, quantity: 2, price: 1250, tax_rate: 0, tax: 0 }],
      charges: [],
    });
  });

  it('writes included and added taxes, and fees, with the order', async () => {
    const [vat, added] = [await make('tax-rates', VAT), await make('tax-rates', SALES_TAX)];
    const event = await makeEvent(server());
    const fees = [
      await make('fees', { name: 'Booking fee', per: 'order', fixed: 150, tax_rate_id: vat.id, event_id: event }),
      await make('fees', { name: 'Hall fee', per: 'ticket', fixed: 20, rate: 1000, event_id: event }),
    ];
    const { id } = await makeTicket(server(), event, { ...UNLIMITED, price: '10', tax_rate_id: added.id });
    expect(await sold(id, 3)).toEqual({
      total: 3266 + 150 + 90,
      items: [
        { ticket_id: id, quantity: 2, price: 1089, tax_rate: 8875, tax: 178 },
        { ticket_id: id, quantity: 1, price: 1088, tax_rate: 8875, tax: 88 },
      ],
      charges: [
        {
          kind: 'fee',
          title: 'Booking fee',
          quantity: 1,
          amount: 150,
          tax_rate: 19_000,
          tax: 24,
          source_id: fees[0].id,
        },
        { kind: 'fee', title: 'Hall fee', quantity: 3, amount: 90, tax_rate: 0, tax: 0, source_id: fees[1].id },
      ],
    });
    await server().make(`PATCH admin:/fees/${fees[1].id}`, { fixed: 0, rate: 0 });
    expect((await sold(id, 1)).charges).toHaveLength(1);
    for (const fee of fees) await remove('fees', fee.id);
    expect((await sold(id, 1)).charges).toEqual([]);
  });

  describe('follow the places of an order', () => {
    const taxOf = async (id: number): Promise<number[]> => {
      const { body } = await server().ask(`GET admin:/orders/${id}`, { as: 'administrator' });
      await linesOf(server(), id);
      return (body.taxes ?? []).map(({ rate, amount }: { rate: number; amount: { minor: number } }) => [
        rate,
        amount.minor,
      ]);
    };
    const rates = async () => [await make('tax-rates', VAT), await make('tax-rates', { ...VAT, rate: 7000 })];

    /** An order of seats for 10.00 with 19 % VAT, and other tickets at this price by their rates. */
    async function order(quantity: number, others: (number | null)[] = []) {
      const event = await makeEvent(server());
      const [first = 0, ...ids] = await Promise.all(
        [(await rates())[0].id, ...others].map(
          async (tax_rate_id) => (await makeTicket(server(), event, { ...UNLIMITED, tax_rate_id })).id as number,
        ),
      );
      const body = { items: [{ ticket_id: first, quantity }], payment: 'cash' };
      const sale = (await server().ask('POST admin:/orders', { as: 'administrator', body })).body;
      const places = sale.attendees.map(({ id }: { id: number }) => id) as number[];
      return { id: sale.id as number, places, tickets: [first, ...ids] };
    }
    const move = (place: number | undefined, ticket_id: number | undefined) =>
      server().ask(`POST admin:/attendees/${place}/move`, { as: 'administrator', body: { ticket_id } });
    const cancel = (id: number, attendees: number[]) =>
      server().ask(`POST admin:/orders/${id}/cancel-places`, { as: 'administrator', body: { attendees } });

    it('when they are cancelled one by one', async () => {
      const { id, places } = await order(3);
      expect(await taxOf(id)).toEqual([[19_000, 479]]);
      const left: number[] = [];
      for (const place of places.slice(0, 2)) {
        expect((await cancel(id, [place])).status).toBe(200);
        left.push(...(await linesOf(server(), id)).items.map(({ tax }) => tax));
        expect(await taxOf(id)).toEqual([[19_000, left.at(-1)]]);
      }
      expect(left).toEqual([319, 160]);
    });

    it('to other tickets and back', async () => {
      const [vat, reduced] = await rates();
      const { id, places, tickets } = await order(3, [vat.id, reduced.id, null]);
      const [first, same, other, untaxed] = tickets;
      for (const to of [same, other, untaxed, first])
        for (const place of places) {
          expect((await move(place, to)).status).toBe(200);
          expect(await taxOf(id)).toEqual([[19_000, 479]]);
        }
      await move(places[0], other);
      await cancel(id, places.slice(0, 1));
      expect(await taxOf(id)).toEqual([[19_000, 319]]);
    });

    it('at the rate of the places that they join', async () => {
      const [vat, reduced] = await rates();
      const event = await makeEvent(server());
      const [one, two] = [vat, reduced].map(
        async ({ id }) => (await makeTicket(server(), event, { ...UNLIMITED, tax_rate_id: id })).id as number,
      );
      const items = [
        { ticket_id: await one, quantity: 2 },
        { ticket_id: await two, quantity: 1 },
      ];
      const sold = await server().ask('POST admin:/orders', { as: 'administrator', body: { items, payment: 'cash' } });
      const { id, attendees } = sold.body;
      expect(await taxOf(id)).toEqual([
        [19_000, 319],
        [7000, 65],
      ]);
      const place = attendees.find((holder: { ticket_id: number }) => holder.ticket_id === items[0]?.ticket_id);
      await move(place.id, items[1]?.ticket_id);
      expect(await taxOf(id)).toEqual([
        [19_000, 160],
        [7000, 130],
      ]);
    });
  });

  it('charges no fee on free places, and fees at the counter', async () => {
    const event = await makeEvent(server());
    const fee = await make('fees', { name: 'Fee', per: 'order', fixed: 100, event_id: event });
    const free = await makeTicket(server(), event, { ...UNLIMITED, price: '0' });
    expect(await sold(free.id, 1)).toMatchObject({ total: 0, charges: [] });
    const { id } = await makeTicket(server(), event, { ...UNLIMITED, price: '10' });
    const sale = (payment: string, line = {}) =>
      server().ask('POST admin:/orders', {
        as: 'administrator',
        body: { items: [{ ticket_id: id, quantity: 2, ...line }], payment, reason: 'Guests' },
      });
    const order = await sale('cash');
    expect(order).toMatchObject({ status: 201, body: { total: { minor: 2100 } } });
    expect(await linesOf(server(), order.body.id)).toMatchObject({ total: 2100, charges: [{ amount: 100 }] });
    expect((await sale('free')).status).toBe(400);
    expect((await sale('free', { price: 0 })).body.total.minor).toBe(0);
    await remove('fees', fee.id);
  });

  it('keeps the site from a currency with other decimals while a fee has an amount', async () => {
    server().restart({ given: {} });
    const fee = await make('fees', { name: 'Fee', per: 'order', fixed: 100 });
    await server().context.db.query.updateTable('tickets').set({ price: 0 }).execute();
    const change = (currency: string) => server().ask('PATCH admin:/site', { as: 'administrator', body: { currency } });
    expect((await change('JPY')).status).toBe(400);
    expect((await change('EUR')).status).toBe(200);
    await remove('fees', fee.id);
    expect((await change('USD')).status).toBe(200);
  });

  it('adds up for a series pass, whose parts of different prices may be equal', async () => {
    const rate = await make('tax-rates', SALES_TAX);
    const { events } = await server().make('POST /series', {
      event: { title: 'Walks', start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' },
      recurrence: { rrule: 'FREQ=DAILY;COUNT=3' },
    });
    const event =
      events?.[0]?.id ?? (await server().ask('GET /events', { query: { search: 'Walks' } })).body.events[0].id;
    const { id } = await makeTicket(server(), event, {
      ...UNLIMITED,
      price: '10',
      tax_rate_id: rate.id,
      scope: 'series',
    });
    const { total, items } = await sold(id, 3);
    expect(total).toBe(3266);
    expect(items.reduce((sum, { tax }) => sum + tax, 0)).toBe(266);
    expect(items.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(9);
  });
});
