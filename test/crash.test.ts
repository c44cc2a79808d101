import { describe, expect, inject, it } from 'vitest';
import { examine } from '../src/resources/tickets/doctor.ts';
import { attend, checkout, hold, openEvent, openTicket } from './box-office.ts';
import { effort } from './effort.ts';
import { DATABASES } from './server.ts';
import { type Servers, startServers } from './two-servers.ts';

const ROUNDS = effort(10, 2);
const CALLERS = 64;
const CAPACITY = 500;
/** Answers after which the process is killed, so that many more requests are under way. */
const ANSWERS = 50;

/** Buys until the process is killed in the midst of it; gives the ids of the attendees whose sale was acknowledged. */
async function sellUntilKilled(servers: Servers, ticketId: number): Promise<number[]> {
  const sold: number[] = [];
  let requests = 0;
  let answers = 0;
  let killed: Promise<void> | undefined;
  const caller = async () => {
    while (!killed) {
      // What is asked of a process that is killed meanwhile fails.
      sold.push(...(await buy(servers, ticketId, requests++).catch(() => [])));
      answers += 1;
      if (answers === ANSWERS) killed = servers.kill(0);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  await killed;
  return sold;
}

/** One place, by making an attendee or by cart. */
async function buy(servers: Servers, ticketId: number, index: number): Promise<number[]> {
  if (index % 2 === 0) {
    const { status, body } = await attend(servers, ticketId, index);
    return status === 201 ? [body.id] : [];
  }
  const held = await hold(servers, ticketId);
  if (held.status !== 200) return [];
  const { status, body } = await checkout(servers, held);
  return status === 201 ? body.attendees.map(({ id }: { id: number }) => id) : [];
}

describe.each(DATABASES)('a server on %s that is killed while it sells', (kind) => {
  it('has every sale it acknowledged, and every number right', { timeout: 180_000 }, async () => {
    const servers = await startServers(kind, { postgresUrl: inject('postgresUrl'), processes: 1 });
    try {
      const ticketId = await openTicket(servers, await openEvent(servers), { mode: 'own', capacity: CAPACITY });
      const acknowledged: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        acknowledged.push(...(await sellUntilKilled(servers, ticketId)));
        await servers.restart(0);
        await expectWhole(servers, { ticketId, acknowledged });
      }
      expect(acknowledged.length).toBeGreaterThan(ROUNDS);
    } finally {
      await servers.close();
    }
  });
});

async function expectWhole(
  { db }: Servers,
  { ticketId, acknowledged }: { ticketId: number; acknowledged: readonly number[] },
): Promise<void> {
  expect(await examine(db)).toEqual([]);
  const attendees = await db.query.selectFrom('attendees').select('id').where('ticket_id', '=', ticketId).execute();
  const kept = new Set(attendees.map(({ id }) => id));
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  const { sold, held } = await db.query
    .selectFrom('tickets')
    .select(['sold', 'held'])
    .where('id', '=', ticketId)
    .executeTakeFirstOrThrow();
  expect(sold + held).toBeLessThanOrEqual(CAPACITY);
}
