import type { IncomingMessage } from 'node:http';
import type { Context } from '../../base/context.ts';
import type { PresentSite } from '../../base/site-config.ts';
import { concatenated } from '../../lib/copy-bytes.ts';
import type { DataVersion } from '../../lib/data-version.ts';
import { createRecencyCache } from '../../lib/recency-cache.ts';
import { addressOf, FORWARDING_HEADERS } from '../core/client-address.ts';
import { prefersGzip } from '../core/content-negotiation.ts';
import { isRefusedForCookies, ORIGIN_HEADERS } from '../core/cors.ts';
import { type RequestSummary, single } from '../core/request.ts';
import type { HttpResponse, SharedResponse } from '../core/response.ts';
import { hasNoCredentials, type ParsedRequest } from '../input/parsed-request.ts';
import { strongTag } from '../output/etag.ts';
import { headOf } from '../output/head.ts';
import { compress } from '../output/send-body.ts';
import { cacheKeyOf } from './cache-key.ts';
import { createCoalescing } from './coalescing.ts';
import { type CachedResponse, type CacheSize, createResponseStore } from './response-store.ts';

/** Maximum length of an address whose response is cached. */
const MAX_URL = 1000;
/** Maximum length of a header on which a response depends. */
const MAX_HEADER = 300;
/** Size of the cache of keys, in bytes of request text; it may grow to twice this. */
const MAX_KNOWN = 2_000_000;

/** Read by a visitor, whose response others may share. */
export interface SharedRead {
  incoming: IncomingMessage;
  /** Address and all headers on which the response depends, as sent. */
  text: string;
  key: string;
  /** Origin under which the client reached the server. */
  origin: string;
  /** Site before the response is computed. */
  site: PresentSite;
  /** Version of the data; undefined before its look-up for this request. */
  version: DataVersion | undefined;
  /** Time of the look-up, in milliseconds of the clock. */
  since: number;
  parse: Parse;
}

/** Parses a request at most once; undefined if it is malformed. */
type Parse = () => ParsedRequest | undefined;

interface Options {
  context: Pick<Context, 'config' | 'now'>;
  isTrusted: (address: string) => boolean;
}

/**
 * The cache of responses that show data. A cached response is used until a look-up, begun after the request arrived,
 * shows that its data changed. Endpoints and pages set `freshUntil` on responses that may be shared. Nothing else
 * invalidates the cache (docs/caching.md).
 */
export interface ResponseCache {
  /**
   * Returns the read of a visitor whose response others may share; undefined for any other request.
   * @param site last known state
   */
  recognise(incoming: IncomingMessage, site: PresentSite, parse: Parse): SharedRead | undefined;
  /** True if it was requested before, so that its response may be cached now or later. */
  isAskedAgain(read: SharedRead): boolean;
  /** The same read with the current state of the site. */
  inPresent(read: SharedRead, site: PresentSite): SharedRead;
  /** Cached response, if it is current. */
  find(read: SharedRead): CachedResponse | undefined;
  /** True if a cached response exists that may be current. */
  has(read: SharedRead): boolean;
  /**
   * Waits while an equal request is in progress; returns false if there is none. Passes whether its response was
   * cached.
   */
  waitFor(read: SharedRead, receive: (isCached: boolean) => void): boolean;
  /** Makes equal requests wait until `keep` or `giveUp` is called for this one. */
  begin(read: SharedRead): void;
  /** Caches the response to a read if it is shared and was requested before. */
  keep(read: SharedRead, response: HttpResponse, summary: RequestSummary): Promise<void>;
  /** Ends a read without a response. */
  giveUp(read: SharedRead): void;
  size(): CacheSize;
}

