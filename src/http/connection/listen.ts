import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import { type AddressInfo, BoundSocket } from 'node:net';
import type { Config } from '../../base/config.ts';

type ListenConfig = Pick<Config, 'host' | 'port' | 'maxConnections'>;

/** Failure to listen on an address. The message is one sentence that names the setting. */
export class ListenError extends Error {}

/**
 * Listens on the configured address, or on a socket that another process has already bound to it.
 * @returns the address: scheme, host and port
 * @throws {ListenError}
 */
export async function listen(server: Server, config: ListenConfig, fd?: number): Promise<string> {
  const place = fd === undefined ? { port: config.port, host: config.host } : { fd };
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(config, error)));
    // With Node's default of 511, a burst fills the accept queue, and the system then ignores new connections for
    // seconds.
    server.listen({ ...place, backlog: config.maxConnections }, resolve);
  });
  // A listening TCP server has an address with a port.
  return originOf(config, server.address() as AddressInfo);
}

interface SharedSocket {
  /** Scheme, host and port. */
  address: string;
  fd: number;
  close(): void;
}

/**
 * Binds the configured address for processes that inherit the socket. Connections are accepted once one of them
 * listens.
 * @throws {ListenError}
 */
export async function bindShared(config: ListenConfig): Promise<SharedSocket> {
  try {
    const { address: host } = await lookup(config.host);
    const socket = new BoundSocket({ host, port: config.port });
    if (socket.fd() < 0)
      throw new ListenError('MARQUEE_WORKERS must be 1 on this system: processes cannot share a port.');
    return { address: originOf(config, socket.address()), fd: socket.fd(), close: () => socket.close() };
  } catch (error) {
    throw error instanceof ListenError ? error : listenError(config, error as NodeJS.ErrnoException);
  }
}

function originOf({ host }: ListenConfig, { port }: AddressInfo): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function listenError({ host, port }: ListenConfig, error: NodeJS.ErrnoException): ListenError {
  if (error.code === 'EADDRINUSE')
    return new ListenError(`MARQUEE_PORT ${port} is already in use on ${host}; choose another one.`);
  if (error.code === 'EACCES')
    return new ListenError(`MARQUEE_PORT ${port} may not be used by this account; choose one above 1023.`);
  return new ListenError(`MARQUEE_HOST ${host} is not an address to listen on (${error.code ?? error.message}).`);
}
