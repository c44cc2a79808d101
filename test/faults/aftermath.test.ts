import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from '../attendees.ts';
import { makeEverything } from '../everything.ts';
import { DATABASES, useTestServer } from '../server.ts';
import { shopperOf } from '../shopper.ts';
import { makeEvent } from '../tickets.ts';
import { findHalfRecords, findStrayFiles } from './aftermath.ts';
import { Ledger } from './ledger.ts';

describe.each(DATABASES)('the checks after a fault on %s', (kind) => {
  const server = useTestServer(kind);
  const db = () => server().context.db;
  const uploads = () => join(server().context.config.data, 'uploads');
  let event: number;
  let attendee: number;

  beforeAll(async () => {
    ({ event } = await makeEverything(server()));
    const ticket = await makeSeat(server(), await makeEvent(server()), 5, { price: '0' });
    attendee = (await makeAttendee(server(), ticket)).id;
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: ticket, quantity: 2 }]);
    await shopper.checkout();
    await server().make(`POST /events/${event}`, { title: 'Marche', i18n_language: 'fr' });
  });

  it('find nothing where nothing is wrong', async () => {
    expect(await findHalfRecords(db())).toEqual([]);
    expect(await findStrayFiles(db(), uploads())).toEqual([]);
  });

  it.each([
    ['an order that lost its items', 'DELETE FROM order_items', 'order without items'],
    ['an order that lost an attendee', 'DELETE FROM attendees WHERE order_id > 0', 'order without its attendees'],
    ['an order that lost its log', 'DELETE FROM order_log', 'order whose log does not lead to its status'],
    [
      'an attendee of another status than the order',
      "UPDATE attendees SET standing = 'failed'",
      'attendee whose order',
    ],
    ['links of an event that moved', "UPDATE event_links SET start_date = '1999-01-01'", 'event whose links'],
    ['a term that is linked to and gone', 'DELETE FROM terms', 'link to no term'],
    ['a translation whose event is gone', 'UPDATE translations SET record_id = 999999', 'translation of no event'],
    ['a ticket of which too much was sold', 'UPDATE tickets SET sold = 6', 'ticket of which more is given away'],
  ])('notice %s', async (_what, damage, problem) => {
    const undone = new Error('undone');
    const seen = db().transaction(async (trx) => {
      await sql.raw(damage).execute(trx.query);
      expect(await findHalfRecords(trx)).toContainEqual(expect.stringContaining(problem));
      throw undone;
    });
    await expect(seen).rejects.toBe(undone);
  });

  it('notice an image without its file, and a file of no image', async () => {
    const { file } = await db().query.selectFrom('media').select('file').executeTakeFirstOrThrow();
    await writeFile(join(uploads(), 'stray.png'), '');
    await rm(join(uploads(), file));
    expect(await findStrayFiles(db(), uploads())).toEqual([
      `1 × image without its file, such as ${file}`,
      '1 × file of no image, such as stray.png',
    ]);
  });

  it('notice what was acknowledged and is lost, and accept what was in doubt', async () => {
    const ledger = new Ledger();
    ledger.made('attendees', attendee);
    ledger.made('events', event);
    ledger.isCalled(event, 'Lantern Walk');
    ledger.mayBeCalled(event, 'In doubt');
    expect(await ledger.findLost(db())).toEqual([]);
    await server().make(`POST /events/${event}`, { title: 'In doubt' });
    expect(await ledger.findLost(db())).toEqual([]);
    ledger.isCalled(event, 'Lantern Walk', 'In doubt');
    await db().query.deleteFrom('attendees').where('id', '=', attendee).execute();
    ledger.isRemoved(event);
    expect(await ledger.findLost(db())).toEqual([
      `attendees ${attendee} was acknowledged and is lost`,
      `event ${event} is called "In doubt", not Lantern Walk`,
      `event ${event} was removed and is there`,
    ]);
  });
});
