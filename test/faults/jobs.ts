import { runJobsInProcesses } from '../job-processes.ts';
import { DATABASES } from '../server.ts';
import type { Part, Setup } from './part.ts';

/** Milliseconds of the longest work; with a lease of a second, some jobs lose their claim on a busy machine, too. */
const LONGEST = 400;

async function run({ kind, postgresUrl, isShort }: Setup) {
  const jobs = isShort ? 60 : 2000;
  const kills = isShort ? 2 : 40;
  const timeout = isShort ? 60_000 : 300_000;
  const { wrong, booked, left, hits } = await runJobsInProcesses({
    kind,
    postgresUrl,
    jobs,
    kills,
    longest: LONGEST,
    timeout,
  });
  return {
    did: `${jobs} jobs of three processes that were killed ${kills} times`,
    figures: { booked, 'kills with running jobs': hits },
    problems: [
      ...Object.entries(wrong).map(([name, times]) => `${name} was booked ${times} times`),
      ...(left > 0 ? [`${left} jobs were left`] : []),
      ...(hits === 0 ? ['no kill interrupted a job'] : []),
    ],
  };
}

export const jobs: Part = {
  name: 'jobs',
  about: 'Three processes that run background jobs are killed at random: each result is booked once, none is lost.',
  databases: DATABASES,
  run,
};
