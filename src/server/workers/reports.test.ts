import { describe, expect, it } from 'vitest';
import { aggregate, metric, type ProcessReport } from '../../platform/monitoring/process-report.ts';
import { createReports } from './reports.ts';

const reportOf = (requests: number): ProcessReport => [
  metric('counter', 'requests_total', 'Requests.', requests),
  metric('gauge', 'connections', 'Connections.', requests),
];

describe('the reports of workers', () => {
  it('include the counts of workers that have ended, however many', async () => {
    const running = new Map<number, ProcessReport>();
    const reports = createReports(2, () => {
      for (const [number, report] of running) reports.take(number, report);
      return [...running.keys()];
    });
    const linesOf = async () => (await (await aggregate(await reports.collect())).metrics()).split('\n');
    for (const count of [1, 20, 300]) {
      running.set(1, reportOf(count));
      await linesOf();
      running.delete(1);
      reports.workerEnded(1);
    }
    running.set(2, reportOf(4000));
    for (let time = 0; time < 2; time += 1)
      expect(await linesOf()).toEqual(
        expect.arrayContaining(['requests_total 4321', 'connections 4000', 'marquee_workers{state="silent"} 1']),
      );
  });
});
