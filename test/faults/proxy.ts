import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that fails on demand. */
export interface FaultyProxy {
  /** A URL with the host and port of the proxy. */
  through(url: string): string;
  /** Resets all connections, like a router that restarts. New ones work. */
  reset(): void;
  /** Resets all connections and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** While on, accepts connections and data but forwards nothing, like an unreachable host. */
  swallow(isOn: boolean): void;
  close(): Promise<void>;
}

/** Forwards a free port of the loopback interface to the host and port of a URL, such as that of PostgreSQL. */
export async function startProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSwallowing = false;
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (chunk) => isSwallowing || to.write(chunk));
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    if (isCut) {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    join(client, upstream);
    join(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = server.address() as AddressInfo; // a server that listens on a port has such an address
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    through(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(own.port);
      return changed.href;
    },
    reset,
    cut() {
      isCut = true;
      reset();
    },
    mend() {
      isCut = false;
    },
    swallow(isOn) {
      isSwallowing = isOn;
    },
    async close() {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}
