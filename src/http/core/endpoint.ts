import type { z } from 'zod';
import type { Context } from '../../base/context.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Viewer } from './auth.ts';
import type { ClientAddress } from './client-address.ts';
import type { ErrorCode, Problem } from './errors.ts';
import type { AnswerHeader, RequestHeader } from './headers.ts';
import type { Limits, RequestKind } from './limits.ts';
import type { HttpResponse } from './response.ts';
import type { NamespaceName, Urls } from './urls.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The context of rules: nothing of HTTP except the URLs for links. */
export interface RequestContext {
  context: Context;
  viewer: Viewer;
  /** Who acts, for the audit log; absent for visitors, whose acts it does not record. */
  actor?: Actor;
  urls: Urls;
  /** Language of the content and of messages. */
  language: string;
  /** Language named by the request, kept in links; absent if `Accept-Language` decided. */
  askedLanguage?: string;
  /** The time of the request, the same throughout. */
  now: Date;
  /** Revisions of the record that an edit may replace, from `If-Match`; undefined for any. See `checkRevision`. */
  expectedRevisions?: readonly number[];
}

/** For rules that compare a secret sent by the caller: attempts are counted by client. */
export interface GuardedContext extends RequestContext {
  client: ClientAddress;
  limits: Limits;
}

/** For `find`, `handle` and `subjectOf` of endpoints only; rules take a smaller context. */
export interface HandlerContext extends GuardedContext {
  /** Uploaded files by field name. */
  files: ReadonlyMap<string, File>;
  /** A request header: for the few that are part of the interface, such as the cart token. */
  header(name: string): string | undefined;
  /**
   * Answers another request in this process, as one of its own; undefined for a request that is answered in this way
   * itself.
   */
  serve?(request: Request): Promise<HttpResponse>;
  /** A cookie of the request; throws like `cookieOf` for requests that other sites can trigger. */
  cookie(name: string): string | undefined;
}

export type Fields = Readonly<Record<string, z.ZodType>>;
export type InputOf<F extends Fields> = { [K in keyof F]: z.output<F[K]> };
/** Validated parameters: the required ones and the optional ones that were sent. */
type Sent<F extends Fields, R extends keyof F> = Partial<InputOf<F>> & Pick<InputOf<F>, R>;

/** Reports an invalid parameter; one error names all of them. */
export type AddProblem = (name: string, problem: Problem) => void;

/** Context of look-ups. */
export interface LookupContext {
  ctx: RequestContext;
  addProblem: AddProblem;
}

/** Reply of a handler: a body that becomes JSON, with status 200 by default. */
export interface EndpointResponse {
  /** 400 and 403 only for refusals with a special body; all others are an ApiError. */
  status?: 200 | 201 | 202 | 204 | 400 | 403;
  /** A value, or the `RenderedJson` of one. */
  body: unknown;
  /** Sent as is instead of the body, for answers that are not JSON. Text is compressed and remembered as JSON is. */
  raw?: { type: string; content: string | Uint8Array<ArrayBuffer> };
  /**
   * Sent instead of the body, piece by piece as the client reads it; a client that goes away ends the iteration. Not
   * begun for HEAD.
   */
  stream?: { type: string; chunks: () => AsyncIterable<string> };
  headers?: Record<string, string | number>;
  /**
   * Until when a stranger gets the same answer while the data do not change, in milliseconds; absent when that depends on
   * anything that is not counted (docs/caching.md).
   */
  freshUntil?: number;
  /** Whether it shows what sales and holds change: the seats that are left. */
  showsSeats?: boolean;
  /** Seconds for which clients may keep a shared answer without asking again; 0 by default. */
  maxAge?: number;
  /** Revision of the record that a read shows, for its entity tag. */
  revision?: number;
}

type Answers = Readonly<Record<number, z.ZodType>>;

/**
 * One or more methods of one path. Each request passes: parameters -> `find` -> `may` -> `handle`; the first to refuse
 * determines the error. The OpenAPI document, the index and the documentation page are generated from the same object.
 */
export interface Endpoint<
  F extends Fields = Fields,
  T = unknown,
  R extends keyof F & string = never,
  N extends string = string,
  A extends Answers = Answers,
