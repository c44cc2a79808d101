import type { Database } from '../../../db/database.ts';
import { toUtc } from '../../../lib/dates/dates.ts';
import { seatsLeft } from './seats.ts';
import { releaseExpired, SoldOut } from './stock.ts';

/**
 * Runs work that takes seats. If there are not enough, expired holds are released, and if that or a concurrent release
 * frees any seats, the work is retried once.
 * @throws {SoldOut} if there are still not enough
 */
export async function withExpiredReleased<T>(db: Database, now: Date, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SoldOut)) throw error;
    await releaseExpired(db, toUtc(now));
    if ((await seatsLeft(db, error.ticketId, now)) === 0) throw error;
    return work();
  }
}
