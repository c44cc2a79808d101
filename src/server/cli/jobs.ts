import { JOB_STATES, type JobState } from '../../db/tables/platform.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { countJobs, findJob, listJobs, removeJob, retryDeadJobs, retryJob } from '../../platform/jobs/store.ts';
import { type Command, CommandError, command } from './command.ts';
import { columns } from './input.ts';

/** Maximum number of listed jobs. */
const MOST = 100;

const kindOption = { value: 'KIND', about: 'Only jobs of this kind, such as series.update.' };

function readState(given: string | boolean | undefined): JobState | undefined {
  const state = JOB_STATES.find((one) => one === given);
  if (given !== undefined && !state) throw new CommandError(`--state must be one of: ${JOB_STATES.join(', ')}.`);
  return state;
}

const readKind = (given: string | boolean | undefined): string | undefined =>
  typeof given === 'string' ? given : undefined;

function readId(given = ''): number {
  if (!/^[1-9]\d{0,14}$/.test(given)) throw new CommandError(`"${given}" is not the id of a job.`);
  return Number(given);
}

const list = command({
  name: 'jobs list',
  summary: 'Lists background jobs, the latest first.',
  words: [],
  options: { state: { value: 'STATE', about: `Only jobs that are ${JOB_STATES.join(', ')}.` }, kind: kindOption },
  notes: `At most ${MOST} jobs are listed; all are counted.`,
  async work({ context: { db }, options, print }) {
    const filter = { state: readState(options.state), kind: readKind(options.kind) };
    const { jobs, total } = await listJobs(db, filter, { limit: MOST, offset: 0 });
    const rows = jobs.map((job) => [job.id, job.kind, job.key, job.state, job.due_utc, job.attempts, job.error]);
    if (total === 0) print('There are no such jobs.');
    else for (const line of columns(['ID', 'KIND', 'KEY', 'STATE', 'DUE (UTC)', 'TRIES', 'ERROR'], rows)) print(line);
    if (total > MOST) for (const { kind, state, count } of await countJobs(db)) print(`${kind}: ${count} ${state}`);
  },
});

const retry = command({
  name: 'jobs retry',
  summary: 'Tries a background job again, or all dead ones.',
  words: ['[ID]'],
  options: { kind: { ...kindOption, about: 'Without ID: only dead jobs of this kind.' } },
  notes: '"marquee jobs list --state dead" shows the ids.',
  async work({ context: { db, now }, words: [given], options, print }) {
    if (given === undefined) {
      const count = await retryDeadJobs(db, { kind: readKind(options.kind) }, toUtc(now()));
      print(`Dead jobs that are tried again: ${count}.`);
      return;
    }
    const id = readId(given);
    if (!(await findJob(db, id))) throw new CommandError(`There is no job ${id}.`);
    if (!(await retryJob(db, id, toUtc(now())))) throw new CommandError(`Job ${id} is running.`);
    print(`Job ${id} is tried again.`);
  },
});

const drop = command({
  name: 'jobs drop',
  summary: 'Removes a background job without doing its work.',
  words: ['ID'],
  async work({ context: { db }, words: [given], print }) {
    const id = readId(given);
    const job = await removeJob(db, id);
    if (!job) throw new CommandError(`There is no job ${id}.`);
    print(`Job ${id} (${job.kind}) is removed.`);
  },
});

export const jobCommands: readonly Command[] = [list, retry, drop];
