import { bindShared, ListenError } from '../../http/connection/listen.ts';
import { createMemoryCounter } from '../../platform/limits/limits.ts';
import { type OpenContext, prepareServer, type RunningServer, StartError } from '../main.ts';
import { Supervisor } from './supervisor.ts';

/**
 * Serves in as many processes as MARQUEE_WORKERS says. This one binds the socket, does what a start does once, and
 * replaces workers that end; it serves no requests (docs/adr/0025-workers.md).
 * @param print shows the operator the generated password, once
 * @param stopped resolves when the workers need not be waited for
 * @throws {StartError} when the address cannot be listened on, or a worker cannot start
 */
export async function startWorkers(
  context: OpenContext,
  print: (line: string) => void,
  stopped: Promise<void>,
): Promise<RunningServer> {
  const { config, log, writeLine } = context;
  const socket = await bindShared(config).catch((error: unknown) => {
    throw error instanceof ListenError ? new StartError(error.message) : error;
  });
  let supervisor: Supervisor | undefined;
  const close = async () => {
    // First, so that the socket ends with the last worker that accepts connections from it.
    socket.close();
    await supervisor?.stop();
    await context.close();
  };
  try {
    await prepareServer(context, print);
    // Workers have connections of their own.
    await context.db.close();
    const count = createMemoryCounter(config);
    supervisor = new Supervisor({ workers: config.workers, fd: socket.fd, log, writeLine, count });
    await Promise.race([supervisor.started, stopped]);
    return { address: socket.address, broken: supervisor.broken, close };
  } catch (error) {
    await close();
    throw error;
  }
}
