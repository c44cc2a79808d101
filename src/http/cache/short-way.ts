import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../base/context.ts';
import { foreignId } from '../../base/request-id.ts';
import type { DataVersion } from '../../lib/data-version.ts';
import { createRecentMap } from '../../lib/recent-map.ts';
import { sharedLookup } from '../../lib/shared-lookup.ts';
import { type Answered, logAccess, type Traffic } from '../connection/traffic.ts';
import { addressOf, forwardedOrigin, proxyTrust } from '../core/client-address.ts';
import { hasSession } from '../core/cookies.ts';
import { isRefusedForCookies, ORIGIN_HEADERS, originHeaders } from '../core/cors.ts';
import type { RequestSummary, SharedBody } from '../core/exchange.ts';
import type { Route } from '../core/router.ts';
import { FORWARDING_HEADERS } from '../core/undeclared-proxies.ts';
import { compress, prefersGzip } from '../output/compression.ts';
import { matchesTag, strongTag } from '../output/etag.ts';
import { createAnswerMemory, type MemorySize, type RememberedAnswer } from './answer-memory.ts';
import { createFirstReads } from './first-reads.ts';
import { headOf, headWith, linesOf } from './head.ts';
import { keyOfRead } from './read-key.ts';

/** Characters of an address whose answer is kept. */
const MAX_URL = 1000;
/** Characters of a header that the answer depends on. */
const MAX_HEADER = 300;
/** Bytes of requests whose key is known without parsing them again, of which twice as many may be kept. */
const MAX_KNOWN = 2_000_000;

/** Headers by which the caller is known, or asks for something other than the address says. */
export const PERSONAL_HEADERS = [
  'authorization',
  'x-api-key',
  'x-http-method-override',
  'content-length',
  'transfer-encoding',
];

/** A read whose answer strangers may share. */
interface SharedRead {
  /** Of the answer in one encoding. */
  key: string;
  /** Under which the client reached the server. */
  origin: string;
}

/** A read whose answer may be kept, and the version of the data before it was handled. */
interface Candidate {
  read: SharedRead;
  version: DataVersion;
  /** Milliseconds. */
  since: number;
}

/** How often a request waits for another one; what changes again and again meanwhile, it answers itself. */
const MAX_WAITS = 3;

/** Milliseconds without look-ups after one that failed. */
const RETRY_AFTER = 1000;
/** Milliseconds that a look-up may take before requests go to the application without waiting for it. */
const PATIENCE = 500;

interface Options {
  context: Context;
  routes: readonly Route[];
  traffic: Traffic;
  newId: () => string;
  observe: (answered: Answered) => void;
}

type Try = (request: IncomingMessage, answer: ServerResponse, otherwise: () => void) => void;

/**
 * Repeated reads of strangers, answered before the application sees them, in the same bytes. Endpoints decide what may
 * be kept, by `freshUntil` of their replies; nothing tells this memory what has changed but the version of the data,
 * which is looked up for each request after it came (docs/adr/0024-remembered-answers.md).
 */
export interface ShortWay {
  /** Answers a request if its answer is known and nothing that it was made from has changed since. */
  answer: Try;
  /** Tries again when the turn of the request has come: others may have been answered meanwhile. */
  answerInTurn: Try;
  /** Keeps the answer that the application gave, if it may be shared and is asked for again and again. */
  keep(request: IncomingMessage | undefined, response: Response, summary: RequestSummary): Promise<void>;
  kept(): MemorySize;
}

