import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeRsvp, makeSeat } from '../../test/attendees.ts';
import { makeEverything } from '../../test/fixtures.ts';
import { BOTH_DATABASES, useTestServer } from '../../test/server.ts';
import { shopperOf } from '../../test/shopper.ts';
import { makeEvent, makeTicket } from '../../test/tickets.ts';
import { findIncompleteRecords } from './integrity.ts';

/** Disables foreign keys for the transaction, to cause damage that they prevent. */
const WITHOUT_KEYS = {
  sqlite: 'PRAGMA defer_foreign_keys = ON',
  postgres: 'SET LOCAL session_replication_role = replica',
};

describe.each(BOTH_DATABASES)('the search for incomplete records on %s', (kind) => {
  const server = useTestServer(kind);
  const db = () => server().context.db;

  beforeAll(async () => {
    const { ask, make } = server();
    const { event, venue, category } = await makeEverything(server());
    const second = await makeEvent(server());
    const seat = await makeSeat(server(), second, 5, { price: '0' });
    await makeTicket(server(), second, { ticket: { mode: 'global', event_capacity: 9 } });
    const guest = await makeAttendee(server(), await makeRsvp(server(), second));
    await make(`PATCH tickets:/attendees/${guest.id}`, { check_in: true });
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: seat, quantity: 2 }]);
    await shopper.checkout();
    await shopperOf(server()).put([{ ticket_id: seat, quantity: 1 }]);
    const french = { i18n_language: 'fr' };
    await make(`POST /events/${event}`, { title: 'Marche', ...french });
    await make(`POST /venues/${venue}`, { venue: 'Salle', ...french });
    await make(`POST /categories/${category}`, { name: 'Marches', ...french });
    const removed = await makeEvent(server());
    await makeAttendee(server(), await makeSeat(server(), removed, 5));
    await ask(`DELETE /events/${removed}?force=true`, { as: 'administrator' });
  });

  it('finds nothing if all records are complete or were removed with their event', async () => {
    expect(await findIncompleteRecords(db())).toEqual([]);
  });

  it.each([
    [
      "UPDATE records SET kind = 'none'",
      ['event', 'media', 'ticket', 'attendee', 'order'].map((what) => `${what} without its entry in the table of ids`),
    ],
    ["UPDATE records SET kind = 'none'", ['venue or organizer without its entry in the table of ids']],
    [
      'UPDATE tickets SET event_id = 999999',
      ['ticket without its event', 'attendee without its ticket, or of another event'],
    ],
    ['DELETE FROM event_stock', ['ticket without the shared places of its event']],
    ['DELETE FROM tickets', ['attendee without its ticket, or of another event', 'cart item without its ticket']],
    [
      'DELETE FROM orders',
      ['attendee without its order', 'order item without its order', 'log entry without its order'],
    ],
    ["UPDATE attendees SET attendance_status = 'failed'", ['attendee whose order has another status']],
    ['DELETE FROM order_items', ['order without items', 'order without its attendees']],
    ['DELETE FROM attendees WHERE order_id > 0', ['order without its attendees']],
    ['DELETE FROM order_log', ['order whose log does not lead to its status']],
    ['DELETE FROM attendees', ['check-in without its attendee']],
    ['DELETE FROM carts', ['cart item without its cart']],
    ["UPDATE event_links SET start_date = '1999-01-01'", ['event whose links have other dates or another status']],
    ['UPDATE event_links SET event_id = 999999', ['link without its event']],
    ['DELETE FROM linked_posts', ['link to a missing venue or organizer', 'translation of a missing venue']],
    ['DELETE FROM terms', ['link to a missing term', 'translation of a missing category']],
    [
      'UPDATE translations SET record_id = 999999',
      ['translation of a missing event', 'translation of a missing venue', 'translation of a missing category'],
    ],
    [
      "UPDATE translations SET record_id = 999999, kind = 'ticket' WHERE kind = 'event'",
      ['translation of a missing ticket'],
    ],
    ['DELETE FROM media', ['event without its image', 'venue or organizer without its image']],
  ])('finds the incomplete records after %s', async (damage, expected) => {
    const undone = new Error('undone');
    const seen = db().transaction(async (trx) => {
      await sql.raw(WITHOUT_KEYS[kind]).execute(trx.query);
      await sql.raw(damage).execute(trx.query);
      const found = await findIncompleteRecords(trx);
      expect(found.map(({ what }) => what)).toEqual(expect.arrayContaining(expected));
      for (const { count, example } of found) expect([count > 0, Number.isInteger(example)]).toEqual([true, true]);
      throw undone;
    });
    await expect(seen).rejects.toBe(undone);
  });
});
