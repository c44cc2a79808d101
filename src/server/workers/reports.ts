import { droppedLogLines } from '../../base/log.ts';
import { sharedLookup } from '../../lib/shared-lookup.ts';
import {
  type Counts,
  noCounts,
  type ProcessReport,
  type ServerReport,
  stateOf,
  sumCounts,
} from '../../platform/monitoring/process-report.ts';

/** Milliseconds workers have to report. */
const PATIENCE = 1000;

interface Reports {
  /**
   * Collects the reports of all processes. For a late worker, only its last known counts are included. Never throws.
   */
  collect(): Promise<ServerReport>;
  take(number: number, report: ProcessReport): void;
  /** Keeps the counts of a worker that has ended: the total must never shrink. */
  workerEnded(number: number): void;
}

/**
 * Collects the reports of the workers in the primary. `ask` asks all of them, and returns the numbers of those asked.
 */
export function createReports(workers: number, ask: () => number[]): Reports {
  const last = new Map<number, Counts>();
  const fresh = new Map<number, ProcessReport>();
  let ended = noCounts();
  let asked: number[] = [];
  let onTaken = () => {};
  const collect = async (): Promise<ServerReport> => {
    fresh.clear();
    const complete = Promise.withResolvers<void>();
    const timer = setTimeout(complete.resolve, PATIENCE);
    onTaken = () => {
      if (asked.every((number) => fresh.has(number))) complete.resolve();
    };
    asked = ask();
    onTaken();
    await complete.promise;
    clearTimeout(timer);
    const silent = [...last].flatMap(([number, counts]) => (fresh.has(number) ? [] : [counts]));
    const own = { ...noCounts(), droppedLogLines: droppedLogLines() };
    const primary: ProcessReport = { process: 'primary', counts: sumCounts([own, ended, ...silent]), state: stateOf() };
    return { reports: [primary, ...fresh.values()], workers };
  };
  const shared = sharedLookup(collect);
  return {
    collect: () => new Promise(shared),
    take(number, report) {
      last.set(number, report.counts);
      fresh.set(number, { ...report, process: String(number) });
      onTaken();
    },
    workerEnded(number) {
      const counts = last.get(number);
      if (counts) ended = sumCounts([ended, counts]);
      last.delete(number);
      fresh.delete(number);
      asked = asked.filter((one) => one !== number);
      onTaken();
    },
  };
}
