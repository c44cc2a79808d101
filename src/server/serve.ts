import { createApp, createRuntime, endpointOf, type JoinReports } from '../app.ts';
import type { Context } from '../base/context.ts';
import { ListenError, listen } from '../http/connection/listen.ts';
import { createHttpServer } from '../http/connection/server.ts';
import { shutDown } from '../http/connection/shutdown.ts';
import { watchDelay } from '../http/connection/traffic.ts';
import { startBackground } from '../jobs/background.ts';
import { every } from '../jobs/periodic.ts';
import { importJob } from '../moving/runs/run-job.ts';
import { eraseImports } from '../moving/runs/store.ts';
import { subscriptionJob } from '../moving/subscriptions/subscription-job.ts';
import type { CountInMemory } from '../platform/limits/limits.ts';
import { type OpenContext, StartError } from './open-context.ts';

/** A listening server. `close` finishes open requests, for at most ten seconds. */
export interface RunningServer {
  address: string;
  /** Resolves with the reason if the server cannot go on. */
  broken?: Promise<StartError>;
  close(): Promise<void>;
}

/** Role of a process that serves with others. */
interface SharedServing {
  /** File descriptor of the shared socket. */
  fd: number;
  /** True for the process that runs background jobs. */
  hasJobs: boolean;
  join: JoinReports;
  /** Counts the requests of all processes. */
  count: CountInMemory;
}

/** Jobs that call endpoints: periodic ones, and kinds of the queue. */
export const FURTHER_JOBS = {
  periodic: [subscriptionJob(endpointOf), every('erasing files of imports', 3600, eraseImports)],
  kinds: [importJob(endpointOf)],
};

/** Starts the jobs of a process. */
export const startJobs = (context: Context) => startBackground(context, FURTHER_JOBS);

/**
 * Serves the application, with background jobs, until it is closed. Closing it closes the context too.
 * @throws {StartError} if the address cannot be listened on
 */
export async function serve(context: OpenContext, shared?: SharedServing): Promise<RunningServer> {
  const { config } = context;
  const runtime = createRuntime(context, shared);
  const { receive } = createApp(context, runtime);
  const { server, connections, stop } = createHttpServer({ config, ...runtime, receive });
  const address = await listen(server, config, shared?.fd).catch((error: unknown) => {
    throw error instanceof ListenError ? new StartError(error.message) : error;
  });
  // A server whose port is taken must not take the periodic jobs from another one.
  const background = shared?.hasJobs === false ? undefined : startJobs(context);
  const watch = watchDelay(runtime.traffic, runtime.guard);
  return {
    address,
    async close() {
      await Promise.all([shutDown(server, connections), background?.stop()]);
      stop();
      watch.stop();
      await context.close();
    },
  };
}
