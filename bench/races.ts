/**
 * The benchmark of sales and check-ins: many clients at two processes on one database. What it does and how to read it:
 * README.md beside it.
 */
import { parseArgs } from 'node:util';
import { findWrongCounters } from '../src/jobs/recount.ts';
import { attend, checkout, hold, openDoor, openEvent, openTicket } from '../test/race-actions.ts';
import type { DatabaseKind } from '../test/server.ts';
import { createClient, crowd, type RaceAnswer, type Servers, startServers } from '../test/two-servers.ts';
import { giveResponses, recorded } from './bare.ts';
import { type CallerFigures, measureCallers, onDatabases } from './callers.ts';
import { start } from './process.ts';
import { verdict } from './verdicts.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    attempts: { type: 'string', default: '5000' },
    people: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
  },
});
const only = new RegExp(options.only, 'i');
const ATTEMPTS = Number(options.attempts);
const CAPACITY = 500;
const CALLERS = 64;
const PEOPLE = Number(options.people);
const SCANNERS = 32;
/** The fastest counts: what else a machine does only ever slows. */
const ROUNDS = Number(options.rounds);

/** A second, by two processes. */
const WANTED = {
  sqlite: { attempts: 4000, checkIns: 4000 },
  postgres: { attempts: 1500, checkIns: 2500 },
};

type Measured = CallerFigures & { answers: RaceAnswer[] };

interface Bare {
  client: ReturnType<typeof createClient>;
  close(): Promise<void>;
}

/** Two processes of bare node:http that send the same response to every request. */
async function startBare({ body }: RaceAnswer): Promise<Bare> {
  const servers = [await start(['bench/baseline.ts']), await start(['bench/baseline.ts'])];
  const headers = [['Content-Type', 'application/json; charset=UTF-8']] as const;
  const response = recorded({ status: 200, headers, body: Buffer.from(JSON.stringify(body)) });
  for (const server of servers) await giveResponses([response], server);
  const client = createClient(() => servers.map(({ address }) => address));
  return {
    client,
    async close() {
      client.close();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

const fastest = <T extends CallerFigures>(rounds: readonly T[]): T =>
  rounds.reduce((best, round) => (round.rate > best.rate ? round : best));

/** Alternates rounds of Marquee and the bare server, so that other load on the machine affects both. */
async function compare(name: string, body: object, { callers, wanted, round }: Competition) {
  const ours: Measured[] = [];
  const theirs: CallerFigures[] = [];
  let bare: Bare | undefined;
  for (let index = 0; index < ROUNDS; index += 1) {
    const measured = await round();
    const answer = measured.answers.at(-1);
    if (!answer) throw new Error('nothing was asked');
    ours.push(measured);
    bare ??= await startBare(answer);
    const { ask } = bare.client;
    theirs.push(await measureCallers(ATTEMPTS, callers, () => ask('POST tickets:/attendees', { body })));
  }
  await bare?.close();
  print(name, { ...fastest(ours), wanted }, fastest(theirs));
}

interface Competition {
  callers: number;
  /** A second, at least. */
  wanted: number;
  round(): Promise<Measured>;
}

function print(
  name: string,
  { rate, wanted, p50, p99 }: CallerFigures & { wanted: number },
  bare: CallerFigures,
): void {
  const share = `${((rate / bare.rate) * 100).toFixed(0)} %`;
  const columns = [rate.toFixed(0), String(wanted), verdict(rate >= wanted), p50.toFixed(1), p99.toFixed(1), share];
  console.log(name.padEnd(28), columns.map((column) => column.padStart(9)).join(' '), `of ${bare.rate.toFixed(0)}`);
}

/** Checks that exactly the available seats were sold: speed without that is worth nothing. */
async function expectSold({ db }: Servers, ticketId: number): Promise<void> {
  const { sold, held } = await db.query
    .selectFrom('tickets')
    .select(['sold', 'held'])
    .where('id', '=', ticketId)
    .executeTakeFirstOrThrow();
  const findings = await findWrongCounters(db);
  if (sold + held !== CAPACITY || findings.length > 0) {
    throw new Error(`${sold} sold and ${held} held of ${CAPACITY}; ${JSON.stringify(findings)}`);
  }
}

const BODY = { ticket_id: 1234, full_name: 'Guest 1000', email: 'guest1000@example.test' };

async function race(servers: Servers, name: string, attempt: (ticketId: number, index: number) => Promise<RaceAnswer>) {
  const eventId = await openEvent(servers);
  const warm = await openTicket(servers, eventId, { mode: 'own', capacity: CAPACITY });
  await crowd(2 * CAPACITY, CALLERS, (index) => attempt(warm, index));
  const round = async () => {
    const ticketId = await openTicket(servers, eventId, { mode: 'own', capacity: CAPACITY });
    const measured = await measureCallers(ATTEMPTS, CALLERS, (index) => attempt(ticketId, index));
    await expectSold(servers, ticketId);
    return measured;
  };
  await compare(name, BODY, { callers: CALLERS, wanted: WANTED[servers.db.dialect.kind].attempts, round });
}

async function checkIns(servers: Servers, name: string): Promise<void> {
  const codes = await openDoor(servers, PEOPLE * ROUNDS);
  const round = async () => {
    const group = codes.splice(0, PEOPLE);
    const measured = await measureCallers(PEOPLE, SCANNERS, (index) =>
      servers.ask('POST tickets:/qr', { body: group[index], anonymous: true }),
    );
    const refused = measured.answers.filter(({ status }) => status !== 201).length;
    if (refused > 0) throw new Error(`${refused} check-ins were refused`);
    return measured;
  };
  await compare(name, codes[0] ?? {}, { callers: SCANNERS, wanted: WANTED[servers.db.dialect.kind].checkIns, round });
}

async function run(kind: DatabaseKind, postgresUrl: string): Promise<void> {
  const columns = ['a second', 'wanted', '', 'p50 ms', 'p99 ms', 'of bare'].map((column) => column.padStart(9));
  console.log(`\n${kind}, two processes: ${ATTEMPTS} attempts by ${CALLERS} clients at ${CAPACITY} seats\n`);
  console.log(' '.repeat(28), columns.join(' '));
  const servers = await startServers(kind, { postgresUrl });
  try {
    for (const [name, measured] of Object.entries(RACES)) {
      if (only.test(name)) await measured(servers, name);
    }
  } finally {
    await servers.close();
  }
}

const RACES: Record<string, (servers: Servers, name: string) => Promise<void>> = {
  attendees: (servers, name) => race(servers, name, (ticketId, index) => attend(servers, ticketId, index)),
  carts: (servers, name) => race(servers, name, (ticketId) => hold(servers, ticketId)),
  'carts and checkouts': (servers, name) =>
    race(servers, name, async (ticketId) => {
      const held = await hold(servers, ticketId);
      return held.status === 200 ? checkout(servers, held) : held;
    }),
  'check-ins, 32 scanners': checkIns,
};

await onDatabases(options.database, run);
