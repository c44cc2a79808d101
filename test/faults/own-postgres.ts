import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { launchServer } from '../postgres-server.ts';

export interface OwnPostgres {
  /** URL of the maintenance database. */
  url: string;
  /**
   * Stops it like `pg_ctl stop` and resolves when it has ended.
   * @param mode `immediate` is a crash, `fast` an orderly shutdown
   */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Restarts it with its data; resolves when it accepts connections. */
  start(): Promise<void>;
  /** Stops it and removes its files. Also happens when this process ends. */
  close(): Promise<void>;
}

/** A private PostgreSQL server for a test, which can be stopped and restarted while in use. */
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

/** Retries until it accepts connections: it refuses them before it listens and during recovery. */
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
