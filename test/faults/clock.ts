import { findIncompleteRecords } from '../../src/db/integrity.ts';
import { PERIODIC_JOBS } from '../../src/jobs/periodic.ts';
import { findWrongCounters } from '../../src/jobs/recount.ts';
import { makeAttendee, makeSeat } from '../attendees.ts';
import { DATABASES, startTestServer, type TestServer } from '../server.ts';
import { shopperOf, wait } from '../shopper.ts';
import { makeEvent } from '../tickets.ts';
import type { Part, Setup } from './part.ts';

const DAY = 24 * 60;
/** Minutes that the clock jumps by. */
const JUMPS = [DAY, -DAY, 30, -30, -2 * DAY, 3 * DAY, -DAY];
const CAPACITY = 4;

type Check = (what: string, isSo: boolean) => void;

async function run({ kind, postgresUrl, isShort }: Setup) {
  const rounds = isShort ? 1 : 20;
  const problems: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startTestServer(kind, {}, { postgresUrl });
    try {
      const check: Check = (what, isSo) => void (isSo || problems.push(what));
      // Each round starts at another jump, so that each comes first once.
      const jumps = JUMPS.map((_, index) => JUMPS[(index + round) % JUMPS.length] ?? 0);
      await duringHolds(server, jumps, check);
      await duringSales(server, check);
      await duringRepeats(server, check);
      await duringLimits(server, check);
    } finally {
      await server.close();
    }
  }
  const did = `${JUMPS.length} jumps, up to three days forward and two back, ${rounds} times`;
  return { did, figures: { jumps: rounds * JUMPS.length }, problems };
}

async function jobs({ context }: TestServer): Promise<void> {
  for (const { work } of PERIODIC_JOBS) await work(context);
}

/** Carts and unpaid orders: wherever the clock jumps to, no seat is sold twice and none is lost permanently. */
async function duringHolds(server: TestServer, jumps: readonly number[], check: Check): Promise<void> {
  const { db } = server.context;
  const ticket = await makeSeat(server, await makeEvent(server), CAPACITY);
  const given = async () =>
    db.query.selectFrom('tickets').select(['held', 'sold']).where('id', '=', ticket).executeTakeFirstOrThrow();
  for (const minutes of jumps) {
    const shopper = shopperOf(server);
    await shopper.put([{ ticket_id: ticket, quantity: 1 }]);
    wait(server, minutes);
    await jobs(server);
    const { status } = await shopper.checkout();
    check(`a checkout after a jump of ${minutes} minutes is answered ${status}`, status < 500);
    const { held, sold } = await given();
    check(`${held} held and ${sold} sold of ${CAPACITY}`, held >= 0 && sold >= 0 && held + sold <= CAPACITY);
    check(`doctor finds something after a jump of ${minutes} minutes`, (await findWrongCounters(db)).length === 0);
    for (const { what } of await findIncompleteRecords(db)) check(`${what} after a jump of ${minutes} minutes`, false);
  }
  // After everything has expired, nothing is held.
  wait(server, 10 * DAY);
  await jobs(server);
  check('places are held for ever', (await given()).held === 0);
}

/** A sale of one day is open on that day only, however the clock reached it. */
async function duringSales(server: TestServer, check: Check): Promise<void> {
  const day = (offset: number) => new Date(server.clock.now.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
  const window = { start_date: day(-1), end_date: day(1) };
  const event = await makeEvent(server, { start_date: '2037-03-06 18:30:00', end_date: '2037-03-06 21:00:00' });
  const ticket = await makeSeat(server, event, CAPACITY, window);
  for (const [minutes, isOpen] of [
    [0, true],
    [3 * DAY, false],
    [-3 * DAY, true],
    [-4 * DAY, false],
    [4 * DAY, true],
  ] as const) {
    wait(server, minutes);
    const shopper = shopperOf(server);
    const { status } = await shopper.put([{ ticket_id: ticket, quantity: 1 }]);
    check(
      `a sale that is ${isOpen ? 'open' : 'closed'} responds with ${status}`,
      isOpen === (status === 200) && status < 500,
    );
    if (isOpen) await shopper.put([{ ticket_id: ticket, quantity: 0 }]);
  }
}

/** A repeated request is not executed again, although the clock went back in between. */
async function duringRepeats(server: TestServer, check: Check): Promise<void> {
  const ticket = await makeSeat(server, await makeEvent(server), CAPACITY, { price: '0' });
  const shopper = shopperOf(server);
  await shopper.put([{ ticket_id: ticket, quantity: 1 }]);
  const headers = { 'idempotency-key': 'the-same' };
  const first = await shopper.checkout({}, { headers });
  for (const minutes of [-DAY, 60, DAY - 60]) {
    wait(server, minutes);
    const again = await shopper.checkout({}, { headers });
    const isSame = again.status === first.status && again.text === first.text;
    check(`a repeated checkout is answered ${again.status} after a jump of ${minutes} minutes`, isSame);
  }
}

/** A clock that goes back does not lock out clients forever that sent too many wrong passwords. */
async function duringLimits(server: TestServer, check: Check): Promise<void> {
  const authorization = `Basic ${Buffer.from('editor:wrong').toString('base64')}`;
  for (let index = 0; index < 12; index += 1)
    await server.request('/calendar/events/v1/events', { headers: { authorization } });
  wait(server, -DAY);
  const wrong = await server.request('/calendar/events/v1/events', { headers: { authorization } });
  check(
    `a wrong password is answered ${wrong.status} after the clock went back`,
    [401, 403, 429].includes(wrong.status),
  );
  wait(server, 3 * DAY);
  const right = await server.ask('GET /events', { as: 'editor', query: { status: 'draft' } });
  check(`the right password is answered ${right.status} days later`, right.status === 200);
  await makeAttendee(server, await makeSeat(server, await makeEvent(server)));
}

export const clock: Part = {
  name: 'clock',
  about:
    'The clock jumps, during holds, sales, repeated requests and limits: no place twice, none lost, no request twice.',
  databases: DATABASES,
  usual: 'sqlite',
  run,
};
