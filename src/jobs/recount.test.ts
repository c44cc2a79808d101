import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeAttendee } from '../../test/attendees.ts';
import { runCommand } from '../../test/commands.ts';
import { DATABASES, useTestServer } from '../../test/server.ts';
import { shopperOf } from '../../test/shopper.ts';
import { makeEvent, makeTicket } from '../../test/tickets.ts';
import { doctorCommand } from '../server/cli/doctor.ts';
import { findWrongCounters, repairCounters } from './recount.ts';

describe.each(DATABASES)('the doctor on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  let eventId: number;
  let ticketId: number;
  let termId: number;
  const db = () => server().context.db;

  /** One seat sold and two held, of shared ones. */
  beforeEach(async () => {
    await repairCounters(db());
    eventId = await makeEvent(server(), { categories: 'Jazz' });
    const { body } = await server().ask(`GET /events/${eventId}`);
    termId = body.categories[0].id;
    ticketId = (await makeTicket(server(), eventId, { ticket: { mode: 'global', event_capacity: 9 } })).id;
    await makeAttendee(server(), ticketId);
    await shopperOf(server()).put([{ ticket_id: ticketId, quantity: 2 }]);
  });

  const spoil = (statement: string, id: number) => sql`${sql.raw(statement)} ${id}`.execute(db().query);
  const spoilAll = async () => {
    await spoil('UPDATE tickets SET sold = 5, held = 0 WHERE id =', ticketId);
    await spoil('UPDATE event_stock SET sold = 0, held = 9 WHERE event_id =', eventId);
    await spoil('UPDATE terms SET count = 40 WHERE id =', termId);
  };

  async function run(...args: string[]) {
    const { status, out, errors } = await runCommand(doctorCommand, server().context, args);
    return { status, printed: out, errors };
  }

  it('finds lost counts of changes, and counts again', async () => {
    const versionOf = () => db().dialect.dataVersion(db());
    await sql`DELETE FROM data_versions WHERE part = 'seats'`.execute(db().query);
    const lost = await run();
    expect([lost.status, lost.printed[1]]).toEqual([1, 'changes of seats are not counted']);
    expect(lost.errors.join()).toContain('doctor --fix');
    expect((await run('--fix')).printed[1]).toBe('changes of seats are counted again');
    expect((await run()).status).toBe(0);
    const before = await versionOf();
    expect(await versionOf()).toEqual(before);
    await makeAttendee(server(), ticketId);
    expect((await versionOf()).seats).not.toBe(before.seats);
  });

  it('reports that all counters are consistent and all records complete', async () => {
    expect(await findWrongCounters(db())).toEqual([]);
    const printed = ['All counters are consistent.', 'All records are complete.', 'The books are consistent.'];
    expect(await run()).toEqual({ status: 0, printed, errors: [] });
  });

  it.each([
    ['tickets.sold', 'UPDATE tickets SET sold = 7 WHERE id =', () => ticketId, { stored: 7, counted: 1 }],
    ['tickets.held', 'UPDATE tickets SET held = 0 WHERE id =', () => ticketId, { stored: 0, counted: 2 }],
    ['event_stock.sold', 'UPDATE event_stock SET sold = 0 WHERE event_id =', () => eventId, { stored: 0, counted: 1 }],
    ['event_stock.held', 'UPDATE event_stock SET held = 3 WHERE event_id =', () => eventId, { stored: 3, counted: 2 }],
  ])('finds a wrong %s and corrects it', async (counter, statement, id, numbers) => {
    await spoil(statement, id());
    const finding = { counter, id: id(), ...numbers };
    const others = counter.startsWith('tickets') ? [counter.replace('tickets', 'event_stock')] : [];
    const findings = await findWrongCounters(db());
    expect(findings[0]).toEqual(finding);
    expect(findings.slice(1).map((other) => other.counter)).toEqual(others);
    expect(await repairCounters(db())).toEqual([finding]);
    expect(await findWrongCounters(db())).toEqual([]);
  });

  it('finds a term with a wrong count of its events', async () => {
    await spoil('UPDATE terms SET count = count + 1 WHERE id =', termId);
    expect(await findWrongCounters(db())).toMatchObject([{ counter: 'terms.count', id: termId }]);
    await repairCounters(db());
    expect(await findWrongCounters(db())).toEqual([]);
  });

  it('corrects the tickets before the shared seats, whose counters are their sums', async () => {
    await spoilAll();
    await repairCounters(db());
    const stock = await db().query.selectFrom('event_stock').selectAll().where('event_id', '=', eventId).execute();
    expect(stock).toMatchObject([{ sold: 1, held: 2, capacity: 9 }]);
  });

  it('ends with status 1 for inconsistent counters, and corrects them with --fix', async () => {
    await spoilAll();
    const report = await run();
    expect(report.status).toBe(1);
    expect(report.printed).toContain(`tickets.sold of ${ticketId} is 5, counted 1`);
    expect(report.errors.join()).toMatch(/Inconsistent counters: 5.*doctor --fix/);
    const repaired = await run('--fix');
    expect(repaired).toMatchObject({ status: 0, errors: [] });
    expect(repaired.printed).toContain('Counters corrected: 5.');
    expect((await run()).status).toBe(0);
  });

  it('reports incomplete records, which --fix cannot correct, and image files without a record, which do no harm', async () => {
    const uploads = join(server().context.config.data, 'uploads');
    await mkdir(uploads, { recursive: true });
    await writeFile(join(uploads, 'stray.png'), '');
    expect(await run()).toMatchObject({
      status: 0,
      printed: [
        'All counters are consistent.',
        '1 × file that belongs to no image (harmless), such as stray.png',
        'All records are complete.',
        'The books are consistent.',
      ],
    });
    await spoil('DELETE FROM event_stock WHERE event_id =', eventId);
    for (const args of [[], ['--fix']]) {
      const { status, printed, errors } = await run(...args);
      expect([status, errors.join()]).toEqual([1, expect.stringMatching(/only be restored from a backup/)]);
      expect(printed).toContain(`1 × ticket without the shared places of its event, such as ${ticketId}`);
    }
  });
});
