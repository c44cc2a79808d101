import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isInstalled } from '../../bench/pinning.ts';
import { measureByWorkers } from '../../bench/workers.ts';
import { measureByWrk } from '../../bench/wrk.ts';
import { DATABASES } from '../server.ts';
import { aftermath } from './aftermath.ts';
import { milliseconds, type Part, type Setup, Tally } from './part.ts';
import { memoryOf, type Site, withSite } from './site.ts';

export interface OpenLoop {
  url: string;
  /** Requests a second. */
  rate: number;
  seconds: number;
}

export interface OpenLoopFigures {
  /** By status; `none` without a response in time, `not sent` if too many were in flight. */
  answers: Record<string, number>;
  /** Milliseconds, by status. */
  p99: Record<string, number>;
}

/**
 * MiB by which the process may grow beyond its memory at capacity: a thousand responses, and buffers of connections.
 */
const MORE_MEMORY = 256;
/** Share of the time after which memory must not grow. */
const RISE = 1 / 3;
/** Maximum milliseconds of a refusal, which does no work. */
const QUICK = 2000;
const CLIENTS = 32;

async function run({ kind, postgresUrl, isShort }: Setup) {
  const seconds = isShort ? 3 : 180;
  // Responses from memory cost next to nothing, whatever the load.
  const settings = { MARQUEE_CACHE_MB: '0' };
  return withSite({ kind, postgresUrl, settings }, async (site) => {
    await populate(site);
    const url = `${site.addresses[0]}/calendar/events/v1/events?per_page=10`;
    const measure = isInstalled('wrk') ? measureByWrk : measureByWorkers;
    const { rate: capacity } = await measure({ requests: [{ url }], clients: CLIENTS, seconds: isShort ? 1 : 10 });
    const before = memoryOf(site);
    const { figures, early, most } = await overloaded(site, { url, rate: 2 * capacity, seconds });
    const began = performance.now();
    // V8 does not return the memory that a load needed, so the end is compared with the beginning of the load.
    const problems = await aftermath(site, isShort ? {} : { memoryBefore: early });
    const recovered = performance.now() - began;
    const answers = new Tally();
    for (const [status, count] of Object.entries(figures.answers)) answers.add(status, count);
    problems.push(...judge({ answers, figures, before, most, isShort }));
    return {
      did: `${seconds} s at twice the capacity, requests sent whether earlier ones have a response or not`,
      figures: {
        capacity: `${capacity.toFixed(0)}/s`,
        responses: String(answers),
        'p99 of 200': milliseconds(figures.p99['200'] ?? 0),
        'p99 of 503': milliseconds(figures.p99['503'] ?? 0),
        memory: `${before.toFixed(0)} MiB, ${early.toFixed(0)} at most in the first third, ${most.toFixed(0)} in all`,
        'serves as before after': milliseconds(recovered),
      },
      problems,
    };
  });
}

async function populate({ ask }: Site): Promise<void> {
  for (let index = 0; index < 30; index += 1) {
    const body = {
      ...{ title: `Evening ${index}`, start_date: '2037-03-06 18:30:00', end_date: '2037-03-06 21:00:00' },
      ...{ description: 'A story. '.repeat(200), venue: { venue: `Hall ${index}` }, categories: ['Walks'] },
    };
    await ask('POST events:/events', { body });
  }
}

async function overloaded(
  site: Site,
  load: OpenLoop,
): Promise<{ figures: OpenLoopFigures; early: number; most: number }> {
  let [early, most] = [0, 0];
  const began = performance.now();
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(site));
    if (performance.now() - began < load.seconds * 1000 * RISE) early = most;
  }, 250);
  const child = fork(join(import.meta.dirname, 'overload-client.ts'));
  try {
    const answered = once(child, 'message').then(([figures]) => figures as OpenLoopFigures); // what it sends
    const failed = once(child, 'exit').then(() => Promise.reject(new Error('the client ended early')));
    child.send(load);
    return { figures: await Promise.race([answered, failed]), early, most };
  } finally {
    clearInterval(watch);
    child.kill();
  }
}

/** `not sent`: the client had the maximum number of requests in flight. */
const EXPECTED: ReadonlySet<string> = new Set(['200', '503', 'not sent']);

interface OverloadOutcome {
  answers: Tally;
  figures: OpenLoopFigures;
  before: number;
  most: number;
  isShort: boolean;
}

function judge({ answers, figures, before, most, isShort }: OverloadOutcome): string[] {
  const problems: string[] = [];
  const wrong = answers.entries.filter(([status]) => !EXPECTED.has(status));
  for (const [status, count] of wrong) problems.push(`${count} requests: ${status}`);
  if (answers.of('200') === 0) problems.push('no request was served');
  const slowest = figures.p99['503'] ?? 0;
  // A busy machine is not a fault, so tests ignore times.
  if (!isShort && slowest > QUICK) problems.push(`refusals took ${milliseconds(slowest)}`);
  if (most > before + MORE_MEMORY) problems.push(`memory grew from ${before.toFixed(0)} to ${most.toFixed(0)} MiB`);
  return problems;
}

export const overload: Part = {
  name: 'overload',
  about: 'Twice as many requests as it can serve: the rest gets 503 at once, memory stays, and it recovers.',
  databases: DATABASES,
  usual: 'sqlite',
  run,
};
