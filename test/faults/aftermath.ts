import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { findIncompleteRecords } from '../../src/db/integrity.ts';
import { findWrongCounters } from '../../src/jobs/recount.ts';
import { compareImageFiles } from '../../src/platform/media/image-files.ts';
import { findBookErrors } from '../../src/ticketing/books/check-books.ts';
import type { Ledger } from './ledger.ts';
import { memoryOf, type Site } from './site.ts';

/** Conditions that must hold after every fault. */
export interface AftermathOptions {
  ledger?: Ledger;
  /** MiB before the fault, for processes that are still running. */
  memoryBefore?: number;
}

/** MiB by which a process may grow: uncollected garbage, and buffers of many connections. */
const MORE_MEMORY = 96;
/** Maximum MiB of a process after a fault, whatever it had before. */
const MOST_MEMORY = 400;
/** Milliseconds within which a server must recover by itself. */
const RECOVERY = 15_000;

/** One sentence per problem. */
export async function aftermath(site: Site, { ledger, memoryBefore }: AftermathOptions = {}): Promise<string[]> {
  const problems: string[] = [];
  for (const index of site.addresses.keys()) problems.push(...(await findNotServing(site, index)));
  problems.push(...(await findDamage(site, ledger?.filesInDoubt)));
  if (ledger) problems.push(...(await ledger.findLost(site.db)));
  problems.push(...(await findGrowth(site, memoryBefore ?? Infinity)));
  return problems;
}

/** Reads and writes at one process until both succeed. */
async function findNotServing(site: Site, index: number): Promise<string[]> {
  const until = performance.now() + RECOVERY;
  let last = '';
  while (performance.now() < until) {
    last = await trialOf(site, index).catch(String);
    if (last === '') return [];
    await delay(100);
  }
  return [`process ${index} does not serve again after ${RECOVERY / 1000} s: ${last}`];
}

let trials = 0;

async function trialOf({ ask }: Site, index: number): Promise<string> {
  const read = await ask('GET events:/events', { process: index });
  if (read.status !== 200) return `a read is answered ${read.status}`;
  trials += 1;
  const name = `Trial ${process.pid}-${trials}`;
  const { status, body } = await ask('POST events:/tags', { process: index, body: { name } });
  return status === 201 ? '' : `a write is answered ${status} ${JSON.stringify(body)}`;
}

/** Waits some seconds for memory to be collected. */
async function findGrowth(site: Site, before: number): Promise<string[]> {
  const { length } = site.processes;
  const limit = Math.min(before + MORE_MEMORY * length, MOST_MEMORY * length);
  for (let wait = 0; wait < 20; wait += 1) {
    if (memoryOf(site) <= limit) return [];
    await site.ask('GET events:/events');
    await delay(500);
  }
  return [`memory is ${memoryOf(site).toFixed(0)} MiB, more than ${limit.toFixed(0)}`];
}

/** Problems that doctor finds, and oversold tickets; no load lowers a capacity. */
export async function findDamage({ db, data }: Pick<Site, 'db' | 'data'>, filesInDoubt = 0): Promise<string[]> {
  const counters = await findWrongCounters(db);
  const records = [...(await findIncompleteRecords(db)), ...(await findBookErrors(db))];
  const { missing, stray } = await compareImageFiles(db, join(data, 'uploads'));
  const oversold = await sql<{ id: number }>`SELECT id FROM tickets WHERE sold + held > capacity`.execute(db.query);
  return [
    ...counters.map(({ counter, id, stored, counted }) => `${counter} of ${id} is ${stored}, counted ${counted}`),
    ...records.map(({ what, count, example }) => `${count} × ${what}, such as ${example}`),
    ...(missing ? [`${missing.count} × file of an image that is gone, such as ${missing.example}`] : []),
    // Files are written before the image is stored, so an interrupted upload may leave its files.
    ...(stray && stray.count > filesInDoubt ? [`${stray.count} × file of no image, such as ${stray.example}`] : []),
    ...oversold.rows.map(({ id }) => `ticket ${id}: more is given away than there is`),
  ];
}
