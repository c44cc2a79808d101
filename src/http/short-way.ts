import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import { sharedLookup } from '../lib/shared-lookup.ts';
import { createAnswerMemory, type RememberedAnswer } from './answer-memory.ts';
import { addressOf, proxyTrust } from './client-address.ts';
import { compress, prefersGzip } from './compression.ts';
import { matchesTag, strongTag } from './etag.ts';
import type { RequestSummary, SharedBody } from './exchange.ts';
import { foreignId } from './request-id.ts';
import { type Answered, logAccess, type Traffic } from './traffic.ts';
import { FORWARDING_HEADERS } from './undeclared-proxies.ts';

/** Characters of an address whose answer is kept. */
const MAX_URL = 1000;
/** Characters of a header that the answer depends on. */
const MAX_HEADER = 300;

/** Headers by which the caller is known, or asks for something other than the address says. */
const PERSONAL = ['authorization', 'x-api-key', 'x-http-method-override', 'content-length', 'transfer-encoding'];

/** A request whose answer may be kept, and the version of the data before it was handled. */
interface Candidate {
  key: string;
  version: string;
  /** Milliseconds. */
  since: number;
}

/** Milliseconds without look-ups after one that failed. */
const RETRY_AFTER = 1000;
/** Milliseconds that a look-up may take before requests go to the application without waiting for it. */
const PATIENCE = 500;

interface Options {
  context: Context;
  traffic: Traffic;
  newId: () => string;
  observe: (answered: Answered) => void;
}

/**
 * Repeated reads of strangers, answered before the application sees them, in the same bytes. Endpoints decide what may
 * be kept, by `freshUntil` of their replies; nothing tells this memory what has changed but the version of the data,
 * which is looked up for each request after it came (docs/adr/0024-remembered-answers.md).
 */
export interface ShortWay {
  /** Answers a request if its answer is known and nothing that it was made from has changed since. */
  answers(request: IncomingMessage, answer: ServerResponse): Promise<boolean>;
  /** Tries again when the turn of the request has come: others may have been answered meanwhile. */
  answersInTurn(request: IncomingMessage, answer: ServerResponse): Promise<boolean>;
  /** Keeps the answer that the application gave, if it may be shared and is asked for again and again. */
  keep(request: IncomingMessage | undefined, response: Response, summary: RequestSummary): Promise<void>;
}

export function createShortWay({ context, traffic, newId, observe }: Options): ShortWay {
  const { config, db, now } = context;
  const memory = createAnswerMemory(config.cacheBytes);
  const versions = createVersionLookup(() => db.dialect.calendarVersion(db));
  const isTrusted = proxyTrust(config.trustProxy);
  const candidates = new WeakMap<IncomingMessage, Candidate>();
  const keyOf = sharedKey(isTrusted);
  const send = (request: IncomingMessage, answer: ServerResponse, found: RememberedAnswer) => {
    const start = performance.now();
    if (request.socket.destroyed) return;
    const sent = isTrusted(addressOf(request)) ? foreignId(single(request.headers['x-request-id'])) : undefined;
    const id = sent ?? newId();
    const isKnown = matchesTag(request.headers['if-none-match'], found.tag);
    const status = isKnown ? 304 : 200;
    answer.writeHead(status, headersOf(found, id, isKnown));
    answer.end(isKnown ? undefined : found.body);
    const answered = { method: 'GET', route: found.route, status, seconds: (performance.now() - start) / 1000 };
    observe(answered);
    logAccess(context, answered, { id });
  };
  const tryKey = async (key: string, request: IncomingMessage, answer: ServerResponse) => {
    traffic.inFlight += 1;
    const version = await versions.now();
    traffic.inFlight -= 1;
    if (version === undefined) return false;
    const since = now().getTime();
    const found = memory.find(key, { version, now: since });
    if (found) send(request, answer, found);
    else candidates.set(request, { key, version, since });
    return found !== undefined;
  };
  return {
    async answers(request, answer) {
      const key = keyOf(request);
      if (key === undefined || !memory.isAskedAgain(key) || versions.isHeldUp()) return false;
      return tryKey(key, request, answer);
    },
    async answersInTurn(request, answer) {
      const key = candidates.get(request)?.key;
      return key !== undefined && memory.has(key) && tryKey(key, request, answer);
    },
    async keep(request, { headers, status }, { route = '', sharedBody }) {
      if (!request || !sharedBody || (status !== 200 && status !== 304)) return;
      const candidate = candidates.get(request);
      if (!candidate) {
        const key = keyOf(request);
        if (key !== undefined) memory.note(key);
        return;
      }
      memory.keep(candidate.key, {
        route,
        headers: [...headers].filter(([name]) => !OF_ONE_ANSWER.has(name)),
        isCompressed: sharedBody.isCompressed,
        tag: strongTag(headers.get('etag') ?? ''),
        body: await bytesOf(sharedBody),
        version: candidate.version,
        freshFrom: candidate.since,
        freshUntil: sharedBody.freshUntil,
      });
    },
  };
}

