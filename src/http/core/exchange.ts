import type { Context } from '../../base/context.ts';
import type { ParsedQuery } from '../input/params.ts';
import type { AnswerOnce } from '../pipeline/idempotency.ts';
import type { Authenticate, RecogniseKey } from './auth.ts';
import type { ClientAddress } from './client-address.ts';
import type { ReportFault } from './fault-reporter.ts';
import type { Limits } from './limits.ts';
import type { RequestTarget } from './request-target.ts';
import type { Route } from './router.ts';

/** Dependencies for answering requests; assembled once, in `app.ts`. */
export interface ServerDeps {
  context: Context;
  routes: readonly Route[];
  /** Takes up what the site has chosen anew (`site-config.ts`). */
  settleConfig(): Promise<void>;
  authenticate: Authenticate;
  recogniseKey: RecogniseKey;
  answerOnce: AnswerOnce;
  reportFault: ReportFault;
  limits: Limits;
}

/** A request before it is handled: its client and its target. */
export interface IncomingRequest extends ClientAddress, RequestTarget {
  summary: RequestSummary;
  /** Whether another request of the same client asks for it: it may neither ask for more nor get a stream. */
  isInner?: boolean;
  /** Of that other request, if a session identifies its caller. */
  messagesIn?: string | undefined;
}

/** Facts about a request for the log and the metrics, filled in while it is handled. */
export interface RequestSummary {
  id: string;
  /** Pattern that matched; never the path itself, which is unbounded. */
  route?: string;
  /** Code of the error in the answer. */
  code?: string;
  /** Body of an answer that strangers may share. */
  sharedBody?: SharedBody;
}

/** Body of an answer that is the same for every stranger, until a moment in milliseconds or a change of the data. */
export interface SharedBody {
  text: string | Uint8Array;
  freshUntil: number;
  /** As in `EndpointResponse`. */
  showsSeats: boolean;
  isCompressed: boolean;
  /** As compressed and sent. */
  bytes?: Uint8Array;
}

/** State of a request being handled. */
export interface Exchange extends IncomingRequest {
  deps: ServerDeps;
  request: Request;
  /** Parses the query, given the names of its list parameters. */
  readQuery: ParsedQuery;
  /** The query, for the parameters that every endpoint takes. */
  query: Record<string, unknown>;
  /** Of texts. */
  language: string;
  /** Of messages: that of texts, but with a session that of the browser, whichever language is being edited. */
  messageLanguage: string;
  /** Whether a session identifies the caller. */
  hasSession: boolean;
  /** Whether the request named the language; otherwise `Accept-Language` decided. */
  isLanguageAsked: boolean;
}

/** Effective method, after `_method` or `X-HTTP-Method-Override`; HEAD is never overridden. */
export function methodOf({ request, query }: Exchange): string {
  if (request.method === 'HEAD') return 'HEAD';
  const override = query._method ?? request.headers.get('x-http-method-override');
  return typeof override === 'string' && override !== '' ? override.toUpperCase() : request.method;
}

/** Whether a method only reads. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';
