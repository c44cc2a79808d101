import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createApp, createRuntime, type Runtime } from '../src/app.ts';
import type { Config } from '../src/base/config.ts';
import type { Context } from '../src/base/context.ts';
import type { Connections } from '../src/http/connection/connections.ts';
import { createHttpServer } from '../src/http/connection/server.ts';
import { shutDown } from '../src/http/connection/shutdown.ts';
import type { Pipeline } from '../src/http/pipeline/pipeline.ts';

export interface TestListener extends Runtime {
  /** Scheme, host and port. */
  address: string;
  connections: Connections;
  cacheSize: Pipeline['cacheSize'];
  /** A connection to the server. */
  open(): Socket;
  /** Sends raw data and reads until the server closes the connection. */
  say(...lines: string[]): Promise<string>;
  /** Stops the server as SIGTERM does. */
  shutDown(): Promise<void>;
  close(): Promise<void>;
}

/** The application on a real socket, for behaviour that only shows there. */
export async function listen(context: Context, overrides: Partial<Config> = {}): Promise<TestListener> {
  const changed = { ...context, config: { ...context.config, ...overrides } };
  const runtime = createRuntime(changed);
  const app = createApp(changed, runtime);
  const { server, connections, stop } = createHttpServer({ config: changed.config, ...runtime, receive: app.receive });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = () => connect(port, '127.0.0.1').on('error', () => undefined);
  return {
    ...runtime,
    address: `http://127.0.0.1:${port}`,
    connections,
    cacheSize: () => app.cacheSize(),
    open,
    say(...lines) {
      const socket = open();
      socket.write(lines.join('\r\n'));
      return text(socket).catch(() => '');
    },
    shutDown() {
      stop();
      return shutDown(server, connections);
    },
    async close() {
      stop();
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
