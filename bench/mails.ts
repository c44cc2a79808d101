/**
 * The benchmark of mails: what readers and customers wait while thousands of mails are sent and PDFs are made, beside
 * the same load without them. README.md says how to read it.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { toUtc } from '../src/lib/dates/dates.ts';
import { addressOf } from '../src/platform/mails/outbox.ts';
import { checkout, hold, openEvent, openTicket } from '../test/race-actions.ts';
import type { DatabaseKind } from '../test/server.ts';
import { crowd, type Servers, startServers } from '../test/two-servers.ts';
import { onDatabases } from './callers.ts';
import { fetchOnce } from './client.ts';
import { start } from './process.ts';
import { percentile } from './statistics.ts';
import { verdict } from './verdicts.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    mails: { type: 'string', default: '10000' },
    pdfs: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    /** Mails a second; with the default of the server, 20, 10,000 mails take eight minutes. */
    rate: { type: 'string', default: '170' },
    sink: { type: 'boolean', default: false },
  },
});
const MAILS = Number(options.mails);
const PDFS = Number(options.pdfs);
const SECONDS = Number(options.seconds);
/** Offered each second, whether or not earlier ones have a response. */
const LISTS = 50;
const SALES = 20;
/** Milliseconds at the 99th percentile. */
const WANTED = { lists: 30, sales: 150 };

/** An SMTP server that accepts everything, in a process of its own. */
async function acceptMails(): Promise<void> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => void stream.resume().on('end', done),
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  console.log(`listens on http://127.0.0.1:${port}`);
  process.once('SIGTERM', () => process.exit(0));
}

/** Milliseconds of each request of a load, from the moment when it was due. */
async function offer(perSecond: number, seconds: number, send: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  const began = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const due = began + (index * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await delay(early);
    const one = send().then((status) => {
      if (status >= 400) throw new Error(`answered ${status}`);
      times.push(performance.now() - due);
    });
    sent.push(one);
  }
  await Promise.all(sent);
  return times.toSorted((a, b) => a - b);
}

async function offerLoad(servers: Servers, ticketId: number): Promise<Record<keyof typeof WANTED, number[]>> {
  const list = async () => (await servers.ask('GET events:/events?per_page=10', { anonymous: true })).status;
  const sell = async () => {
    const held = await hold(servers, ticketId);
    return held.status === 200 ? (await checkout(servers, held)).status : held.status;
  };
  const [lists, sales] = await Promise.all([offer(LISTS, SECONDS, list), offer(SALES, SECONDS, sell)]);
  return { lists, sales };
}

interface Order {
  id: number;
  token: string;
}

async function buy(servers: Servers, ticketId: number): Promise<Order> {
  const { status, body } = await checkout(servers, await hold(servers, ticketId));
  if (status !== 201) throw new Error(`the checkout got ${status}`);
  return body.order;
}

/** Queues mails with the tickets of some orders, as staff may ask for them. */
async function queueMails({ db }: Servers, orders: readonly Order[]): Promise<void> {
  const now = toUtc(new Date());
  const rows = Array.from({ length: MAILS }, (_, index) => ({
    ...{ kind: 'tickets' as const, key: `bench-${index}`, language: 'en', record_kind: 'order' as const },
    ...{ record_id: orders[index % orders.length]?.id ?? 0, status: 'queued' as const, due_utc: now, created_utc: now },
    ...addressOf(`guest${index}@example.test`),
    user_id: 1,
  }));
  for (let from = 0; from < rows.length; from += 500)
    await db.transaction(({ query }) =>
      query
        .insertInto('mails')
        .values(rows.slice(from, from + 500))
        .execute(),
    );
}

async function countSent({ db }: Servers): Promise<number> {
  const { count } = await db.query
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('status', '=', 'sent')
    .where('key', 'like', 'bench-%')
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function makePdfs(servers: Servers, orders: readonly Order[]): Promise<void> {
  await crowd(PDFS, 2, async (index) => {
    const { id = 0, token = '' } = orders[index % orders.length] ?? {};
    const url = `${servers.address(0)}/calendar/tickets/v1/orders/${id}/tickets.pdf`;
    const { status } = await fetchOnce({ url, headers: { 'X-Order-Token': token } });
    if (status !== 200) throw new Error(`a PDF got ${status}`);
  });
}

function print(name: string, times: Record<keyof typeof WANTED, number[]>): void {
  const columns = Object.entries(times).flatMap(([kind, sorted]) => {
    const p99 = percentile(sorted, 0.99);
    const wanted = WANTED[kind as keyof typeof WANTED];
    return [percentile(sorted, 0.5).toFixed(1), p99.toFixed(1), verdict(p99 <= wanted)];
  });
  console.log(name.padEnd(36), columns.map((column) => column.padStart(8)).join(' '));
}

async function run(kind: DatabaseKind, postgresUrl: string): Promise<void> {
  const sink = await start(['bench/mails.ts', '--sink']);
  const settings = {
    MARQUEE_SMTP_URL: sink.address.replace('http:', 'smtp:'),
    MARQUEE_URL: 'http://127.0.0.1',
    MARQUEE_MAIL_RATE: options.rate,
  };
  const servers = await startServers(kind, { postgresUrl, processes: 1, settings });
  try {
    const ticketId = await openTicket(servers, await openEvent(servers), { mode: '' });
    const orders = await crowd(100, 4, () => buy(servers, ticketId));
    console.log(`\n${kind}: ${LISTS} lists and ${SALES} sales a second for ${SECONDS} s, in ms\n`);
    console.log(' '.repeat(36), '   lists p50    p99          sales p50    p99');
    await offerLoad(servers, ticketId);
    print('alone', await offerLoad(servers, ticketId));
    await queueMails(servers, orders);
    const [times] = await Promise.all([offerLoad(servers, ticketId), makePdfs(servers, orders)]);
    print(`with ${await countSent(servers)} mails and ${PDFS} PDFs`, times);
  } finally {
    await servers.close();
    await sink.stop();
  }
}

if (options.sink) await acceptMails();
else await onDatabases(options.database, run);
