import type { RequestKind } from '../../http/core/limits.ts';
import type { RequestCount } from '../../platform/limits/limits.ts';
import type { ProcessReport } from '../../platform/monitoring/process-report.ts';

/** File descriptor of the listening socket in a worker: after the three standard ones and the channel of messages. */
export const SOCKET_FD = 4;

/** A request to count, under a number that the worker chose. */
export interface WantedCount {
  id: number;
  name: RequestKind;
  key: string;
  points: number;
}

export type FromWorker =
  | { kind: 'listening' }
  | { kind: 'failed'; problem: string }
  | { kind: 'report'; report: ProcessReport }
  | { kind: 'wants-reports' }
  | { kind: 'count'; counts: WantedCount[] };

export type FromPrimary =
  | { kind: 'stop' }
  | { kind: 'report-wanted' }
  | { kind: 'reports'; reports: ProcessReport[] }
  | { kind: 'counted'; counts: (RequestCount & { id: number })[] };
