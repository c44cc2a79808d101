import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { aftermath } from './aftermath.ts';
import { Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';
import { type Part, type Setup, Tally } from './part.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';
import { endOf, memoryOf, type Site, withSite } from './site.ts';

interface Faulty {
  postgres: OwnPostgres;
  proxy: FaultyProxy;
  /** Milliseconds. */
  down: number;
  cut: number;
}

/** Faults of the database while it is in use. */
const FAULTS: Readonly<Record<string, (faulty: Faulty) => Promise<void>>> = {
  async 'an immediate stop'({ postgres }) {
    await postgres.stop('immediate');
    await postgres.start();
  },
  async 'cut connections'({ proxy, cut }) {
    proxy.cut();
    await delay(cut);
    proxy.mend();
  },
  async 'a stop and a start much later'({ postgres, down }) {
    await postgres.stop('fast');
    await delay(down);
    await postgres.start();
  },
};

async function run({ isShort }: Setup) {
  const rounds = isShort ? 1 : 3;
  const postgres = await startOwnPostgres();
  const proxy = await startProxy(postgres.url);
  try {
    const faulty = { postgres, proxy, down: isShort ? 1500 : 20_000, cut: isShort ? 500 : 5000 };
    const site = { kind: 'postgres', postgresUrl: postgres.url, processes: 2, databaseUrl: proxy.through } as const;
    return await withSite(site, (running) => faultsAt(running, faulty, rounds));
  } finally {
    await proxy.close();
    await postgres.close();
  }
}

/** MiB of all processes: before the first fault, after each round, and the maximum after any fault. */
interface Memory {
  before?: number;
  rounds: number[];
  most: number;
}

const memoryFigure = ({ before = 0, rounds, most }: Memory): string =>
  `${before.toFixed(0)} MiB before, ${rounds.map((size) => size.toFixed(0)).join(', ')} after each round, ${most.toFixed(0)} at most`;

/**
 * The first outages make V8 enlarge its heap, as any load of a thousand requests a second does, and it keeps that size:
 * after a forced collection 35 MiB of objects are left before, during and after outages alike. So memory is compared
 * with its value after the first round of faults, and no process may exceed the bound that holds after every fault.
 */
async function faultsAt(site: Site, faulty: Faulty, rounds: number) {
  const ledger = new Ledger();
  const answers = new Tally();
  const problems: string[] = [];
  const memory: Memory = { rounds: [], most: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const [what, bringAbout] of Object.entries(FAULTS)) {
      const load = await startLoad(site, { ledger, callers: 16 });
      await load.untilAnswers(100);
      memory.before ??= memoryOf(site);
      await bringAbout(faulty);
      // A process that crashes does so immediately, or when it next uses a connection.
      await load.untilAnswers(20).catch(() => undefined);
      const restarted = await restartEnded(site);
      await load.untilAnswers(50).catch((error) => problems.push(`${what}: ${error}`));
      await load.stop();
      restarted.push(...(await restartEnded(site)));
      await untilQueryable(site);
      const found = [
        ...restarted,
        ...wrongAnswers(load, restarted.length > 0),
        ...(await aftermath(site, { ledger, memoryBefore: memory.rounds[0] })),
      ];
      memory.most = Math.max(memory.most, memoryOf(site));
      problems.push(...found.map((problem) => `${what}: ${problem}`));
      for (const [status, count] of load.answers.entries) answers.add(status, count);
    }
    memory.rounds.push(memoryOf(site));
  }
  return {
    did: `${rounds} times: ${Object.keys(FAULTS).join(', ')} (${faulty.down / 1000} s down), with two processes`,
    figures: { acknowledged: ledger.acknowledged, responses: String(answers), memory: memoryFigure(memory) },
    problems,
  };
}

/** Restarts a process that did not survive, so that the rest of the test is meaningful. */
async function restartEnded(site: Site): Promise<string[]> {
  const problems: string[] = [];
  for (const [index, one] of site.processes.entries()) {
    const end = await endOf(one);
    if (!end) continue;
    problems.push(`process ${index} ended with ${end.code ?? end.signal}: ${end.err.slice(0, 6).join(' ')}`);
    await site.restart(index);
  }
  return problems;
}

/** 503 is correct while the database is unreachable. */
function wrongAnswers({ answers, errors }: Awaited<ReturnType<typeof startLoad>>, isEnded: boolean): string[] {
  const wrong = answers.entries.filter(([status]) => Number(status) >= 500 && status !== '503');
  const texts = wrong.map(([status, count]) => `${count} requests were answered ${status}: ${errors.get(status)}`);
  const none = answers.of('none');
  return none > 0 && !isEnded ? [...texts, `${none} requests were not answered: ${[...errors].join(' | ')}`] : texts;
}

/** Our own connection has to recover first. */
async function untilQueryable({ db }: Site): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isThere = await sql`SELECT 1`.execute(db.query).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await delay(100);
  }
}

export const restart: Part = {
  name: 'restart',
  about: 'PostgreSQL is stopped, crashes and is cut off under load, with two processes: 503, then by itself as before.',
  databases: ['postgres'],
  run,
};