export function createResponseCache({ context, isTrusted }: Options): ResponseCache {
  const { config, now } = context;
  const store = createResponseStore(config.cacheBytes / 2);
  const coalescing = createCoalescing<IncomingMessage>();
  const keyFor = knownKeys();
  const toCache = async (
    read: SharedRead,
    { shared, status, headers }: HttpResponse,
    { route = '' }: RequestSummary,
  ) => {
    const { key, version, since } = read;
    if (!shared || (status !== 200 && status !== 304)) return false;
    if (!version) {
      store.note(key);
      return false;
    }
    const pairs = headers.pairs().filter(([name]) => !ORIGIN_HEADERS.has(name) && name !== ENCODING);
    const encoding = shared.isCompressed ? [[ENCODING, 'gzip'] as const] : [];
    const body = await encodedBody(shared);
    store.keep(key, {
      route,
      head: headOf([...pairs, ...encoding], body.length),
      unchangedHead: headOf(pairs),
      tag: strongTag(headers.get('etag') ?? ''),
      body,
      version,
      freshFrom: since,
      freshUntil: shared.freshUntil,
      showsSeats: shared.showsSeats,
    });
    return true;
  };
  return {
    recognise(incoming, site, parse) {
      const text = config.cacheBytes > 0 ? textOf(incoming, isTrusted) : undefined;
      const found = text === undefined ? undefined : keyFor({ incoming, text, parse }, site);
      if (text === undefined || found?.key === undefined) return undefined;
      if (isRefusedForCookies(config, pageOf(incoming, found.origin))) return undefined;
      const { key, origin } = found;
      return { incoming, text, key, origin, parse, site, version: undefined, since: 0 };
    },
    isAskedAgain: ({ key }) => store.isAskedAgain(key),
    inPresent(read, site) {
      const { key = read.key } = (site.revision !== read.site.revision && keyFor(read, site)) || {};
      return { ...read, key, site, version: site.version, since: now().getTime() };
    },
    find: ({ key, version, since }) => version && store.find(key, { version, now: since }),
    has: ({ key }) => store.has(key),
    waitFor({ key }, receive) {
      if (!coalescing.isUnderWay(key)) return false;
      coalescing.wait(key, receive);
      return true;
    },
    begin: ({ key, incoming }) => coalescing.begin(key, incoming),
    async keep(read, response, summary) {
      coalescing.end(read.incoming, await toCache(read, response, summary).catch(() => false));
    },
    giveUp: ({ incoming }) => coalescing.end(incoming, false),
    size: store.size,
  };
}

/** Page that sent a request, for the CORS rules. */
export const pageOf = ({ headers }: IncomingMessage, ownOrigin: string) => ({
  origin: headers.origin,
  hasCookies: headers.cookie !== undefined,
  ownOrigin,
});

/** Absent from a 304. */
const ENCODING = 'content-encoding';

async function encodedBody({ plain, isCompressed, compressed }: SharedResponse): Promise<Uint8Array> {
  if (!isCompressed) return concatenated(plain);
  return compressed ?? compress(concatenated(plain));
}

/** Key of a request; without a key, its response is not shared. */
interface KnownKey {
  key: string | undefined;
  origin: string;
}

/** Computes cache keys. Keys of repeated requests are looked up by their texts, without parsing. */
function knownKeys() {
  let known = createRecencyCache<KnownKey>(MAX_KNOWN);
  let knownFor: number | undefined;
  return (
    { incoming, text, parse }: Pick<SharedRead, 'incoming' | 'text' | 'parse'>,
    { context: { config }, revision }: PresentSite,
  ): KnownKey | undefined => {
    if (revision !== knownFor) known = createRecencyCache(MAX_KNOWN);
    knownFor = revision;
    const found = known.get(text);
    if (found) return found;
    const parsed = parse();
    if (!parsed) return undefined;
    const { 'accept-language': language = '', 'accept-encoding': encoding } = incoming.headers;
    const plain = cacheKeyOf(parsed, { language, config });
    const key = plain !== undefined && prefersGzip(single(encoding)) ? `gzip ${plain}` : plain;
    const made = { key, origin: parsed.origin };
    known.set(text, made);
    return made;
  };
}

/** Text of everything on which the response to a visitor depends; undefined if the response may depend on more. */
function textOf(incoming: IncomingMessage, isTrusted: Options['isTrusted']): string | undefined {
  const { method, url = '', headers } = incoming;
  if (method !== 'GET' || url.length > MAX_URL || !url.startsWith('/') || !hasNoCredentials(headers)) return undefined;
  const address = addressOf(incoming);
  if (address === '') return undefined;
  const isFromProxy = isTrusted(address);
  if (!isFromProxy && FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return undefined;
  const { host = '', 'accept-language': language = '' } = headers;
  const encoding = single(headers['accept-encoding']) ?? '';
  const scheme = (isFromProxy && single(headers['x-forwarded-proto'])) || '';
  const otherHost = (isFromProxy && single(headers['x-forwarded-host'])) || '';
  const longest = Math.max(host.length, language.length, encoding.length, scheme.length, otherHost.length);
  return longest > MAX_HEADER ? undefined : `${url}\n${host}\n${language}\n${encoding}\n${scheme}\n${otherHost}`;
}
