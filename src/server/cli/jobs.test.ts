import { describe, expect, it } from 'vitest';
import { addDeadJob, addRunningJob } from '../../../test/jobs.ts';
import { NOON, useTestServer } from '../../../test/server.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { jobCommands } from './jobs.ts';

describe('the commands for background jobs', () => {
  const server = useTestServer('sqlite', {}, { isFreshEachTime: true });

  async function run(call: string): Promise<[status: number | undefined, text: string]> {
    const name = call.split(' ').slice(0, 2).join(' ');
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const { context } = server();
    const openContext = async () => ({ ...context, close: async () => undefined, writeLine: () => undefined });
    const deps = { openContext, print, printError: print, readSecret: async () => '' };
    const status = await jobCommands.find((one) => one.name === name)?.run(call.split(' ').slice(2), deps);
    return [status, printed.join('\n')];
  }

  it('list, retry and drop', async () => {
    const { context } = server();
    const [first, second] = [await addDeadJob(context), await addDeadJob(context, 'test.other')];
    expect(await run('jobs list --state dead --kind test.fail')).toEqual([
      0,
      expect.stringMatching(/ID +KIND.*\n\d+ +test\.fail .* dead .* no route to host$/),
    ]);
    expect((await run('jobs list'))[1].split('\n')).toHaveLength(3);
    expect(await run(`jobs retry ${first}`)).toEqual([0, `Job ${first} is tried again.`]);
    expect(await run('jobs retry --kind test.none')).toEqual([0, 'Dead jobs that are tried again: 0.']);
    expect(await run('jobs retry')).toEqual([0, 'Dead jobs that are tried again: 1.']);
    expect(await run(`jobs drop ${second}`)).toEqual([0, `Job ${second} (test.other) is removed.`]);
    expect(await run('jobs list --state dead')).toEqual([0, 'There are no such jobs.']);
  });

  it('count what they do not list', async () => {
    const { context } = server();
    for (let index = 0; index < 120; index += 1)
      await enqueue(context.db, { kind: 'test.wait', payload: {}, now: NOON });
    const [, text] = await run('jobs list');
    expect(text.split('\n')).toHaveLength(102);
    expect(text).toMatch(/\ntest\.wait: 120 ready$/);
  });

  it.each([
    ['jobs list --state done', 1, /--state must be one of: ready, running, dead/],
    ['jobs retry 4711', 1, /There is no job 4711/],
    ['jobs retry x', 1, /"x" is not the id of a job/],
    ['jobs drop', 2, /ID is missing/],
    ['jobs drop 4711', 1, /There is no job 4711/],
  ])('refuse "%s"', async (call, status, text) => {
    expect(await run(call)).toEqual([status, expect.stringMatching(text)]);
  });

  it('do not retry a running job', async () => {
    const id = await addRunningJob(server().context);
    expect(await run(`jobs retry ${id}`)).toEqual([1, `Job ${id} is running.`]);
  });
});
