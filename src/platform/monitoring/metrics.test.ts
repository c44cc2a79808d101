import { describe, expect, it } from 'vitest';
import { createTraffic } from '../../http/connection/traffic.ts';
import { createMetrics } from './metrics.ts';
import { aggregate, countersOf, type ProcessReport, withProcess, workerMetrics } from './process-report.ts';

/** Report of a worker with some served and some refused requests for events. */
function reportOf(process: string, { answered, refused }: { answered: number; refused: number }): ProcessReport {
  const traffic = createTraffic();
  const { observe, report } = createMetrics(traffic);
  traffic.connections = answered;
  traffic.closed.set('slow_reader', refused);
  traffic.delays.add(answered);
  for (let index = 0; index < answered; index += 1)
    observe({ method: 'GET', route: '/events', status: 200, seconds: 0.02 });
  for (let index = 0; index < refused; index += 1)
    observe({ method: 'GET', route: '/events', status: 503, code: 'overloaded', seconds: 20 });
  return withProcess(report({ waitingWrites: answered }), process);
}

async function linesOf(reports: ProcessReport[], answering: number): Promise<string[]> {
  const registry = await aggregate([...reports, workerMetrics(3, answering)]);
  return (await registry.metrics()).split('\n');
}

describe('the metrics of several processes', () => {
  const workers = [reportOf('1', { answered: 2, refused: 0 }), reportOf('2', { answered: 3, refused: 1 })];

  it('are sums where possible, and separate by process otherwise', async () => {
    const labels = 'method="GET",route="/events"';
    const duration = 'marquee_http_request_duration_seconds';
    expect(await linesOf(workers, 2)).toEqual(
      expect.arrayContaining([
        `marquee_http_requests_total{${labels},status="200"} 5`,
        `marquee_http_requests_total{${labels},status="503"} 1`,
        `${duration}_bucket{${labels},le="0.01"} 0`,
        `${duration}_bucket{${labels},le="0.025"} 5`,
        `${duration}_bucket{${labels},le="10"} 5`,
        `${duration}_bucket{${labels},le="+Inf"} 6`,
        `${duration}_count{${labels}} 6`,
        'marquee_http_refusals_total{code="overloaded"} 1',
        'marquee_http_connections_closed_total{reason="slow_reader"} 1',
        'marquee_http_connections 5',
        'marquee_database_waiting_writes 5',
        'marquee_event_loop_delay_seconds{process="1",quantile="0.99"} 0.002',
        'marquee_event_loop_delay_seconds{process="2",quantile="0.99"} 0.003',
        'marquee_workers{state="answering"} 2',
        'marquee_workers{state="silent"} 1',
      ]),
    );
  });

  it('keep the counts of a process that no longer reports', async () => {
    const [first, second] = workers as [ProcessReport, ProcessReport];
    const lines = await linesOf([first, countersOf(second)], 1);
    expect(lines).toEqual(
      expect.arrayContaining([
        'marquee_http_requests_total{method="GET",route="/events",status="200"} 5',
        'marquee_http_connections 2',
        'marquee_workers{state="silent"} 2',
      ]),
    );
  });

  it('name each metric once', async () => {
    const names = (await linesOf(workers, 2)).flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
    expect(new Set(names).size).toBe(names.length);
  });
});
