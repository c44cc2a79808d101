import type { Context } from '../../base/context.ts';
import type { SiteLookup } from '../../base/site-config.ts';
import type { Authenticate, RecogniseKey } from '../core/auth.ts';
import type { ClientAddress } from '../core/client-address.ts';
import type { ReportFault } from '../core/fault-reporter.ts';
import type { Limits } from '../core/limits.ts';
import type { HttpRequest, RequestSummary } from '../core/request.ts';
import type { HttpResponse } from '../core/response.ts';
import type { Route } from '../core/router.ts';
import type { Call } from '../input/parsed-request.ts';
import type { AnswerOnce } from './idempotency.ts';

/** Dependencies for answering requests; assembled once, in `app.ts`. */
export interface ServerDeps {
  /** Of the process, with the environment in its configuration. */
  context: Context;
  routes: readonly Route[];
  site: SiteLookup;
  authenticate: Authenticate;
  recogniseKey: RecogniseKey;
  answerOnce: AnswerOnce;
  reportFault: ReportFault;
  limits: Limits;
}

/** The client of a request, and what is noted about it. */
interface Sender {
  client: ClientAddress;
  summary: RequestSummary;
}

/** A call of the interface, with whom it is from and the site at its moment. */
export interface IncomingCall extends Sender {
  request: HttpRequest;
  call: Call;
  /** With what the site chooses. */
  context: Context;
  /** Whether another request of the same client asks for it: it may neither ask for more nor get a stream. */
  isInner?: boolean;
  /** Of that other request, if a session identifies its viewer. */
  messagesIn?: string | undefined;
}

/** State of a call being handled. */
export interface Exchange extends IncomingCall {
  deps: ServerDeps;
  /** Of texts. */
  language: string;
  /** Of messages: that of texts, but with a session that of the browser, whichever language is being edited. */
  messageLanguage: string;
  /** Whether a session identifies the viewer. */
  hasSession: boolean;
  /** Whether the request named the language; otherwise `Accept-Language` decided. */
  isLanguageAsked: boolean;
}

/** A request for a page or a file. */
export interface PageRequest extends Sender {
  request: HttpRequest;
  url: URL;
  /** Scheme, host and port as the visitor wrote them. */
  origin: string;
  /** The context with what the site chooses. What needs nothing of it is answered without the database. */
  resolveContext(): Promise<Context>;
  /** The response of the interface to a request for what there is not. */
  answerNowhere(): Promise<HttpResponse>;
}

/** Answers the requests for some pages or files; undefined for any other. */
export type PageHandler = (page: PageRequest) => Promise<HttpResponse | undefined> | HttpResponse | undefined;
