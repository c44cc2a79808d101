import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FaultyProxy {
  /** The URL of the target, by way of the proxy. */
  url: string;
  /** Breaks all connections at once, as a router that restarts does. New ones work. */
  cut(): void;
  /** While on, takes connections and whatever comes on any of them, and passes nothing on: a host that is gone. */
  swallow(isOn: boolean): void;
  close(): Promise<void>;
}

/** A TCP proxy on loopback before the host and port of a URL (that of PostgreSQL, say), which fails on demand. */
export async function startProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
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
    const upstream = connect(Number(port), hostname);
    join(client, upstream);
    join(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port); // a server that listens on a port has such an address
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    cut,
    swallow(isOn) {
      isSwallowing = isOn;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
