import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { launchServer } from '../postgres-server.ts';

export interface OwnPostgres {
  /** Of the maintenance database. */
  url: string;
  /**
   * Stops it like `pg_ctl stop` and resolves when it is gone.
   * @param mode `immediate` is a crash, `fast` an orderly shutdown
   */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again with the data that it has; resolves when it takes connections. */
  start(): Promise<void>;
  /** Ends it and removes its files. Happens whenever this process ends, too. */
  close(): Promise<void>;
}

/** A PostgreSQL server of a test's own, which can be stopped and started while it is in use. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const { url, ready, tell, stop: close } = await launchServer(true);
  await ready;
  return {
    url,
    stop: tell,
    async start() {
      await tell('start');
      await untilOpen(url);
    },
    close,
  };
}

/** Retries until it takes connections: it does not before it listens, nor during recovery. */
async function untilOpen(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    const isOpen = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (isOpen) return;
    await delay(20);
  }
}