export function createShortWay({ context, routes, traffic, newId, observe }: Options): ShortWay {
  const { config, db, now } = context;
  const memory = createAnswerMemory(config.cacheBytes / 2);
  const versions = createVersionLookup(() => db.dialect.dataVersion(db));
  const isTrusted = proxyTrust(config.trustProxy);
  const candidates = new WeakMap<IncomingMessage, Candidate>();
  const readOf = sharedReads({ context, routes, isTrusted });
  const firstReads = createFirstReads<IncomingMessage>();
  const send = (request: IncomingMessage, answer: ServerResponse, found: RememberedAnswer, ownOrigin: string) => {
    const start = performance.now();
    const { headers } = request;
    const sent = single(headers['x-request-id']);
    const id = (sent !== undefined && isTrusted(addressOf(request)) ? foreignId(sent) : undefined) ?? newId();
    const isUnchanged = matchesTag(headers['if-none-match'], found.tag);
    const status = isUnchanged ? 304 : 200;
    const plain = isUnchanged ? found.unchangedHead : found.head;
    const head = headers.origin ? headWith(plain, originHeaders(config, pageOf(request, ownOrigin))) : plain;
    answer.writeHead(status, linesOf(head, id));
    answer.end(isUnchanged ? undefined : found.body);
    const answered = { method: 'GET', route: found.route, status, seconds: (performance.now() - start) / 1000 };
    observe(answered);
    logAccess(context, answered, { id });
  };
  const tryRead = (read: SharedRead, request: IncomingMessage, answer: ServerResponse, otherwise: () => void) => {
    traffic.inFlight += 1;
    versions.now((version) => {
      traffic.inFlight -= 1;
      if (request.socket.destroyed) return;
      try {
        if (version === undefined) return otherwise();
        const since = now().getTime();
        const found = memory.find(read.key, { version, now: since });
        if (found) return send(request, answer, found, read.origin);
        candidates.set(request, { read, version, since });
        otherwise();
      } catch {
        answer.destroy();
      }
    });
  };
  const keepAnswer = async (request: IncomingMessage, { headers, status }: Response, summary: RequestSummary) => {
    const { route = '', sharedBody } = summary;
    if (!sharedBody || config.cacheBytes === 0 || (status !== 200 && status !== 304)) return false;
    const candidate = candidates.get(request);
    if (!candidate) {
      const read = readOf(request);
      if (read) memory.note(read.key);
      return false;
    }
    const pairs = [...headers].filter(([name]) => !ORIGIN_HEADERS.has(name) && name !== ENCODING);
    const encoding = sharedBody.isCompressed ? [[ENCODING, 'gzip'] as const] : [];
    const body = await bytesOf(sharedBody);
    memory.keep(candidate.read.key, {
      route,
      head: headOf([...pairs, ...encoding], body.length),
      unchangedHead: headOf(pairs),
      tag: strongTag(headers.get('etag') ?? ''),
      body,
      version: candidate.version,
      freshFrom: candidate.since,
      freshUntil: sharedBody.freshUntil,
      showsSeats: sharedBody.showsSeats,
    });
    return true;
  };
  return {
    kept: memory.size,
    answer(request, answer, otherwise) {
      const read = config.cacheBytes > 0 ? readOf(request) : null;
      if (read && isRefusedForCookies(config, pageOf(request, read.origin))) otherwise();
      else if (read && memory.isAskedAgain(read.key) && !versions.isHeldUp()) tryRead(read, request, answer, otherwise);
      else otherwise();
    },
    answerInTurn(request, answer, otherwise) {
      const read = candidates.get(request)?.read;
      if (!read) return otherwise();
      const { key } = read;
      const begin = (waits: number) => {
        if (waits < MAX_WAITS && firstReads.isUnderWay(key)) return wait(waits);
        firstReads.begin(key, request);
        answer.once('close', () => firstReads.end(request, false));
        otherwise();
      };
      const attempt = (waits: number) => {
        // Who has waited needs the present version: an answer kept under an older one would be of no use.
        if (waits > 0 || memory.has(key)) tryRead(read, request, answer, () => begin(waits));
        else begin(waits);
      };
      const wait = (waits: number) => {
        traffic.inFlight += 1;
        firstReads.wait(key, (isKept) => {
          traffic.inFlight -= 1;
          if (request.socket.destroyed) return;
          if (isKept) attempt(waits + 1);
          else otherwise();
        });
      };
      attempt(0);
    },
    async keep(request, response, summary) {
      if (!request) return;
      const isKept = await keepAnswer(request, response, summary).catch(() => false);
      firstReads.end(request, isKept);
    },
  };
}

/** The page from which a request comes. */
const pageOf = ({ headers }: IncomingMessage, ownOrigin: string) => ({
  origin: headers.origin,
  hasCookies: headers.cookie !== undefined,
  ownOrigin,
});

