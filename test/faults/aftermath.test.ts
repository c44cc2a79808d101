import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from '../attendees.ts';
import { makeEverything } from '../fixtures.ts';
import { DATABASES, useTestServer } from '../server.ts';
import { shopperOf } from '../shopper.ts';
import { makeEvent } from '../tickets.ts';
import { findDamage } from './aftermath.ts';
import { Ledger } from './ledger.ts';

describe.each(DATABASES)('the checks after a fault on %s', (kind) => {
  const server = useTestServer(kind);
  const db = () => server().context.db;
  const site = () => ({ db: db(), data: server().context.config.data });
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

  it('find nothing if nothing is wrong', async () => {
    expect(await findDamage(site())).toEqual([]);
  });

  it.each([
    ['what doctor counts', 'UPDATE tickets SET sold = 1', /^tickets.sold of \d+ is 1, counted 3$/],
    ['what doctor misses', 'DELETE FROM order_log', /^\d+ × order whose log does not lead to its status/],
    ['a ticket of which too much was sold', 'UPDATE tickets SET sold = 6', /: more is given away than there is$/],
  ])('notice %s', async (_what, damage, problem) => {
    const undone = new Error('undone');
    const seen = db().transaction(async (trx) => {
      await sql.raw(damage).execute(trx.query);
      expect(await findDamage({ ...site(), db: trx })).toContainEqual(expect.stringMatching(problem));
      throw undone;
    });
    await expect(seen).rejects.toBe(undone);
  });

  it('notice an image without a file, and more stray files than uploads in doubt', async () => {
    const { file } = await db().query.selectFrom('media').select('file').executeTakeFirstOrThrow();
    await writeFile(join(uploads(), 'stray.png'), '');
    expect(await findDamage(site(), 1)).toEqual([]);
    await rm(join(uploads(), file));
    expect(await findDamage(site())).toEqual([
      `1 × file of an image that is gone, such as ${file}`,
      '1 × file of no image, such as stray.png',
    ]);
  });

  it('notice lost acknowledged writes, and accept either outcome of those in doubt', async () => {
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
