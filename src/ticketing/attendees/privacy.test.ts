import { beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeRsvp, makeSeat } from '../../../test/attendees.ts';
import { type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';

describe.each(DATABASES)('private data of attendees on %s', (kind) => {
  const server = useTestServer(kind, { qrApiKey: 'door-key' });
  /** The planted private data, by name. */
  const planted = new Map<string, string>();
  const paths: string[] = [];
  const attendees: number[] = [];

  beforeAll(async () => {
    const event = await makeEvent(server(), { status: 'publish' });
    const secret = await makeEvent(server(), { status: 'private' });
    const rsvp = await makeRsvp(server(), event);
    const seat = await makeSeat(server(), event, 50, { price: '12.34' });
    const closed = await makeSeat(server(), secret);
    const people: [name: string, ticket: number, fields: Record<string, unknown>][] = [
      ['Hidden Hannah', rsvp, {}],
      ['Absent Abraham', rsvp, { attendee_status: 'no', optout: false }],
      ['Modest Maud', seat, { optout: true }],
      ['Private Paula', closed, {}],
      ['Refunded Rupert', seat, {}],
      ['Open Olga', seat, {}],
      ['Open Oskar', rsvp, { optout: false, check_in: true }],
    ];
    for (const [index, [full_name, ticket, fields]] of people.entries()) {
      const email = `planted${index}@secret-mail.test`;
      const made = await makeAttendee(server(), ticket, { full_name, email, ...fields });
      attendees.push(made.id);
      planted.set(`e-mail of ${full_name}`, email);
      if (!full_name.startsWith('Open')) planted.set(`name of ${full_name}`, full_name);
      if (full_name.startsWith('Refunded'))
        await server().make(`PATCH admin:/orders/${made.order}`, { status: 'refunded' });
    }
    const { query } = server().context.db;
    await query.updateTable('attendees').set({ information: '{"meal":"planted-answer"}' }).execute();
    await query
      .updateTable('orders')
      .set({ gateway: 'planted-gateway', purchaser_name: 'Planted Purchaser' })
      .execute();
    planted.set('answer', 'planted-answer').set('gateway', 'planted-gateway').set('purchaser', 'Planted Purchaser');
    const codes = await query.selectFrom('attendees').select(['id', 'security_code']).execute();
    for (const { id, security_code } of codes) planted.set(`code of ${id}`, security_code);
    paths.push('/events', `/events/${event}`, 'tickets:/tickets', 'tickets:/attendees', 'tickets:/cart', 'tickets:/qr');
    paths.push(
      `events:/events/${secret}`,
      'tickets:/attendees?include_post=1',
      'admin:/orders',
      'admin:/check-in-keys',
    );
    for (const ticket of [rsvp, seat, closed])
      paths.push(`tickets:/tickets/${ticket}`, `tickets:/attendees?ticket_id=${ticket}`);
    for (const id of attendees) {
      paths.push(
        `tickets:/attendees/${id}`,
        `tickets:/qr/${id}`,
        `tickets:/qr/${id}?security_code=0123456789`,
        `admin:/attendees/${id}`,
      );
    }
    for (const name of ['planted', 'hannah', 'maud', 'a'])
      paths.push(`tickets:/attendees?name=${name}`, `tickets:/attendees?search=${name}`);
    for (const status of ['any', 'private', 'no', 'refunded'])
      paths.push(`tickets:/attendees?order_status=${status}&status=any`);
  });

  async function leaks(asking: Asking): Promise<string[]> {
    const found: string[] = [];
    for (const path of paths) {
      const { text, headers } = await server().ask(`GET ${path}`, asking);
      const all = `${text}\n${JSON.stringify([...headers])}`;
      for (const [what, value] of planted) if (all.includes(value)) found.push(`${what} in ${path}`);
    }
    return found;
  }

  it.each<[string, Asking]>([
    ['strangers', {}],
    ['subscribers', { as: 'subscriber' }],
    ['authors of other events', { as: 'author' }],
    ['a client with a wrong key', { headers: { 'x-api-key': 'wrong' } }],
  ])('are in no response to %s', async (_name, asking) => {
    expect(await leaks(asking)).toEqual([]);
  });

  it('would be found by this test', async () => {
    const found = await leaks({ as: 'administrator' });
    const missing = [...planted.keys()].filter((what) => !found.some((leak) => leak.startsWith(`${what} in`)));
    expect(missing).toEqual([]);
  });

  it('are not revealed by the matches of a filter', async () => {
    const total = async (query: Record<string, string>) =>
      (await server().ask('GET tickets:/attendees', { query })).body.total;
    expect(await total({ name: 'olga' })).toBe(1);
    for (const name of ['Hannah', 'Abraham', 'Maud', 'Paula', 'Rupert']) {
      expect([name, await total({ name })]).toEqual([name, 0]);
      expect([name, await total({ search: name })]).toEqual([name, 0]);
    }
    expect(await total({ email: 'planted5@secret-mail.test' })).toBeUndefined();
  });
});
