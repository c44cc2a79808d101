import { bindShared, ListenError } from '../../http/connection/listen.ts';
import { createMemoryCounter } from '../../platform/limits/limits.ts';
import { type OpenContext, StartError } from '../open-context.ts';
import { prepareServer } from '../prepare.ts';
import type { RunningServer } from '../serve.ts';
import { Supervisor } from './supervisor.ts';

/**
 * Serves with MARQUEE_WORKERS processes. The primary binds the socket, prepares the server and replaces workers that
 * end; it serves no requests (docs/adr/0025-workers.md).
 * @param print shows the operator the generated password, once
 * @param stopped resolves when the workers need not be waited for
 * @throws {StartError} if the address is in use or a worker cannot start
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
    // Close the socket first, so that it ends with the last worker that accepts connections from it.
    socket.close();
    await supervisor?.stop();
    await context.close();
  };
  try {
    await prepareServer(context, print);
    // Workers open their own connections.
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