/** A 304 does not have it. */
const ENCODING = 'content-encoding';

async function bytesOf({ text, isCompressed, bytes }: SharedBody): Promise<Uint8Array> {
  if (bytes) return bytes;
  return isCompressed ? compress(text) : Buffer.from(text);
}

interface VersionLookup {
  /** Gives undefined when the database does not answer: the application says what is wrong. */
  now(receive: (version: DataVersion | undefined) => void): void;
  /** Whether the database is slow to answer or has just failed. */
  isHeldUp(): boolean;
}

function createVersionLookup(look: () => Promise<DataVersion>): VersionLookup {
  let startedAt: number | undefined;
  let failedAt: number | undefined;
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
      if (failedAt === undefined && startedAt === undefined) return false;
      const time = performance.now();
      if (startedAt !== undefined && time - startedAt > PATIENCE) return true;
      return failedAt !== undefined && time - failedAt < RETRY_AFTER;
    },
  };
}

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.[0];

interface ReadOptions {
  context: Context;
  routes: readonly Route[];
  isTrusted: (address: string) => boolean;
}

/** Recognises reads that strangers may share; what a request depends on is parsed once while it is repeated. */
function sharedReads({ context, routes, isTrusted }: ReadOptions): (request: IncomingMessage) => SharedRead | null {
  let { languages } = context.config;
  let known = createRecentMap<SharedRead | null>(MAX_KNOWN);
  return (request) => {
    const sent = sentBy(request, isTrusted);
    if (!sent) return null;
    const { config } = context;
    if (config.languages !== languages) {
      ({ languages } = config);
      known = createRecentMap(MAX_KNOWN);
    }
    const text = textOf(sent);
    const found = known.get(text);
    if (found !== undefined) return found;
    const read = parseRead(sent, { config, routes });
    known.set(text, read);
    return read;
  };
}

/** What the answer to a stranger depends on, as it was sent. */
type Sent = readonly [url: string, host: string, language: string, encoding: string, scheme: string, forwarded: string];

const textOf = ([url, host, language, encoding, scheme, forwarded]: Sent): string =>
  `${url}\n${host}\n${language}\n${encoding}\n${scheme}\n${forwarded}`;

/** Undefined for a request whose answer may depend on more. */
function sentBy(request: IncomingMessage, isTrusted: ReadOptions['isTrusted']): Sent | undefined {
  const { method, url = '', headers } = request;
  if (method !== 'GET' || url.length > MAX_URL || !url.startsWith('/') || isPersonal(headers)) return undefined;
  const address = addressOf(request);
  if (address === '') return undefined;
  const isFromProxy = isTrusted(address);
  if (!isFromProxy && FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return undefined;
  const forwarded = (name: string) => (isFromProxy && single(headers[name])) || '';
  const { host = '', 'accept-language': language = '' } = headers;
  const encoding = single(headers['accept-encoding']) ?? '';
  const [scheme, otherHost] = [forwarded('x-forwarded-proto'), forwarded('x-forwarded-host')];
  const longest = Math.max(host.length, language.length, encoding.length, scheme.length, otherHost.length);
  return longest > MAX_HEADER ? undefined : [url, host, language, encoding, scheme, otherHost];
}

const isPersonal = (headers: IncomingHttpHeaders): boolean =>
  PERSONAL_HEADERS.some((name) => headers[name] !== undefined) || hasSession(headers.cookie);

/** Neither delimiters of an address nor anything that changes in it but case. */
const PLAIN_HOST = /^[\w.:[\]-]+$/;

function parseRead(
  [path, host, language, encoding, scheme, forwarded]: Sent,
  { config, routes }: { config: Context['config']; routes: readonly Route[] },
): SharedRead | null {
  const url = PLAIN_HOST.test(host) ? URL.parse(`http://${host}${path}`) : null;
  if (!url) return null;
  const origin = config.url ?? forwardedOrigin(url, { scheme, host: forwarded });
  const key = keyOfRead({ url, origin, acceptLanguage: language }, { config, routes });
  return key === undefined ? null : { key: prefersGzip(encoding) ? `gzip ${key}` : key, origin };
}
