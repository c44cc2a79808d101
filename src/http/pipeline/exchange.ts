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
import type { HandleOnce } from './idempotency.ts';

/** Dependencies of request handling; assembled once, in `app.ts`. */
export interface ServerDeps {
  /** Context of the process, with the environment in its configuration. */
  context: Context;
  routes: readonly Route[];
  site: SiteLookup;
  authenticate: Authenticate;
  recogniseKey: RecogniseKey;
  handleOnce: HandleOnce;
  reportFault: ReportFault;
  limits: Limits;
}

/** Client of a request, with notes for log and metrics. */
interface Sender {
  client: ClientAddress;
  summary: RequestSummary;
}

/** Call of the interface, with its client and the current site. */
export interface IncomingCall extends Sender {
  request: HttpRequest;
  call: Call;
  /** Includes the choices of the site. */
  context: Context;
  /** True if another request of the same client makes this call. It may neither make further calls nor get a stream. */
  isInner?: boolean;
  /** Message language of the outer request, if a session identifies its viewer. */
  messagesIn?: string | undefined;
}

/** State of a call being handled. */
export interface Exchange extends IncomingCall {
  deps: ServerDeps;
  /** Language of texts. */
  language: string;
  /**
   * Language of messages. With a session it is the language of the browser, whichever language is being edited;
   * otherwise the language of texts.
   */
  messageLanguage: string;
  /** True if a session identifies the viewer. */
  hasSession: boolean;
  /** True if the request named the language; otherwise `Accept-Language` decided. */
  isLanguageAsked: boolean;
}

/** A request for a page or a file. */
export interface PageRequest extends Sender {
  request: HttpRequest;
  url: URL;
  /** Scheme, host and port as the visitor sent them. */
  origin: string;
  /**
   * Resolves the context with the choices of the site. Requests that do not call it are served without the database.
   */
  resolveContext(): Promise<Context>;
  /** Response of the interface to a request for an unknown route. */
  respondNoRoute(): Promise<HttpResponse>;
}

/** Handles requests for certain pages or files; undefined for any other. */
export type PageHandler = (page: PageRequest) => Promise<HttpResponse | undefined> | HttpResponse | undefined;

/** Handler that is loaded on its first request, so that a server without page requests never loads the pages. */
export function loadedOnDemand(load: () => Promise<PageHandler>): PageHandler {
  let loading: Promise<PageHandler> | undefined;
  return async (page) => {
    loading ??= load();
    const handler = await loading.catch((error: unknown) => {
      // The failure may be temporary, such as too many open files, so the next request tries again.
      loading = undefined;
      throw error;
    });
    return handler(page);
  };
}
