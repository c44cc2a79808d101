import { DATABASES } from '../server.ts';
import { aftermath } from './aftermath.ts';
import { Ledger } from './ledger.ts';
import { startLoad } from './load.ts';
import { type Part, type Setup, Tally } from './part.ts';
import { withSite } from './site.ts';

const CALLERS = 64;
/** Seats of each ticket: few, so that some requests are refused. */
const CAPACITY = 40;
/** Number of responses after which the process is killed, while many more requests are in flight. */
const ANSWERS = 100;

async function run({ kind, postgresUrl, isShort }: Setup) {
  const rounds = isShort ? 1 : 20;
  return withSite({ kind, postgresUrl }, async (site) => {
    const ledger = new Ledger();
    const answers = new Tally();
    const problems: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const load = await startLoad(site, { callers: CALLERS, capacity: CAPACITY, ledger });
      await load.untilAnswers(ANSWERS);
      await site.end(0, 'SIGKILL');
      await load.stop();
      for (const [status, count] of load.answers.entries) answers.add(status, count);
      await site.restart(0);
      problems.push(...(await aftermath(site, { ledger })).map((problem) => `round ${round}: ${problem}`));
    }
    if (ledger.acknowledged < rounds * 10) problems.push(`only ${ledger.acknowledged} writes were acknowledged`);
    return {
      did: `killed ${rounds} times with ${CALLERS} clients`,
      figures: { acknowledged: ledger.acknowledged, responses: String(answers) },
      problems,
    };
  });
}

export const kill: Part = {
  name: 'kill',
  about: 'The process is killed (SIGKILL) under mixed load: what it acknowledged is there, and nothing by halves.',
  databases: DATABASES,
  run,
};
