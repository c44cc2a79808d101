import { coalesce } from '../../lib/coalesce.ts';
import {
  aggregate,
  countersOf,
  type ProcessReport,
  processMetrics,
  withProcess,
  workerMetrics,
} from '../../platform/monitoring/process-report.ts';

/** Milliseconds workers have to report. */
const PATIENCE = 1000;

interface Reports {
  /** The reports of all processes; for workers that do not report in time, their last counters. Never throws. */
  collect(): Promise<ProcessReport[]>;
  /** Receives the report of a worker. */
  take(number: number, report: ProcessReport): void;
  /** Keeps the counters of a worker that has ended: sums must never shrink. */
  workerEnded(number: number): void;
}

/**
 * Collects the reports of the workers in the primary. `ask` requests them, and returns the numbers of the workers
 * asked.
 */
export function createReports(workers: number, ask: () => number[]): Reports {
  const last = new Map<number, ProcessReport>();
  const fresh = new Set<number>();
  const ended: ProcessReport[] = [];
  let asked: number[] = [];
  let onTaken = () => {};
  const collect = async (): Promise<ProcessReport[]> => {
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
    if (ended.length > 1) ended.push(await sumOf(ended.splice(0)));
    const present = [...last].map(([number, report]) =>
      fresh.has(number) ? withProcess(report, String(number)) : countersOf(report),
    );
    const primary = withProcess(processMetrics(), 'primary');
    return [primary, ...ended, ...present, workerMetrics(workers, fresh.size)];
  };
  const shared = coalesce(collect);
  return {
    collect: () => new Promise(shared),
    take(number, report) {
      last.set(number, report);
      fresh.add(number);
      onTaken();
    },
    workerEnded(number) {
      const report = last.get(number);
      if (report) ended.push(countersOf(report));
      last.delete(number);
      fresh.delete(number);
      asked = asked.filter((one) => one !== number);
      onTaken();
    },
  };
}

/** Joins the counters of ended workers, so that their list stays short. */
async function sumOf(reports: readonly ProcessReport[]): Promise<ProcessReport> {
  // The types of prom-client declare the type of a metric as a number, but it is a word.
  const sums: unknown = await (await aggregate(reports)).getMetricsAsJSON();
  return sums as ProcessReport;
}
