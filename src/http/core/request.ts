/** Headers of a request; names are case-insensitive. */
export interface RequestHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/** Request from a socket, a test or another request in this process. The global `Request` implements it. */
export interface HttpRequest {
  readonly method: string;
  readonly headers: RequestHeaders;
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly bodyUsed: boolean;
}

/** Data about a request for the log and the metrics, filled in while it is handled. */
export interface RequestSummary {
  id: string;
  /** Route pattern; never the path itself, which is unbounded. */
  route?: string;
  /** Code of the error in the response. */
  code?: string;
}

/** Tests if a method only reads. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Value of a header of node:http; the first of several. */
export const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];