interface VersionLookup {
  /** Undefined when the database does not answer: the application says what is wrong. Never throws. */
  now(): Promise<string | undefined>;
  /** Whether the database is slow to answer or has just failed. */
  isHeldUp(): boolean;
}

function createVersionLookup(look: () => Promise<string>): VersionLookup {
  let startedAt: number | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  const now = sharedLookup(async () => {
    startedAt = performance.now();
    try {
      return await look();
    } catch {
      failedAt = performance.now();
      return undefined;
    } finally {
      startedAt = undefined;
    }
  });
  return {
    now,
    isHeldUp() {
      const time = performance.now();
      return time - failedAt < RETRY_AFTER || (startedAt !== undefined && time - startedAt > PATIENCE);
    },
  };
}

/** Headers that the same answer does not always have. */
const OF_ONE_ANSWER: ReadonlySet<string> = new Set(['x-request-id', 'content-encoding']);

async function bytesOf({ text, isCompressed, bytes }: SharedBody): Promise<Uint8Array> {
  if (bytes) return bytes;
  return isCompressed ? compress(text) : Buffer.from(text);
}

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];

/**
 * What the answer to a stranger depends on: the address, the origin under which it came, the languages, and the origin
 * of the page that asks. Undefined for a request whose answer may depend on more.
 */
const sharedKey =
  (isTrusted: (address: string) => boolean) =>
  (request: IncomingMessage): string | undefined => {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || url.length > MAX_URL || !url.startsWith('/')) return undefined;
    if (PERSONAL.some((name) => headers[name] !== undefined)) return undefined;
    const { host = '', origin = '', cookie } = headers;
    // Whether a page elsewhere may read an answer depends on cookies too; the answer itself does not.
    if (origin !== '' && cookie !== undefined) return undefined;
    const address = addressOf(request);
    if (address === '') return undefined;
    const isForwarded = FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
    const isFromProxy = isTrusted(address);
    if (isForwarded && !isFromProxy) return undefined;
    const parts = [host, origin, headers['accept-language'] ?? '', encodingOf(headers)];
    if (isFromProxy) parts.push(single(headers['x-forwarded-proto']) ?? '', single(headers['x-forwarded-host']) ?? '');
    if (parts.some((part) => part.length > MAX_HEADER)) return undefined;
    return [url, ...parts].join('\n');
  };

/** As the application would send them. */
function headersOf({ headers, isCompressed, body }: RememberedAnswer, id: string, isKnown: boolean): string[] {
  const own = [['x-request-id', id] as const];
  const encoding = isCompressed && !isKnown ? [['content-encoding', 'gzip'] as const] : [];
  const all = [...headers, ...own, ...encoding].sort(([a], [b]) => (a < b ? -1 : 1)).flat();
  return isKnown ? all : [...all, 'Content-Length', String(body.length)];
}

const encodingOf = (headers: IncomingHttpHeaders): string =>
  prefersGzip(single(headers['accept-encoding'])) ? 'gzip' : '';
