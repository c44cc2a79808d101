import { type Running, start } from './process.ts';
import { type Original, type Site, startSite, WITHOUT_MEMORY } from './sites.ts';

/** Measured servers, on the same data. */
export interface Servers {
  /** With the default settings. */
  warm: Site;
  /** Without a memory. */
  cold: Site;
  /** A bare `node:http`, which sends what it is told to. */
  bare: Running;
}

interface ServersOptions {
  serverCore?: number;
  profile: boolean;
}

/** Starts the servers for a measurement, and stops them after it. */
export async function withServers<T>(
  original: Original,
  { serverCore: core, profile }: ServersOptions,
  use: (servers: Servers) => Promise<T>,
): Promise<T> {
  const nodeArgs = profile ? ['--cpu-prof', '--cpu-prof-dir=bench/results'] : [];
  const running: Running[] = [];
  const started = async <R extends Running>(starting: Promise<R>): Promise<R> => {
    const server = await starting;
    running.push(server);
    return server;
  };
  try {
    return await use({
      warm: await started(startSite(original, { core, nodeArgs })),
      cold: await started(startSite(original, { core, nodeArgs, settings: WITHOUT_MEMORY })),
      bare: await started(start(['bench/baseline.ts'], { core })),
    });
  } finally {
    for (const server of running) await server.stop();
  }
}
