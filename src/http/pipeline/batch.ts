import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { translate } from '../../lib/i18n.ts';
import { isRecord, membersOf } from '../../lib/text/list.ts';
import { endpoint, type HandlerContext, ok } from '../core/endpoint.ts';
import { ApiError, type ErrorCode, messageOf, statusOf } from '../core/errors.ts';
import { type HttpResponse, PRIVATE_NO_STORE, textOf } from '../core/response.ts';
import { field, type Json } from '../input/schemas.ts';

/** Several calls of the interface in one request. */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const MAX_CALLS = 100;
/** Maximum length of a path. */
const MAX_PATH = 4000;
const MAX_TAG = 500;
/** Maximum bytes of all responses; calls after that are not made. */
const MAX_RESPONSES = 8 * 1024 * 1024;

interface Call {
  method: (typeof METHODS)[number];
  path: string;
  body?: Readonly<Record<string, unknown>>;
  ifMatch?: string;
}

const callSchema: Json = {
  $id: 'BatchCall',
  type: 'object',
  properties: {
    method: { type: 'string', enum: METHODS },
    path: {
      type: 'string',
      maxLength: MAX_PATH,
      description: 'Path and query of the call, from the first slash: `/calendar/events/v1/events/5`.',
    },
    body: { type: 'object', additionalProperties: true, description: 'Parameters of a write.' },
    if_match: { type: 'string', maxLength: MAX_TAG, description: 'Header `If-Match` of the call.' },
  },
  required: ['method', 'path'],
};

const calls: z.ZodType<Call[]> = field(
  { type: 'array', items: callSchema, minItems: 1, maxItems: MAX_CALLS, description: 'Calls, in order.' },
  'param.batch_calls',
  (value) => {
    const members = typeof value === 'object' && value !== null ? membersOf(value) : undefined;
    if (!members || members.length === 0 || members.length > MAX_CALLS) return undefined;
    const read = members.flatMap((member) => callOf(member) ?? []);
    return read.length === members.length ? read : undefined;
  },
);

function callOf(member: unknown): Call | undefined {
  if (!isRecord(member)) return undefined;
  const { path, body, if_match: ifMatch } = member;
  const method = METHODS.find((name) => name === member.method);
  if (!method || typeof path !== 'string' || !path.startsWith('/') || path.length > MAX_PATH) return undefined;
  if (body !== undefined && body !== null && (!isRecord(body) || method === 'GET')) return undefined;
  if (ifMatch !== undefined && !isHeaderText(ifMatch)) return undefined;
  return { method, path, ...(isRecord(body) && { body }), ...(isHeaderText(ifMatch) && { ifMatch }) };
}

const isHeaderText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TAG && /^[\x20-\x7e]*$/.test(value);

const resultSchema = z
  .object({
    status: z.int(),
    headers: z.record(z.string(), z.string()).describe('`ETag`, `Location` and `Retry-After`, if present.'),
    body: z.unknown().describe('Body of the response; null for no content.'),
  })
  .meta({ id: 'BatchResult', description: 'Response to one call of a batch.' });

type Result = z.output<typeof resultSchema>;

/** Up to a hundred calls, made in order with the credentials of the request. */
export const batchEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/batch',
  name: 'batch.run',
  summary: 'Make several calls in one request',
  description:
    'For accounts. The calls are made in order, each as if it were sent alone with the same credentials: with its own rights, limits, transaction and response. A failed call does not stop the others. A call may neither be a batch, nor get a file or a stream, nor begin or end a session or create a credential. With an `Idempotency-Key`, a repetition does nothing twice.',
  input: { calls },
  required: ['calls'],
  body: 'BatchInput',
  responses: { 200: z.object({ results: z.array(resultSchema) }).meta({ id: 'BatchResults' }) },
  errors: ['rest_missing_callback_param', 'rest_forbidden', 'batch-call-refused', 'batch-too-large'],
  idempotency: 'recorded',
  // Open to every account.
  statuses: { rest_forbidden: 401 },
  may: ({ account }) => account !== undefined,
  async handle(ctx, { calls: wanted }) {
    if (!ctx.serve) throw new ApiError('batch-call-refused', { message: 'batch.nested' });
    const results: Result[] = [];
    let bytes = 0;
    for (const [position, call] of wanted.entries()) {
      // Lets other requests run between calls.
      await turn();
      if (bytes >= MAX_RESPONSES) results.push(refusal(ctx, 'batch-too-large'));
      else {
        const { result, size } = await make(ctx, call, position);
        bytes += size;
        results.push(result);
      }
    }
    return ok({ results }, PRIVATE_NO_STORE);
  },
});

/** Headers that identify the client of the batch. */
const IDENTIFYING = ['authorization', 'cookie', 'origin', 'sec-fetch-site', 'x-api-key'];
const SHOWN = ['ETag', 'Location', 'Retry-After'];

async function make(ctx: HandlerContext, call: Call, position: number): Promise<{ result: Result; size: number }> {
  const request = requestOf(ctx, call, position);
  const response = request && (await ctx.serve?.(request));
  if (!response) return { result: refusal(ctx, 'batch-call-refused'), size: 0 };
  if (!isJson(response)) return { result: refusal(ctx, 'batch-call-refused'), size: 0 };
  const text = await textOf(response);
  const body: unknown = text === '' ? null : JSON.parse(text);
  const headers = SHOWN.flatMap((name) => {
    const value = response.headers.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  refuseInProgress(response, body);
  return { result: { status: response.status, headers: Object.fromEntries(headers), body }, size: text.length };
}

/**
 * Refuses the batch if a call is still claimed by a process that was killed during it, like any early retry: if the
 * response of the batch were stored, the call would never be made.
 */
function refuseInProgress({ headers }: HttpResponse, body: unknown): void {
  if (!isRecord(body) || body.code !== ('request-in-progress' satisfies ErrorCode)) return;
  throw new ApiError('request-in-progress', { headers: { 'Retry-After': headers.get('Retry-After') ?? '5' } });
}

const isJson = ({ headers, status }: HttpResponse): boolean =>
  status === 204 || (headers.get('content-type')?.startsWith('application/json') ?? false);

/** Builds the request for a call with the credentials of the client; undefined if its response would not be JSON. */
function requestOf(ctx: HandlerContext, { method, path, body, ifMatch }: Call, position: number): Request | undefined {
  const address = `${ctx.urls.origin}${path}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.searchParams.has('_jsonp')) return undefined;
  const headers = new Headers({ 'Accept-Language': ctx.language });
  for (const name of IDENTIFYING) {
    const value = ctx.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
  const key = ctx.header('idempotency-key');
  // On a retry after a crash, skip the calls already done.
  if (key !== undefined && method !== 'GET') headers.set('Idempotency-Key', keyOf(key, position));
  if (method === 'GET') return new Request(url, { method, headers });
  headers.set('Content-Type', 'application/json');
  return new Request(url, { method, headers, body: JSON.stringify(body ?? {}) });
}

const keyOf = (key: string, position: number): string =>
  createHash('sha256').update(`batch ${position} ${key}`).digest('base64url');

/** Result of a call that was not made. */
function refusal({ language }: HandlerContext, code: ErrorCode): Result {
  const status = statusOf(code);
  const message = translate(language, messageOf(code).key);
  return { status, headers: {}, body: { code, message, data: { status } } };
}