> {
  namespace: NamespaceName;
  methods: readonly Method[];
  /** Path below the namespace; `{id}` matches digits, any other `{name}` one segment. */
  path: string;
  /** Unique, `resource.action`. */
  name: N;
  summary: string;
  description?: string;
  /** Schema of every parameter, wherever it is sent. `required` names the mandatory ones, in order. */
  input: F;
  required?: readonly R[];
  /**
   * Whether a caller has to send a check-in key. Its parameter `api_key` is optional in the OpenAPI document, since the
   * header `X-API-Key` counts as it.
   */
  needsKey?: (viewer: Viewer) => boolean;
  /** Name of the request body schema in the OpenAPI document, if one derived from the endpoint would be poor. */
  body?: string;
  /** Request headers besides those of every endpoint. */
  requestHeaders?: readonly RequestHeader[];
  /** Status -> schema of the body. */
  answers: A;
  /** Media types of successful answers besides JSON, or without it if `answers` describes them as text. */
  media?: readonly string[];
  /** Headers of successful answers besides those of every endpoint. */
  answerHeaders?: readonly AnswerHeader[];
  errors: readonly ErrorCode[];
  /** Statuses of errors that differ from the table in errors.ts. */
  statuses?: Readonly<Partial<Record<ErrorCode, number>>>;
  /** Whether a request may upload files (multipart). */
  takesFiles?: boolean;
  /** Whether the body may be the file itself, named by `Content-Disposition`. It is then the field `file`. */
  takesRawFile?: boolean;
  /** Whether accounts may use it whose session is only there to set up the second factor that their role needs. */
  isForSetUp?: boolean;
  /** Whether it is a write to sessions, accounts or their credentials, which `guardCredentialWrite` guards. */
  isCredentialWrite?: boolean;
  /** Whether a batch refuses it, as it does what is `shownOnce`: it begins, ends or confirms a session. */
  isRefusedInBatch?: boolean;
  /** Whether successful answers are streams, which have no entity tag. */
  isStreamed?: boolean;
  /** Whether GET changes data. HEAD does not run it. */
  hasEffect?: boolean;
  /**
   * How the answer to a write with an `Idempotency-Key` is kept: in the transaction of the work (`atomic`, the
   * default), or after it (`recorded`). An atomic handler writes in `context.db.transaction` only and has no side
   * effects after it, since its writes are committed once it has answered.
   */
  idempotency?: 'atomic' | 'recorded';
  /**
   * Members and headers of successful replies that show a secret, which is stored as a hash only. Repetitions with the
   * same `Idempotency-Key` get the reply without them (shown-once.ts).
   */
  shownOnce?: readonly string[];
  /** Rate limit for callers without an account, applied before any look-up. */
  counted?: RequestKind;
  /** Subject of a write besides its path and parameters, such as the visitor's cart. */
  subjectOf?: (ctx: HandlerContext) => string | undefined;
  /**
   * The members of a body that count as sent: of a copy of the record that the path names, those that differ from it.
   * Called for bodies with an `id` or a `url`, which only answers have.
   */
  changesIn?: (
    copy: Readonly<Record<string, unknown>>,
    input: Partial<InputOf<F>>,
    ctx: HandlerContext,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /**
   * Looks up what the request names and refuses what does not exist. Runs on the well-formed parameters even if others
   * are invalid, so that one error names all problems.
   */
  find?: (input: Partial<InputOf<F>>, ctx: HandlerContext, addProblem: AddProblem) => Promise<T>;
  /**
   * Whether the caller is permitted; without it everybody is. The target is undefined if nothing was looked up: for
   * `Allow` after a refusal, and for the OpenAPI document.
   */
  may?: (viewer: Viewer, target: T | undefined, input: Partial<InputOf<F>>) => boolean;
  handle: (ctx: HandlerContext, input: Sent<F, R>, target: T) => Promise<EndpointResponse>;
  /**
   * Renders the record that a write changes as it is now, for callers who send another revision in `If-Match`. `handle`
   * then has to call `checkRevision`.
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
  A extends Answers,
  T = undefined,
  R extends keyof F & string = never,
>(
  definition: Endpoint<F, T, R, N, A>,
): Endpoint<F, T, R, N, A> => definition;

/** Body of the successful response of an endpoint, of the schema in its `answers`. */
export type ResponseOf<E extends { answers: Answers }> = z.output<E['answers'][keyof E['answers'] & Success]>;

type Success = 200 | 201 | 202;

/** For `freshUntil` of what does not depend on the time. */
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

/** Narrows a target whose absence `find` has refused. */
export function assertFound<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a handler ran without its target');
  return value;
}
