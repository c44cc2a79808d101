import type { z } from 'zod';
import type { Context } from '../../base/context.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Viewer } from './auth.ts';
import type { ClientAddress } from './client-address.ts';
import type { ErrorCode, Problem } from './errors.ts';
import type { RequestHeader, ResponseHeader } from './headers.ts';
import type { Limits, RequestKind } from './limits.ts';
import type { HttpResponse } from './response.ts';
import type { NamespaceName, Urls } from './urls.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Context for rules. It contains nothing about HTTP except the URLs for links. */
export interface RequestContext {
  context: Context;
  viewer: Viewer;
  /** Subject of the action for the audit log; absent for visitors, whose actions are not recorded. */
  actor?: Actor;
  urls: Urls;
  /** Language of the content and of messages. */
  language: string;
  /** Language named by the request, which links repeat; absent if `Accept-Language` decided. */
  askedLanguage?: string;
  /** Time of the request, constant while it is handled. */
  now: Date;
  /** Id that an import wants for the new record; used unless another record has it. */
  keptId?: number;
  /** Slug that an import wants for a new venue or organizer; by default it is derived from the name. */
  keptSlug?: string;
  /** Revisions of the record that an edit may replace, from `If-Match`; undefined for any. See `checkRevision`. */
  expectedRevisions?: readonly number[];
}

/** Context for rules that check a secret. Attempts are counted by client. */
export interface GuardedContext extends RequestContext {
  client: ClientAddress;
  limits: Limits;
}

/** Context for the functions of an endpoint; rules take a smaller one. */
export interface HandlerContext extends GuardedContext {
  /** Uploaded files by field name. */
  files: ReadonlyMap<string, File>;
  /** The body, for endpoints with `takesBytes`. */
  bytes?: Buffer;
  /** Returns a request header. Only a few headers are part of the interface, such as the cart token. */
  header(name: string): string | undefined;
  /** Handles another request in this process, as a separate call; undefined inside such a call. */
  serve?(request: Request): Promise<HttpResponse>;
  /** Returns a cookie of the request. Throws like `cookieOf` for requests that other sites can trigger. */
  cookie(name: string): string | undefined;
}

export type Fields = Readonly<Record<string, z.ZodType>>;
export type InputOf<F extends Fields> = { [K in keyof F]: z.output<F[K]> };
/** Validated parameters: the required ones and the optional ones that were sent. */
type Sent<F extends Fields, R extends keyof F> = Partial<InputOf<F>> & Pick<InputOf<F>, R>;

/** Reports an invalid parameter. One error lists all of them. */
export type AddProblem = (name: string, problem: Problem) => void;

/** Context of look-ups. */
export interface LookupContext {
  ctx: RequestContext;
  addProblem: AddProblem;
}

/** Response of a handler: a body that becomes JSON, with status 200 by default. */
export interface EndpointResponse {
  /** Statuses 400 and 403 are for refusals with a body of their own; all other refusals are thrown as `ApiError`. */
  status?: 200 | 201 | 202 | 204 | 400 | 403;
  /** Value, or its `RenderedJson`. */
  body: unknown;
  /** Sent unchanged in place of the body, for responses other than JSON. Text is compressed and cached like JSON. */
  raw?: { type: string; content: string | Uint8Array<ArrayBuffer> };
  /**
   * Sent in place of the body, in chunks as the client reads. The iteration ends if the client disconnects. Not started
   * for HEAD.
   */
  stream?: { type: string; chunks: () => AsyncIterable<string> };
  headers?: Record<string, string | number>;
  /**
   * Time in milliseconds until which visitors get the same response unless the data change; absent if the response
   * depends on anything without a version (docs/caching.md).
   */
  freshUntil?: number;
  /** True if the response depends on sales and holds, because it shows available seats. */
  showsSeats?: boolean;
  /** Seconds for which clients may use a shared response without revalidation; 0 by default. */
  maxAge?: number;
  /** Revision of the record in the response, for its entity tag. */
  revision?: number;
}

type ResponseSchemas = Readonly<Record<number, z.ZodType>>;

/**
 * One or more methods of one path. Each request passes through parameters -> `find` -> `may` -> `handle`; the first
 * step that refuses it determines the error. The OpenAPI document, the index and the documentation page are generated
 * from the same object.
 */
export interface Endpoint<
  F extends Fields = Fields,
  T = unknown,
  R extends keyof F & string = never,
  N extends string = string,
  A extends ResponseSchemas = ResponseSchemas,
