import type { JoinReports } from '../../app.ts';
import { sharedLookup } from '../../lib/shared-lookup.ts';
import { type ProcessReport, workerMetrics } from '../../platform/monitoring/process-report.ts';
import type { FromPrimary, FromWorker } from './messages.ts';

/** Milliseconds that the primary has to gather the reports, for which it waits a second itself. */
const PATIENCE = 2000;

/** The part of a worker in the metrics: it reports when it is asked, and asks the primary for the reports of all. */
export function joinReports(workers: number, tell: (message: FromWorker) => void): JoinReports {
  return (own) => {
    let take: (reports: ProcessReport[]) => void = () => undefined;
    process.on('message', (message: FromPrimary) => {
      if (message.kind === 'report-wanted') tell({ kind: 'report', report: own() });
      if (message.kind === 'reports') take(message.reports);
    });
    const shared = sharedLookup(async () => {
      const answer = Promise.withResolvers<ProcessReport[]>();
      const timer = setTimeout(() => answer.resolve([own(), workerMetrics(workers, 1)]), PATIENCE);
      take = answer.resolve;
      tell({ kind: 'wants-reports' });
      const reports = await answer.promise;
      clearTimeout(timer);
      return reports;
    });
    return () => new Promise(shared);
  };
}
