import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type TestServer, useTestServer } from '../../../test/server.ts';
import { editTicket, makeEvent, makeTicket } from '../../../test/tickets.ts';
import { takeSeats } from '../seats/seat-counters.ts';
import { findSharedSeats } from './store.ts';

const server = useTestServer('postgres');

/** Until a statement waits for the lock of another transaction. */
async function untilBlocked({ context }: TestServer): Promise<void> {
  const blocked = sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await blocked.execute(context.db.query)).rows.length === 0);
}

it('An uncommitted sale is counted when another ticket of the event begins to share', async () => {
  const post_id = await makeEvent(server());
  const joining = await makeTicket(server(), post_id, { ticket: { mode: 'own', capacity: 9 } });
  const selling = await makeTicket(server(), post_id, { ticket: { mode: 'global', event_capacity: 20 } });
  const { db } = server().context;
  const edit = await db.transaction(async (sale) => {
    await takeSeats(sale, [{ ticket_id: selling.id, quantity: 3 }], 'sold');
    const running = editTicket(server(), joining.id, { post_id, ticket: { mode: 'capped' } });
    await untilBlocked(server());
    return { running };
  });
  expect((await edit.running).status).toBe(202);
  expect(await findSharedSeats(db, post_id)).toMatchObject({ capacity: 20, sold: 3 });
});
