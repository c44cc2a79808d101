import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeAttendee } from '../../test/attendees.ts';
import { DATABASES, useTestServer } from '../../test/server.ts';
import { shopperOf } from '../../test/shopper.ts';
import { makeEvent, makeTicket } from '../../test/tickets.ts';
import { doctorCommand } from '../cli/doctor.ts';
import { examine, repair } from './recount.ts';

describe.each(DATABASES)('doctor on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  let eventId: number;
  let ticketId: number;
  let termId: number;
  const db = () => server().context.db;

  /** One place sold and two held, of shared ones. */
  beforeEach(async () => {
    await repair(db());
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
    const printed: string[] = [];
    const errors: string[] = [];
    const status = await doctorCommand.run(args, {
      openContext: async () => ({ ...server().context, close: async () => undefined }),
      print: (line) => void printed.push(line),
      printError: (line) => void errors.push(line),
      readSecret: async () => '',
    });
    return { status, printed, errors };
  }

  it('finds nothing where every number is right, and says so', async () => {
    expect(await examine(db())).toEqual([]);
    const printed = ['Every number is right.', 'Every record is whole.'];
    expect(await run()).toEqual({ status: 0, printed, errors: [] });
  });

  it.each([
    ['tickets.sold', 'UPDATE tickets SET sold = 7 WHERE id =', () => ticketId, { stored: 7, counted: 1 }],
    ['tickets.held', 'UPDATE tickets SET held = 0 WHERE id =', () => ticketId, { stored: 0, counted: 2 }],
    ['event_stock.sold', 'UPDATE event_stock SET sold = 0 WHERE event_id =', () => eventId, { stored: 0, counted: 1 }],
    ['event_stock.held', 'UPDATE event_stock SET held = 3 WHERE event_id =', () => eventId, { stored: 3, counted: 2 }],
  ])('finds %s that is off and puts it right', async (counter, statement, id, numbers) => {
    await spoil(statement, id());
    const finding = { counter, id: id(), ...numbers };
    const others = counter.startsWith('tickets') ? [counter.replace('tickets', 'event_stock')] : [];
    const findings = await examine(db());
    expect(findings[0]).toEqual(finding);
    expect(findings.slice(1).map((other) => other.counter)).toEqual(others);
    expect(await repair(db())).toEqual([finding]);
    expect(await examine(db())).toEqual([]);
  });

  it('finds a term that miscounts its events', async () => {
    await spoil('UPDATE terms SET count = count + 1 WHERE id =', termId);
    expect(await examine(db())).toMatchObject([{ counter: 'terms.count', id: termId }]);
    await repair(db());
    expect(await examine(db())).toEqual([]);
  });

  it('repairs shared places by what the tickets are after their own repair', async () => {
    await spoilAll();
    await repair(db());
    const stock = await db().query.selectFrom('event_stock').selectAll().where('event_id', '=', eventId).execute();
    expect(stock).toMatchObject([{ sold: 1, held: 2, capacity: 9 }]);
  });

  it('reports as a command with status 1, and with --fix mends', async () => {
    await spoilAll();
    const report = await run();
    expect(report.status).toBe(1);
    expect(report.printed).toContain(`tickets.sold of ${ticketId} says 5, counted 1`);
    expect(report.errors.join()).toMatch(/5 numbers are off.*doctor --fix/);
    const repaired = await run('--fix');
    expect(repaired).toMatchObject({ status: 0, errors: [] });
    expect(repaired.printed).toContain('Put right: 5.');
    expect((await run()).status).toBe(0);
  });

  it('reports what is incomplete, which --fix does not mend, and files of no image, which do no harm', async () => {
    const uploads = join(server().context.config.data, 'uploads');
    await mkdir(uploads, { recursive: true });
    await writeFile(join(uploads, 'stray.png'), '');
    expect(await run()).toMatchObject({
      status: 0,
      printed: [
        'Every number is right.',
        '1 × file of no image, such as stray.png; these do no harm',
        'Every record is whole.',
      ],
    });
    await spoil('DELETE FROM event_stock WHERE event_id =', eventId);
    for (const args of [[], ['--fix']]) {
      const { status, printed, errors } = await run(...args);
      expect([status, errors.join()]).toEqual([1, expect.stringMatching(/Something is incomplete/)]);
      expect(printed).toContain(`1 × ticket without the shared places of its event, such as ${ticketId}`);
    }
  });
});
