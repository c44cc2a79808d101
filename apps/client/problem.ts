import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  MarqueeError,
} from '../../packages/client/src/marquee-client.ts';

/** Codes of problems without a response of the server. */
type LocalCode = 'offline' | 'unexpected';

/** Failure of a call, as screens show it. */
export class Problem extends Error {
  override name = 'Problem';
  /** The server's code, `offline` without a response, `unexpected` for anything else. */
  readonly code: LocalCode | (string & {});
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Why fields are refused, by their names on the wire. */
  readonly fields: Readonly<Record<string, string>>;
  /** Details, such as the current record of an `edit-conflict`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Seconds to wait before another request, if the server says so. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;

  constructor(error: unknown) {
    super(error instanceof Error ? error.message : String(error), { cause: error });
    const answer = error instanceof ApiError ? error : undefined;
    this.code = answer?.code ?? (error instanceof ConnectionError ? 'offline' : 'unexpected');
    this.status = answer?.status ?? 0;
    this.fields = error instanceof InvalidRequestError ? error.params : {};
    this.data = answer?.data ?? {};
    this.retryAfter = answer?.retryAfter;
    this.requestId = answer?.requestId;
  }

  /** The same problem with a message at a field, for refusals that do not name the field. */
  at(field: string, message: string): Problem {
    return Object.assign(new Problem(this.cause), { fields: { [field]: message } });
  }

  /** The problem of one response in a batch. */
  static ofAnswer(status: number, body: unknown): Problem {
    const { code = 'unexpected', message = '', data = {} } = (body ?? {}) as Partial<ApiError>;
    const answer = { status, code, message, data, requestId: undefined, retryAfter: undefined };
    return new Problem(new ApiError(answer, { method: 'POST', path: '/batch' }));
  }
}

/** Turns errors of the client into problems; others, such as an abort, stay as they are. */
export const problemOf = (error: unknown): unknown =>
  error instanceof MarqueeError || error instanceof TypeError ? new Problem(error) : error;

/** Why fields are refused, by their names on the wire. */
export const fieldProblems = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof Problem ? error.fields : {};

/** Whether an error is a problem, with one of the codes if any are given. */
export const isProblem = (error: unknown, ...codes: string[]): error is Problem =>
  error instanceof Problem && (codes.length === 0 || codes.includes(error.code));
