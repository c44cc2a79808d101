import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { aftermath } from './aftermath.ts';
import { Ledger } from './ledger.ts';
import { milliseconds, type Part, percentileOf, type Setup, Tally } from './part.ts';
import { type Site, withSite } from './site.ts';

/** Milliseconds for which another program locks the file. */
const HELD = 5000;
/** Maximum milliseconds of a read meanwhile: some on a busy machine, but less than the lock is held. */
const QUICK = HELD / 2;

async function run({ kind, postgresUrl, isShort }: Setup) {
  const times = isShort ? 1 : 5;
  return withSite({ kind, postgresUrl }, async (site) => {
    const ledger = new Ledger();
    const reads: number[] = [];
    const writes = new Tally();
    for (let time = 0; time < times; time += 1) await holdLock(site, { ledger, reads, writes });
    const problems = await aftermath(site, { ledger });
    const slowest = Math.max(...reads);
    if (slowest > QUICK) problems.push(`a read took ${milliseconds(slowest)} while another program wrote`);
    for (const [status, count] of writes.entries)
      if (!['201', '503'].includes(status)) problems.push(`${count} writes were answered ${status}`);
    return {
      did: `another program held the lock for ${HELD / 1000} s, ${times} times`,
      figures: {
        reads: reads.length,
        'p99 of reads': milliseconds(percentileOf(reads, 0.99)),
        slowest: milliseconds(slowest),
        writes: String(writes),
      },
      problems,
    };
  });
}

interface LockOptions {
  ledger: Ledger;
  reads: number[];
  writes: Tally;
}

async function holdLock(site: Site, { ledger, reads, writes }: LockOptions): Promise<void> {
  const other = new DatabaseSync(join(site.data, 'marquee.db'), { timeout: 5000 });
  other.exec('BEGIN IMMEDIATE');
  const until = performance.now() + HELD;
  const write = async (index: number) => {
    await delay(index * 200);
    const { status, body } = await site.ask('POST events:/tags', { body: { name: `Word ${until}-${index}` } });
    writes.add(status);
    if (status === 201) ledger.made('terms', body.id);
  };
  const written = Promise.all(Array.from({ length: 10 }, (_, index) => write(index)));
  const read = async () => {
    while (performance.now() < until) {
      const sent = performance.now();
      const { status } = await site.ask('GET events:/events', { anonymous: true });
      if (status !== 200) throw new Error(`a read is answered ${status}`);
      reads.push(performance.now() - sent);
      await delay(10);
    }
  };
  const read4 = Promise.all([read(), read(), read(), read()]);
  await delay(HELD);
  other.exec('ROLLBACK');
  other.close();
  await Promise.all([read4, written]);
}

export const lock: Part = {
  name: 'lock',
  about: 'Another program holds the write lock of SQLite: reads are served, writes wait or are answered 503.',
  databases: ['sqlite'],
  run,
};
