import type { Database } from '../../db/database.ts';
import { isTransient } from '../../db/errors.ts';
import type { ScanRequest } from './scan-batch.ts';
import { type ScanResult, takeScans } from './take-scans.ts';

/**
 * Requests with scans that arrive while others are being taken wait for them, and are then taken together: one
 * transaction for a dozen devices costs little more than one for a single device.
 */

/** Scans of one transaction, at most, unless a single request has more. */
const MAX_TOGETHER = 200;

interface Waiting {
  request: ScanRequest;
  resolve(results: ScanResult[]): void;
  reject(error: unknown): void;
}

interface Queue {
  waiting: Waiting[];
  isBusy: boolean;
}

const queues = new WeakMap<Database, Queue>();

/** Takes the scans of a request; a transaction is a queue of its own. */
export function takeInTurn(db: Database, request: ScanRequest): Promise<ScanResult[]> {
  const queue = queues.get(db) ?? { waiting: [], isBusy: false };
  queues.set(db, queue);
  return new Promise((resolve, reject) => {
    queue.waiting.push({ request, resolve, reject });
    if (!queue.isBusy) void work(db, queue);
  });
}

async function work(db: Database, queue: Queue): Promise<void> {
  queue.isBusy = true;
  while (queue.waiting.length > 0) {
    let scans = 0;
    const fitting = queue.waiting.findIndex(({ request }) => {
      scans += request.scans.length;
      return scans > MAX_TOGETHER;
    });
    await takeTogether(db, queue.waiting.splice(0, fitting === -1 ? queue.waiting.length : Math.max(1, fitting)));
  }
  queue.isBusy = false;
}

/**
 * Takes requests together. If that fails, each is taken alone, so that none suffers from another, unless the database
 * is away.
 */
async function takeTogether(db: Database, group: readonly Waiting[]): Promise<void> {
  try {
    const results = await takeScans(
      db,
      group.map(({ request }) => request),
    );
    for (const [index, { resolve }] of group.entries()) resolve(results[index] ?? []);
  } catch (error) {
    if (group.length === 1 || isTransient(error)) for (const { reject } of group) reject(error);
    else for (const one of group) await takeTogether(db, [one]);
  }
}