> {
  namespace: NamespaceName;
  methods: readonly Method[];
  /** Path below the namespace; `{id}` matches digits, any other `{name}` one segment. */
  path: string;
  /** Unique, `resource.action`. */
  name: N;
  summary: string;
  description?: string;
  /** Schemas of all parameters, wherever they are sent. `required` lists the mandatory ones, in order. */
  input: F;
  required?: readonly R[];
  /**
   * Tests if a viewer must send a check-in key. Its parameter `api_key` is optional in the OpenAPI document, since the
   * header `X-API-Key` may replace it.
   */
  needsKey?: (viewer: Viewer) => boolean;
  /** Name of the request body schema in the OpenAPI document; by default it is derived from `name`. */
  body?: string;
  /** Request headers in addition to the common ones. */
  requestHeaders?: readonly RequestHeader[];
  /** Status -> schema of the body. */
  responses: A;
  /** Media types of successful responses in addition to JSON; in place of JSON if `responses` describes text. */
  media?: readonly string[];
  /** Headers of successful responses in addition to the common ones. */
  responseHeaders?: readonly ResponseHeader[];
  errors: readonly ErrorCode[];
  /** Statuses of errors that differ from the table in errors.ts. */
  statuses?: Readonly<Partial<Record<ErrorCode, number>>>;
  /** True if a request may upload files (multipart). */
  takesFiles?: boolean;
  /** True if the body may be the file itself, named by `Content-Disposition`. It is then the field `file`. */
  takesRawFile?: boolean;
  /**
   * Maximum bytes of a body that is passed to the handler unparsed, because a signature covers every byte.
   * `Idempotency-Key` is ignored.
   */
  takesBytes?: number;
  /** True if it accepts sessions that may only set up a required second factor. */
  isForSetUp?: boolean;
  /** True for writes to sessions, accounts or their credentials; see `guardCredentialWrite`. */
  isCredentialWrite?: boolean;
  /**
   * True if it must not be part of a batch because it begins, ends or confirms a session. Endpoints with `shownOnce`
   * are refused there too.
   */
  isRefusedInBatch?: boolean;
  /** True if successful responses are streams, which have no entity tag. */
  isStreamed?: boolean;
  /** True if GET changes data. HEAD does not run it. */
  hasEffect?: boolean;
  /**
   * Storage of the response to a write with an `Idempotency-Key`: in the transaction of the work (`atomic`, the
   * default) or after it (`recorded`). An atomic handler writes only in `context.db.transaction` and has no later side
   * effects, since its writes are committed after it returns.
   */
  idempotency?: 'atomic' | 'recorded';
  /**
   * Members and headers of successful responses that contain a secret; only its hash is stored. Repetitions with the
   * same `Idempotency-Key` get the response without them (shown-once.ts).
   */
  shownOnce?: readonly string[];
  /** Rate limit for visitors, applied before any look-up. */
  counted?: RequestKind;
  /** Subject of a write that its path and parameters do not name, such as the visitor's cart. */
  subjectOf?: (ctx: HandlerContext) => string | undefined;
  /**
   * Selects the members of a body that count as sent: if the body is a copy of the record named by the path, only
   * changed members count. Called for bodies with an `id` or a `url`, which only responses contain.
   */
  changesIn?: (
    copy: Readonly<Record<string, unknown>>,
    input: Partial<InputOf<F>>,
    ctx: HandlerContext,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /**
   * Looks up the records that the request names and refuses missing ones. Runs on the well-formed parameters even if
   * others are invalid, so that one error lists all problems.
   */
  find?: (input: Partial<InputOf<F>>, ctx: HandlerContext, addProblem: AddProblem) => Promise<T>;
  /**
   * Tests if the viewer may use the endpoint; without it, everyone may. The target is undefined if nothing was looked
   * up: for `Allow` after a refusal, and for the OpenAPI document.
   */
  may?: (viewer: Viewer, target: T | undefined, input: Partial<InputOf<F>>) => boolean;
  handle: (ctx: HandlerContext, input: Sent<F, R>, target: T) => Promise<EndpointResponse>;
  /**
   * Renders the current record for clients that send an outdated revision in `If-Match`. `handle` must then call
   * `checkRevision`.
   */
  showCurrent?: (ctx: HandlerContext, input: Sent<F, R>, target: T) => Promise<unknown>;
}

// The types within an endpoint agree; a list of endpoints need not know them.
// biome-ignore lint/suspicious/noExplicitAny: existential type of a heterogeneous list
export type AnyEndpoint = Endpoint<any, any, any>;

/** Defines an endpoint, with the types of its parameters, target and handler tied together. */
export const endpoint = <
  F extends Fields,
  N extends string,
  A extends ResponseSchemas,
  T = undefined,
  R extends keyof F & string = never,
>(
  definition: Endpoint<F, T, R, N, A>,
): Endpoint<F, T, R, N, A> => definition;

/** Body of an endpoint's successful response, typed by the schema in its `responses`. */
export type ResponseOf<E extends { responses: ResponseSchemas }> = z.output<
  E['responses'][keyof E['responses'] & Success]
>;

type Success = 200 | 201 | 202;

/** `freshUntil` of responses that do not depend on the time. */
export const ANY_TIME = Number.POSITIVE_INFINITY;

/** 200 with the requested record or list. */
export const ok = (body: unknown, headers?: EndpointResponse['headers']): EndpointResponse => ({
  status: 200,
  body,
  headers,
});
/** 201 with the created record. */
export const created = (body: unknown, headers?: EndpointResponse['headers']): EndpointResponse => ({
  status: 201,
  body,
  headers,
});

/** Narrows a target that `find` guarantees. */
export function assertFound<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a handler ran without its target');
  return value;
}
