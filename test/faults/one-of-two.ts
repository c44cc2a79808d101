import { setTimeout as delay } from 'node:timers/promises';
import { DATABASES } from '../server.ts';
import { aftermath } from './aftermath.ts';
import { Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { type Part, type Setup, Tally } from './part.ts';
import { type Site, withSite } from './site.ts';

/** Milliseconds for which the other process serves alone before the first restarts. */
const ALONE = 500;

async function run({ kind, postgresUrl, isShort }: Setup) {
  const rounds = isShort ? 1 : 10;
  return withSite({ kind, postgresUrl, processes: 2, isPatient: isShort }, async (site) => {
    const ledger = new Ledger();
    const answers = new Tally();
    const problems: string[] = [];
    let alone = 0;
    for (let round = 0; round < rounds; round += 1) {
      const load = await startLoad(site, { ledger, callers: 16 });
      await load.untilAnswers(60);
      await site.end(round % 2, 'SIGKILL');
      alone += await serveAlone(site, 1 - (round % 2), problems);
      await site.restart(round % 2);
      await load.untilAnswers(60);
      await load.stop();
      for (const [status, count] of load.answers.entries) {
        answers.add(status, count);
        if (Number(status) >= 500)
          problems.push(`${count} requests were answered ${status}: ${load.errors.get(status)}`);
      }
      problems.push(...(await aftermath(site, { ledger })));
    }
    return {
      did: `one of two processes killed under load and started again, ${rounds} times`,
      figures: { acknowledged: ledger.acknowledged, responses: String(answers), 'served by the other alone': alone },
      problems,
    };
  });
}

/** Sends requests to the remaining process, which must be unaffected. */
async function serveAlone(site: Site, process: number, problems: string[]): Promise<number> {
  const until = performance.now() + ALONE;
  let served = 0;
  while (performance.now() < until || served < 3) {
    const name = `Left ${performance.now()}`;
    const { status } = await site.ask('POST events:/tags', { process, body: { name } });
    if (status !== 201) problems.push(`the process that was left answered ${status}`);
    served += 1;
    await delay(10);
  }
  return served;
}

export const oneOfTwo: Part = {
  name: 'one-of-two',
  about: 'One of two processes on one database is killed: the other goes on serving, and nothing is lost.',
  databases: DATABASES,
  run,
};
