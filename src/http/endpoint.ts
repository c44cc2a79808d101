import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Viewer } from './auth.ts';
import type { ErrorCode, Problem } from './errors.ts';
import type { AnswerHeader, RequestHeader } from './headers.ts';
import type { Limits, RequestKind } from './limits.ts';
import type { ClientAddress } from './request-target.ts';
import type { NamespaceName, Urls } from './urls.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What the rules behind an endpoint may use: nothing of HTTP but the addresses for links. */
export interface RequestContext {
  context: Context;
  viewer: Viewer;
  urls: Urls;
  /** Language of the content and of messages. */
  language: string;
  /** The language as the request named it, which links keep; absent when `Accept-Language` decided. */
  askedLanguage?: string;
  /** One instant for the whole request. */
  now: Date;
}

/** What a rule gets that compares a secret with one that the caller sent: guesses are counted for the client. */
export interface GuardedContext extends RequestContext {
  client: ClientAddress;
  limits: Limits;
}

/** What `find`, `handle` and `subjectOf` of an endpoint get. Rules get no more of it than they need. */
export interface HandlerContext extends GuardedContext {
  /** Uploaded files by field name. */
  files: ReadonlyMap<string, File>;
  /** A header of the request: for the few that are part of the interface, such as the visitor's cart. */
  header(name: string): string | undefined;
  /** A cookie of the request; throws like `cookieOf` for requests that other sites can trigger. */
  cookie(name: string): string | undefined;
}

export type Fields = Readonly<Record<string, z.ZodType>>;
export type InputOf<F extends Fields> = { [K in keyof F]: z.output<F[K]> };
/** The parameters of a request: the required ones are there, of the others those that were sent. */
export type Sent<F extends Fields, R extends keyof F> = Partial<InputOf<F>> & Pick<InputOf<F>, R>;

/** Says that a parameter cannot be used; all of them are answered together. */
export type AddProblem = (name: string, problem: Problem) => void;

/** What look-ups work with. */
export interface LookupContext {
  ctx: RequestContext;
  addProblem: AddProblem;
}

/** What a handler answers: a body that becomes JSON, with status 200 unless it says another. */
export interface Reply {
  /** 400 and 403 for the few answers that refuse with a body of their own; all other refusals are an ApiError. */
  status?: 200 | 201 | 202 | 204 | 400 | 403;
  body: unknown;
  /** Sent instead of the body, as it is: for answers that are not JSON. */
  raw?: { type: string; bytes: Uint8Array<ArrayBuffer> };
  headers?: Record<string, string | number>;
}

/**
 * One or more methods of one path. Each request goes: parameters -> `find` -> `may` -> `handle`; the first that refuses
 * answers. The OpenAPI document, the index and the documentation page are made from the same object.
 */
export interface Endpoint<F extends Fields = Fields, T = unknown, R extends keyof F & string = never> {
  namespace: NamespaceName;
  methods: readonly Method[];
  /** Below the namespace; `{id}` is digits, any other `{name}` one segment. */
  path: string;
  /** Unique, `resource.action`. */
  name: string;
  summary: string;
  description?: string;
  /** Schema of every parameter, wherever it is sent. `required` names those that must be there, in order. */
  input: F;
  required?: readonly R[];
  /** Name of the schema of the request body in the OpenAPI document, where the name of the endpoint makes a poor one. */
  body?: string;
  /** Headers that requests may bring, besides those of every endpoint. */
  requestHeaders?: readonly RequestHeader[];
  /** Status -> schema of the body. */
  answers: Readonly<Record<number, z.ZodType>>;
  /** Media types of successful answers besides JSON. */
  media?: readonly string[];
  /** Headers of successful answers, besides those of every endpoint. */
  answerHeaders?: readonly AnswerHeader[];
  errors: readonly ErrorCode[];
  /** Statuses of errors that are not answered with that of the table in errors.ts. */
  statuses?: Readonly<Partial<Record<ErrorCode, number>>>;
  /** Whether a request may bring files (multipart). */
  takesFiles?: boolean;
  /** Whether the body may also be the file itself, named by `Content-Disposition`. It is then the field `file`. */
  takesRawFile?: boolean;
  /** A GET that changes something. HEAD does not run it. */
  hasEffect?: boolean;
  /**
   * How a write with an `Idempotency-Key` keeps its answer: with the work in one transaction (`atomic`, unless said
   * otherwise), or after it (`recorded`). An atomic handler writes in `context.db.transaction` only, and has no effect
   * elsewhere after it, since what it wrote is committed once it has answered.
   */
  idempotency?: 'atomic' | 'recorded';
  /** Requests of callers without an account are counted, before anything is looked up or kept for them. */
  counted?: RequestKind;
  /** What a write is about besides its path and parameters, such as the visitor's cart. */
  subjectOf?: (ctx: HandlerContext) => string | undefined;
  /**
   * Looks up what the request names and refuses what is not there. Runs on the parameters that are well formed even
   * when others are not, so that one answer names all of them.
   */
  find?: (input: Partial<InputOf<F>>, ctx: HandlerContext, addProblem: AddProblem) => Promise<T>;
  /** Whether the caller has the right; without it everybody has. */
  may?: (viewer: Viewer, target: T, input: Partial<InputOf<F>>) => boolean;
  handle: (ctx: HandlerContext, input: Sent<F, R>, target: T) => Promise<Reply>;
}

// The parts of one endpoint agree among themselves; a list of endpoints does not need to know how.
// biome-ignore lint/suspicious/noExplicitAny: existential type of a heterogeneous list
export type AnyEndpoint = Endpoint<any, any, any>;

/** Defines an endpoint: gives it back as it is, and makes its parameters, its target and its handler agree. */
export const endpoint = <F extends Fields, T = undefined, R extends keyof F & string = never>(
  definition: Endpoint<F, T, R>,
): Endpoint<F, T, R> => definition;

/** 200: the record or the list that was asked for. */
export const ok = (body: unknown, headers?: Reply['headers']): Reply => ({ status: 200, body, headers });
/** 201: the record that the request made. */
export const created = (body: unknown, headers?: Reply['headers']): Reply => ({ status: 201, body, headers });

/** `find` refuses the request when there is no such record, so a handler always has one. */
export function assertFound<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a handler ran although its look-up found nothing');
  return value;
}
