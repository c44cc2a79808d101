import type { ProcessReport, ServerReport } from '../web/process-report.ts';

/** File descriptor of the listening socket in a worker: after the three standard ones and the channel of messages. */
export const SOCKET_FD = 4;

export type FromWorker =
  | { kind: 'listening' }
  | { kind: 'failed'; problem: string }
  | { kind: 'report'; report: ProcessReport }
  | { kind: 'wants-reports' };

export type FromPrimary = { kind: 'stop' } | { kind: 'report-wanted' } | { kind: 'reports'; server: ServerReport };
