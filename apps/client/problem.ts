import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  MarqueeError,
} from '../../packages/client/src/marquee-client.ts';

/** Codes of problems that the server did not answer with. */
type LocalCode = 'offline' | 'unexpected';

/** Why a call failed, as screens show it. */
export class Problem extends Error {
  override name = 'Problem';
  /** The server's code, `offline` if no answer came, `unexpected` for anything else. */
  readonly code: LocalCode | (string & {});
  /** 0 without an answer. */
  readonly status: number;
  /** Why each field is refused, by its name on the wire. */
  readonly fields: Readonly<Record<string, string>>;
  /** Details, such as the present record after an `edit-conflict`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Seconds to wait, if the server asks for that. */
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

  /** The same, said of a field: some refusals do not name the one that they are about. */
  at(field: string, message: string): Problem {
    return Object.assign(new Problem(this.cause), { fields: { [field]: message } });
  }

  /** The problem of one call of a batch, by its answer. */
  static ofAnswer(status: number, body: unknown): Problem {
    const { code = 'unexpected', message = '', data = {} } = (body ?? {}) as Partial<ApiError>;
    const answer = { status, code, message, data, requestId: undefined, retryAfter: undefined };
    return new Problem(new ApiError(answer, { method: 'POST', path: '/batch' }));
  }
}

/** The problem that an error is; an aborted call stays what it is. */
export const problemOf = (error: unknown): unknown =>
  error instanceof MarqueeError || error instanceof TypeError ? new Problem(error) : error;

/** Whether an error is a problem with a code. */
export const isProblem = (error: unknown, ...codes: string[]): error is Problem =>
  error instanceof Problem && (codes.length === 0 || codes.includes(error.code));
