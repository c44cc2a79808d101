import { beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { ADA, shopperOf } from '../../../test/shopper.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';

const HOSTILE = {
  '<img src=x onerror=alert(1)>diet': '<script>alert(1)</script>vegan',
  nested: { '<b>a</b>': ['<svg onload=alert(1)>x', { '</td><td>c': '"><iframe src=//evil.test>' }] },
  remarks: 'first line\nsecond <b>line</b>\u202e',
  count: 2,
};
const PLAIN = { diet: 'vegan', nested: { a: ['x', { c: '">' }] }, remarks: 'first line\nsecond line', count: 2 };

describe.each(DATABASES)('answers of a registration on %s', (kind) => {
  const server = useTestServer(kind);
  let ticket_id = 0;

  beforeAll(async () => {
    const eventId = await makeEvent(server());
    ticket_id = (await makeTicket(server(), eventId, { price: '0', ticket: { mode: 'own', capacity: 500 } })).id;
  });

  const read = async (id: number) => (await server().ask(`GET tickets:/attendees/${id}`, { as: 'editor' })).body;
  const stored = async (id: number) => {
    const rows = server().context.db.query.selectFrom('attendees').select('information').where('id', '=', id);
    return JSON.parse((await rows.executeTakeFirstOrThrow()).information);
  };
  async function shopper(more: Record<string, unknown> = {}) {
    const made = shopperOf(server());
    expect((await made.put([{ ticket_id, quantity: 1 }], more)).status).toBe(200);
    return made;
  }

  it('are stored and shown as plain text when they come with the cart', async () => {
    const visitor = await shopper({ meta: [{ ticket_id, items: [HOSTILE] }] });
    expect((await visitor.look()).body.meta[0].items).toEqual([PLAIN]);
    const { body } = await visitor.checkout();
    expect(await stored(body.attendees[0].id)).toEqual(PLAIN);
    expect((await read(body.attendees[0].id)).information).toEqual(PLAIN);
  });

  it('are stored and shown as plain text when they come with the checkout', async () => {
    const visitor = await shopper();
    const { body } = await visitor.checkout({ attendees: [{ ticket_id, information: HOSTILE }] });
    expect(await stored(body.attendees[0].id)).toEqual(PLAIN);
    expect((await read(body.attendees[0].id)).information).toEqual(PLAIN);
    const listed = await server().ask('GET tickets:/attendees', { as: 'editor', query: { ticket_id, per_page: 100 } });
    expect(listed.text).not.toMatch(/<\/?[a-z]/i);
  });

  it('are plain text when they come from a form', async () => {
    const form = new URLSearchParams({
      provider: 'tc',
      'tickets[0][ticket_id]': String(ticket_id),
      'tickets[0][quantity]': '1',
      'meta[0][ticket_id]': String(ticket_id),
      'meta[0][items][0][<img src=x onerror=1>diet]': '<b>vegan',
    });
    const answer = await server().ask('POST tickets:/cart', { form });
    expect(answer.body.meta[0].items).toEqual([{ diet: 'vegan' }]);
  });

  it.each([
    ['a key that is empty without its tags', { '<img onerror=1>': 'x' }],
    ['two keys that are the same without tags', { meal: 'a', '<b>meal</b>': 'b' }],
    ['the name of the prototype behind tags', { '__pro<b></b>to__': { polluted: true } }],
    ['six levels', { a: { a: { a: { a: { a: { a: 1 } } } } } }],
    ['two hundred and one answers', Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`q${index}`, 'x']))],
    ['more than 20,000 characters', { essay: 'x'.repeat(20_001) }],
    ['a key of 201 characters', { ['k'.repeat(201)]: 'x' }],
  ])(
    'that have %s are refused, in the cart and at checkout, and nothing is lost silently',
    async (_what, information) => {
      const visitor = await shopper();
      const put = await visitor.put([], { meta: [{ ticket_id, items: [information] }] });
      expect([put.status, Object.keys(put.body.data.params)]).toEqual([400, ['meta']]);
      const bought = await visitor.checkout({ attendees: [{ ticket_id, information }] });
      expect([bought.status, Object.keys(bought.body.data.params)]).toEqual([400, ['attendees']]);
      expect((await visitor.checkout()).status).toBe(201);
    },
  );

  it('that earlier versions stored unchanged are plain text when they are read', async () => {
    const { body } = await (await shopper()).checkout();
    const { id } = body.attendees[0];
    const information = JSON.stringify({ ...HOSTILE, '<img>': 1, '<br>': 2 });
    await server().context.db.query.updateTable('attendees').set({ information }).where('id', '=', id).execute();
    expect((await read(id)).information).toEqual({ ...PLAIN, answer: 1, 'answer 2': 2 });

    const visitor = await shopper({ meta: [{ ticket_id, items: [{ diet: 'x' }] }] });
    const meta = JSON.stringify({ [ticket_id]: [HOSTILE] });
    await server().context.db.query.updateTable('carts').set({ meta }).execute();
    expect((await visitor.look()).body.meta[0].items).toEqual([PLAIN]);
    const bought = await visitor.checkout();
    expect(await stored(bought.body.attendees[0].id)).toEqual(PLAIN);
  });

  it('leave the names and addresses of attendees and customers plain too', async () => {
    const visitor = await shopper();
    const purchaser = { name: 'Ada\r\nBcc: x@evil.test <script>alert(1)</script>\u202egnp.exe', email: ADA.email };
    const guest = { ticket_id, full_name: '<svg onload=1>Grace\u0000\u001b[31m\nHill', email: 'grace@example.test' };
    const { body } = await visitor.checkout({ purchaser, attendees: [guest] });
    const order = await server().ask(`GET admin:/orders/${body.order.id}`, { as: 'administrator' });
    expect(order.body.purchaser.name).toBe('Ada Bcc: x@evil.test gnp.exe');
    expect(order.body.attendees[0].name).toBe('Grace[31m Hill');
    for (const email of ['<b>ada@example.test', '"<script>"@example.test', 'ada@example.test\r\nBcc: x@evil.test']) {
      const refused = await (await shopper()).checkout({ purchaser: { name: 'Ada', email } });
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid-purchaser-info']);
    }
  });
});
