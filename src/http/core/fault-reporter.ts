import type { Context } from '../../base/context.ts';
import { ApiError } from './errors.ts';

/** Milliseconds between log lines while the database is unreachable: thousands of requests may fail in a second. */
const OUTAGE_LOG_INTERVAL = 10_000;

/** Logs an unexpected error in full and returns the error for the client, without details. */
export type ReportFault = (error: unknown, request: { method: string; path: string }) => ApiError;

/**
 * @param storageFaultOf classifies storage faults
 */
export function createFaultReporter(
  context: Context,
  storageFaultOf: (error: unknown) => 'damaged' | 'unavailable' | undefined,
): ReportFault {
  let isDamageLogged = false;
  let outage: { loggedAt: number; unlogged: number } | undefined;

  /** Logs the first failure at once, then one every ten seconds with the number of failures in between. */
  function logOutage(details: object): void {
    const time = context.now().getTime();
    const elapsed = outage ? time - outage.loggedAt : Infinity;
    // A clock set back must not silence the log.
    if (outage && elapsed >= 0 && elapsed < OUTAGE_LOG_INTERVAL) {
      outage.unlogged += 1;
      return;
    }
    const unlogged = outage?.unlogged ?? 0;
    context.log.error({ ...details, ...(unlogged > 0 && { unlogged }) }, 'storage unavailable');
    outage = { loggedAt: time, unlogged: 0 };
  }

  /** Logs once; otherwise every request would repeat it until a backup is restored. */
  function logDamage(details: object): void {
    if (isDamageLogged) return;
    isDamageLogged = true;
    context.log.fatal(
      details,
      'the database is damaged: restore the backup, or save what can be read with sqlite3 .recover',
    );
  }

  return (error, request) => {
    const details = { err: error, ...request };
    const fault = storageFaultOf(error);
    if (fault === undefined) {
      context.log.error(details, 'fault');
      return new ApiError('internal');
    }
    if (fault === 'damaged') logDamage(details);
    else logOutage(details);
    return new ApiError('storage_unavailable', { headers: { 'Retry-After': '5' } });
  };
}
