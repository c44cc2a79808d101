import { readConfig } from '../../base/config.ts';
import { SETTINGS } from '../../base/settings.ts';
import { isCalendarEmpty } from '../../demo/empty-calendar.ts';
import { LONGEST_STOP } from '../../http/connection/shutdown.ts';
import { openapiDocument } from '../../http/openapi/openapi.ts';
import type { OpenContext } from '../open-context.ts';
import { prepareServer } from '../prepare.ts';
import type { RunningServer } from '../serve.ts';
import type { Command, CommandDeps } from './command.ts';

/** A command without arguments. */
function plain(name: string, summary: string, work: (deps: CommandDeps) => Promise<void>): Command {
  const usage = `Usage: marquee ${name}\n\n${summary}\n\nSettings are environment variables: marquee settings lists them.`;
  return {
    name,
    summary,
    usage,
    async run(args, deps) {
      if (args.includes('--help') || args.includes('-h')) {
        deps.print(usage);
        return 0;
      }
      if (args.length > 0) {
        deps.printError(`marquee ${name} takes no arguments.`);
        return 2;
      }
      await work(deps);
      return 0;
    },
  };
}

/** Opens the context of a process that runs until SIGTERM or SIGINT. A second signal has no effect. */
async function openUntilStopped(deps: CommandDeps): Promise<{ context: OpenContext; stopped: Promise<void> }> {
  const stopped = new Promise<void>((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
  const context = await Promise.race([deps.openContext(), stopped]);
  // Startup waits for the database, which may take half a minute, or migrates it; uncommitted work is rolled back.
  if (!context) process.exit(0);
  return { context, stopped };
}

/** Exits after a time limit: a hanging statement or child process must not keep the process alive. */
const exitSoon = (status: number) => setTimeout(() => process.exit(status), LONGEST_STOP).unref();

/** Loads the application, which takes longer than all else at a start; other commands need none of it. */
const loadServing = () => import('../serve.ts');

async function startServer(context: OpenContext, print: CommandDeps['print']): Promise<RunningServer> {
  await prepareServer(context, print, loadServing);
  const serving = await loadServing();
  return serving.serve(context);
}

/** Runs background jobs until it is stopped, then lets them end. */
async function runJobs(
  { context, stopped }: Awaited<ReturnType<typeof openUntilStopped>>,
  print: CommandDeps['print'],
) {
  const serving = await loadServing();
  const background = serving.startJobs({ ...context, config: { ...context.config, jobs: 'only' } });
  print('Marquee runs background jobs');
  // Timers of the jobs do not keep the process alive.
  const alive = setInterval(() => undefined, ALIVE_INTERVAL);
  await stopped;
  exitSoon(0);
  clearInterval(alive);
  await background.stop();
  await context.close();
}

/** Milliseconds. */
const ALIVE_INTERVAL = 60_000;

/** Runs until it is stopped, then finishes open requests. */
async function serve(deps: CommandDeps): Promise<void> {
  const opened = await openUntilStopped(deps);
  const { context, stopped } = opened;
  if (context.config.jobs === 'only') return runJobs(opened, deps.print);
  const isEmpty = await isCalendarEmpty(context.db);
  const start = context.config.workers > 1 ? (await import('../workers/primary.ts')).startWorkers : startServer;
  const server = await start(context, deps.print, stopped).catch(async (error: unknown) => {
    await context.close();
    throw error;
  });
  const address = context.config.url ?? server.address;
  deps.print(`Marquee listens on ${server.address}`);
  deps.print(`API documentation: ${address}/docs`);
  if (isEmpty) deps.print('The calendar is empty. To see it with sample events: npx marquee demo');
  const problem = await Promise.race([stopped, server.broken ?? stopped]);
  exitSoon(problem ? 1 : 0);
  await server.close();
  if (problem) throw problem;
}

/** Fixes the date defaults in the printed document; served documents use the current day. */
const EXAMPLE_DAY = new Date('2027-01-01T12:00:00Z');

export const siteCommands: readonly Command[] = [
  plain('serve', 'Start the server.', serve),
  plain('work', 'Run background jobs only, without serving requests.', async (deps) =>
    runJobs(await openUntilStopped(deps), deps.print),
  ),
  plain('migrate', 'Migrate the database to the newest schema, and stop.', async (deps) => {
    const context = await deps.openContext({ isCommand: true });
    await context.close();
    deps.print('The database is up to date.');
  }),
  plain('settings', 'List the settings and what they do.', async ({ print }) => {
    for (const { name, preset, about } of SETTINGS) print(`${name}\n  ${about}\n  Default: ${preset}`);
  }),
  plain('openapi', 'Print the OpenAPI document of the whole API.', async ({ print }) => {
    const { documentedEndpoints } = await import('../../app.ts');
    const { languages, perPage, timezone } = readConfig({});
    const site = { perPage, timezone, now: EXAMPLE_DAY, word: 'calendar' };
    const prefix = ({ namespace }: { namespace: string }) => `/calendar/${namespace}/v1`;
    print(JSON.stringify(openapiDocument(documentedEndpoints, { server: '/', languages, site, prefix }), undefined, 2));
  }),
];
