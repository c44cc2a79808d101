import { DATABASES } from '../server.ts';
import { aftermath } from './aftermath.ts';
import { Ledger } from './ledger.ts';
import { type Part, type Setup, Tally } from './part.ts';
import { type Site, within, withSite } from './site.ts';

const CALLERS = 48;
/** Milliseconds within which a process must end. */
const END = 20_000;

interface Round {
  answers: Tally;
  /** Requests sent after the signal without a response, on a connection that had already ended. */
  refused: number;
  problems: string[];
}

async function run({ kind, postgresUrl, isShort }: Setup) {
  const rounds = isShort ? 2 : 10;
  return withSite({ kind, postgresUrl, isPatient: isShort }, async (site) => {
    const ledger = new Ledger();
    const answers = new Tally();
    const problems: string[] = [];
    let refused = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const ended = await endUnderLoad(site, { ledger, round });
      for (const [status, count] of ended.answers.entries) answers.add(status, count);
      refused += ended.refused;
      await site.restart(0);
      const found = [
        ...ended.problems,
        ...(await findWrittenUnanswered(site, ledger)),
        ...(await aftermath(site, { ledger })),
      ];
      problems.push(...found.map((problem) => `round ${round}: ${problem}`));
    }
    return {
      did: `ended ${rounds} times with ${CALLERS} clients`,
      figures: { responses: String(answers), 'sent after the signal and not accepted': refused },
      problems,
    };
  });
}

/** Half of the clients create terms, half read; all keep their connections until they are refused. */
async function endUnderLoad(site: Site, { ledger, round }: { ledger: Ledger; round: number }): Promise<Round> {
  const answers = new Tally();
  const lost: string[] = [];
  let signalled = Infinity;
  let refused = 0;
  let turn = 0;
  const caller = async (_: unknown, index: number) => {
    for (;;) {
      const sent = performance.now();
      turn += 1;
      const call = index % 2 === 0 ? 'GET events:/events' : 'POST events:/tags';
      try {
        const answer = await site.ask(call, index % 2 === 0 ? {} : { body: { name: `Word ${round}-${turn}` } });
        answers.add(answer.status);
        if (answer.status === 201) ledger.made('terms', answer.body.id);
        if (answer.status >= 500) lost.push(`${call} is answered ${answer.status}`);
      } catch (error) {
        if (sent < signalled) lost.push(`${call}, sent before the signal: ${error}`);
        else refused += 1;
        return;
      }
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, caller));
  while (answers.total < CALLERS * 4) await new Promise((resolve) => setTimeout(resolve, 5));
  signalled = performance.now();
  const { code, err } = await within(site.end(0, 'SIGTERM'), `does not end within ${END / 1000} s`, END);
  await callers;
  const problems = lost.length > 0 ? [`${lost.length} accepted requests were not answered: ${lost[0]}`] : [];
  if (code !== 0) problems.push(`ended with ${code}: ${err.join(' ')}`);
  return { answers, refused, problems };
}

/** A stored write was accepted, so it must have a response. */
async function findWrittenUnanswered({ db }: Site, ledger: Ledger): Promise<string[]> {
  const terms = await db.query.selectFrom('terms').select(['id', 'name']).where('name', 'like', 'Word %').execute();
  const unanswered = terms.filter(({ id }) => !ledger.has('terms', Number(id)));
  for (const { id } of unanswered) ledger.made('terms', Number(id));
  return unanswered.length > 0 ? [`${unanswered.length} writes were carried out and not answered`] : [];
}

export const sigterm: Part = {
  name: 'sigterm',
  about: 'SIGTERM under load: every accepted request is answered, and the process ends with 0.',
  databases: DATABASES,
  usual: 'sqlite',
  run,
};
