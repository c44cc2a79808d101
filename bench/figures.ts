import type { Case } from './cases.ts';
import { type Load, type Measured, measure } from './client.ts';
import { cpuTimeOf, type Running } from './process.ts';
import { AUTHORIZATION } from './sites.ts';
import { median } from './statistics.ts';

/** Categories come first. */
const CHANGED_TAG = 51;
/** Clients at a time when throughput is measured. */
export const CROWD = 16;
const WARM_UP_SECONDS = 0.25;

/** Sends many requests at a time: wrk, or processes of our own client. */
export type Generator = (load: Load) => Promise<Measured>;

/** How the requests of a case are sent. */
export interface Asked {
  /** In French, which half of the records have texts of their own in. */
  inFrench?: boolean;
  /** Each request after a change to the data: nothing that the server remembers is of use. */
  changed?: boolean;
}

/** One case at one server. */
export interface Subject {
  one: Case;
  server: Running;
}

export function loadOf({ one, server }: Subject, { inFrench, changed }: Asked = {}): Omit<Load, 'seconds'> {
  const urls = one.paths.map((path) => `${server.address}/calendar/events/v1${path}`);
  const headers: Record<string, string> = one.asEditor ? { Authorization: AUTHORIZATION } : {};
  const inLanguage = (url: string) => (inFrench ? `${url}${url.includes('?') ? '&' : '?'}i18n_language=fr` : url);
  return {
    requests: urls.map((url) => ({ url: inLanguage(url), headers })),
    clients: 1,
    ...(changed && { before: () => change(server) }),
  };
}

export async function warmUp(subject: Subject): Promise<void> {
  await measure({ ...loadOf(subject), seconds: WARM_UP_SECONDS });
  await measure({ ...loadOf(subject, { inFrench: true }), seconds: WARM_UP_SECONDS });
}

let changes = 0;

/** Changes a record, so that the totals that the server remembers no longer count. */
export async function change(server: Running): Promise<void> {
  changes += 1;
  const { status } = await fetch(`${server.address}/calendar/events/v1/tags/${CHANGED_TAG}`, {
    method: 'POST',
    headers: { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' },
    body: JSON.stringify({ description: `Change ${changes}` }),
  });
  if (status !== 200) throw new Error(`a change got ${status}`);
}

/** Figure by figure the median of several measurements of the same. */
export function medianOf(measured: readonly Measured[]): Measured {
  const of = (figure: keyof Measured) => median(measured.map((one) => one[figure]));
  return {
    requests: measured.reduce((sum, { requests }) => sum + requests, 0),
    rate: of('rate'),
    p50: of('p50'),
    p95: of('p95'),
    p99: of('p99'),
    bytes: of('bytes'),
  };
}

/**
 * Measures with `processor`: milliseconds of processor time of the server per request, its background work included;
 * NaN where it is unknown. They depend less on the load of the machine than the time of a request.
 */
export async function withProcessorTime(
  { pid }: Running,
  work: () => Promise<Measured>,
): Promise<Measured & { processor: number }> {
  const before = cpuTimeOf(pid) ?? Number.NaN;
  const measured = await work();
  return { ...measured, processor: (1000 * ((cpuTimeOf(pid) ?? Number.NaN) - before)) / measured.requests };
}
