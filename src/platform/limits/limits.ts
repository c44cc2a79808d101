import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { Config } from '../../base/config.ts';
import type { Context } from '../../base/context.ts';
import { ApiError, type ErrorCode } from '../../http/core/errors.ts';
import type { CountRequest, RequestKind } from '../../http/core/limits.ts';
import { networkOf } from '../../lib/addresses.ts';
import { DatabaseLimiter } from './database-limiter.ts';

/**
 * All limits on rates and amounts, whether enforced here, in secret-guard.ts, or in seat-limits.ts and free-seats.ts
 * of orders.
 */

export interface Limit {
  /** Subject that shares a count. */
  per: 'network' | 'account' | 'event' | 'attendee' | 'mail' | 'mailbox' | 'site';
  /** Where counts are stored; `rows`: existing rows are summed up instead. */
  kept: 'database' | 'memory' | 'rows';
  /**
   * Seconds from the first point. For `rows`: from the creation of each row, or absent if rows count as long as they
   * exist.
   */
  window?: number;
  /** Setting with the maximum; 0 for no limit. */
  setting: string;
  points(config: Config): number;
}

const QUARTER = 15 * 60;
const HOUR = 60 * 60;
const DAY = 24 * 60 * 60;

/** Mails with links to their orders that an address gets within a day. */
export const MAX_TICKET_MAILS = 5;

const guesses = (per: Limit['per']): Limit => ({
  per,
  kept: 'database',
  window: QUARTER,
  setting: 'MARQUEE_SECRET_GUESSES',
  points: ({ secretGuesses }) => (per === 'account' ? secretGuesses.perAccount : secretGuesses.perAddress),
});

/** Requests for sign-in links by mail, whether or not the address has an account. */
const mailedLinks = (per: Limit['per'], points: (limits: Config['mailedLinks']) => number): Limit => ({
  per,
  kept: 'database',
  window: HOUR,
  setting: 'MARQUEE_MAILED_LINKS',
  points: (config) => points(config.mailedLinks),
});

export const LIMITS = {
  'account-passwords-by-network': guesses('network'),
  'account-passwords-by-account': guesses('account'),
  'app-passwords-by-network': guesses('network'),
  'app-passwords-by-account': guesses('account'),
  'event-passwords-by-network': guesses('network'),
  'event-passwords-by-event': guesses('event'),
  'check-in-keys-by-network': guesses('network'),
  'pairing-codes-by-network': guesses('network'),
  'promotion-codes-by-network': guesses('network'),
  'security-codes-by-network': guesses('network'),
  'security-codes-by-attendee': guesses('attendee'),
  'second-factors-by-network': guesses('network'),
  // Codes are short and stay the same for a minute and a half; guessing them requires the password.
  'second-factors-by-account': { ...guesses('account'), window: DAY },
  // Only wrong ones: they are too long to be guessed, and the right one must always be accepted.
  'webhook-signatures-by-network': { ...guesses('network'), kept: 'memory', window: QUARTER },
  // Addresses and message ids of returned mails; only wrong ones, like signatures.
  'bounce-addresses-by-network': { ...guesses('network'), kept: 'memory', window: QUARTER },
  'mailed-links-by-network': mailedLinks('network', ({ perAddress }) => perAddress),
  'mailed-links-by-mailbox': mailedLinks('mailbox', ({ perMailbox }) => perMailbox),
  'mailed-links': mailedLinks('site', ({ perAddress }) => perAddress * 50),
  'held-places': {
    per: 'network',
    kept: 'rows',
    setting: 'MARQUEE_HELD_PER_ADDRESS',
    points: ({ heldPerAddress }) => heldPerAddress,
  },
  'kept-places': {
    per: 'network',
    kept: 'rows',
    setting: 'MARQUEE_KEPT_PER_ADDRESS',
    points: ({ keptPerAddress }) => keptPerAddress,
  },
  'open-carts': {
    per: 'network',
    kept: 'rows',
    setting: 'MARQUEE_CARTS_PER_ADDRESS',
    points: ({ cartsPerAddress }) => cartsPerAddress,
  },
  'open-orders-by-network': {
    per: 'network',
    kept: 'rows',
    setting: 'MARQUEE_OPEN_ORDERS',
    points: ({ openOrders }) => openOrders.perAddress,
  },
  'open-orders-by-mailbox': {
    per: 'mailbox',
    kept: 'rows',
    setting: 'MARQUEE_OPEN_ORDERS',
    points: ({ openOrders }) => openOrders.perEmail,
  },
  'cart-writes': {
    per: 'network',
    kept: 'memory',
    window: 60,
    setting: 'MARQUEE_CART_RATE',
    points: ({ cartRate }) => cartRate.writes,
  },
  checkouts: {
    per: 'network',
    kept: 'memory',
    window: 60,
    setting: 'MARQUEE_CART_RATE',
    points: ({ cartRate }) => cartRate.checkouts,
  },
  'heavy-reads': {
    per: 'network',
    kept: 'memory',
    window: 60,
    setting: 'MARQUEE_HEAVY_READS',
    points: ({ heavyReads }) => heavyReads,
  },
  'ticket-mails': {
    per: 'network',
    kept: 'memory',
    window: HOUR,
    setting: 'MARQUEE_TICKET_MAILS',
    points: ({ ticketMails }) => ticketMails.perAddress,
  },
  // Of all visitors together, so that many networks cannot flood mailboxes.
  'all-ticket-mails': {
    per: 'site',
    kept: 'memory',
    window: HOUR,
    setting: 'MARQUEE_TICKET_MAILS',
    points: ({ ticketMails }) => ticketMails.overall,
  },
  // By address; the response does not reveal it. Further requests within five minutes are repeated clicks.
  'ticket-mails-in-a-row': {
    per: 'mailbox',
    kept: 'database',
    window: 5 * 60,
    setting: 'MARQUEE_TICKET_MAILS',
    points: () => 1,
  },
  'ticket-mails-by-address': {
    per: 'mailbox',
    kept: 'database',
    window: DAY,
    setting: 'MARQUEE_TICKET_MAILS',
    points: () => MAX_TICKET_MAILS,
  },
  'free-places-by-network': {
    per: 'network',
    kept: 'rows',
    window: DAY,
    setting: 'MARQUEE_FREE_PER_ADDRESS',
    points: ({ freePlaces }) => freePlaces.perAddress,
  },
  'free-places-by-mailbox': {
    per: 'mailbox',
    kept: 'rows',
    window: DAY,
    setting: 'MARQUEE_FREE_PER_ADDRESS',
    points: ({ freePlaces }) => freePlaces.perEmail,
  },
  'series-events': {
    per: 'account',
    kept: 'database',
    window: DAY,
    setting: 'MARQUEE_SERIES_EVENTS',
    points: ({ seriesEvents }) => seriesEvents,
  },
  'copies-by-mail': {
    per: 'mail',
    kept: 'database',
    window: DAY,
    setting: 'MARQUEE_MAIL_COPIES',
    points: ({ mailCopies }) => mailCopies.perMail,
  },
  'copies-by-mailbox': {
    per: 'mailbox',
    kept: 'database',
    window: DAY,
    setting: 'MARQUEE_MAIL_COPIES',
    points: ({ mailCopies }) => mailCopies.perMailbox,
  },
  'copies-by-account': {
    per: 'account',
    kept: 'database',
    window: DAY,
    setting: 'MARQUEE_STAFF_MAILS',
    points: ({ staffMails }) => staffMails.copies,
  },
  'mails-by-account': {
    per: 'account',
    kept: 'database',
    window: DAY,
    setting: 'MARQUEE_STAFF_MAILS',
    points: ({ staffMails }) => staffMails.others,
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;
export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

/** The maximum of a limit; Infinity when the settings disable it. */
export const pointsOf = (name: LimitName, config: Config): number => LIMITS[name].points(config) || Infinity;

/** Key of a count in the database. */
export const countKey = (name: LimitName, key: string): string => `${name}:${key}`;

/** Counter of a limit in the database; undefined when the settings disable the limit. */
export function createLimiter(context: Context, name: LimitName): DatabaseLimiter | undefined {
  const { window, points: pointsBy }: Limit = LIMITS[name];
  const points = pointsBy(context.config);
  return points === 0 || window === undefined ? undefined : new DatabaseLimiter(context, { name, points, window });
}

/** Count of a subject after points were added. */
export interface RequestCount {
  /** Points so far, including points beyond the limit. */
  consumed: number;
  /** Number of requests still allowed. */
  remaining: number;
  /** Milliseconds until the count restarts. */
  time: number;
  /** Whether the request exceeds the limit. */
  isOver: boolean;
}

/** Counts points of a request under a limit held in memory. */
export type CountInMemory = (kind: RequestKind, key: string, points: number) => Promise<RequestCount>;

export function createMemoryCounter(config: Config): CountInMemory {
  const limiterOf = (kind: RequestKind) => {
    const { window: duration, points } = LIMITS[kind];
    return new RateLimiterMemory({ keyPrefix: kind, points: points(config), duration });
  };
  const limiters = {
    'cart-writes': limiterOf('cart-writes'),
    checkouts: limiterOf('checkouts'),
    'heavy-reads': limiterOf('heavy-reads'),
    'ticket-mails': limiterOf('ticket-mails'),
    'all-ticket-mails': limiterOf('all-ticket-mails'),
    'webhook-signatures-by-network': limiterOf('webhook-signatures-by-network'),
    'bounce-addresses-by-network': limiterOf('bounce-addresses-by-network'),
  };
  return (kind, key, points) => consume(limiters[kind], key, points);
}

/** Counts points under a limit, which may then be exceeded; every use of a limiter goes through here. */
export async function consume(
  limiter: Pick<RateLimiterMemory, 'consume'>,
  key: string,
  points = 1,
): Promise<RequestCount> {
  const countOf = (counted: RateLimiterRes) => ({
    ...{ consumed: counted.consumedPoints, remaining: counted.remainingPoints, time: counted.msBeforeNext },
  });
  try {
    return { ...countOf(await limiter.consume(key, points)), isOver: false };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { ...countOf(refusal), isOver: true };
    throw refusal;
  }
}

interface Refusal {
  /** Number allowed. */
  limit: number;
  /** Seconds until a retry may succeed. */
  seconds: number;
  data?: Record<string, unknown>;
}

type RefusalCode = Extract<
  ErrorCode,
  | 'too_many_attempts'
  | 'too-many-requests'
  | 'too-many-places-held'
  | 'too-many-carts'
  | 'too-many-open-orders'
  | 'too-many-free-places'
  | 'too-many-series-events'
  | 'too-many-announcements'
  | 'too-many-mails'
>;

/** A temporary refusal: 429 with the time after which a retry makes sense. */
export function tooMany(code: RefusalCode, { limit, seconds, data }: Refusal): ApiError {
  const wait = Math.max(1, Math.ceil(seconds));
  return new ApiError(code, {
    data,
    values: { when: { seconds: wait }, limit },
    headers: { 'Retry-After': String(wait), ...rateHeaders({ limit, remaining: 0, seconds: wait }) },
  });
}

/** Headers with the remaining requests; for responses that shared caches must not store. */
const rateHeaders = ({ limit, remaining, seconds }: { limit: number; remaining: number; seconds: number }) => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(Math.max(1, Math.ceil(seconds))),
});

/** Limits the requests of clients without an account, wherever they are counted. */
export function createRequestCounter(
  context: Context,
  countInMemory: CountInMemory = createMemoryCounter(context.config),
): CountRequest {
  return async (kind, { client, cart, points = 1 }) => {
    const limit = pointsOf(kind, context.config);
    const key = client.isShared ? cart : networkOf(client.address);
    if (limit === Infinity || key === undefined) return {};
    const { remaining, time, isOver } = await countInMemory(kind, key, points);
    if (isOver) throw tooMany('too-many-requests', { limit, seconds: time / 1000 });
    return rateHeaders({ limit, remaining, seconds: time / 1000 });
  };
}

/** Points that count under a limit. */
export interface Counted {
  limit: LimitName;
  key: string;
  /** One by default. */
  points?: number;
}

/**
 * Counts points and does some work. Nothing is counted for a refusal, or if the work fails. Never inside a transaction.
 * @throws {ApiError} 429 with the code, and with the number that is still allowed as `available`
 */
export async function withinLimits<T>(
  context: Context,
  code: RefusalCode,
  counted: readonly Counted[],
  work: () => Promise<T>,
): Promise<T> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const { limit, key, points = 1 } of counted) {
      const limiter = points > 0 ? createLimiter(context, limit) : undefined;
      if (!limiter) continue;
      undo.push(() => limiter.reward(key, points));
      const { consumed, isOver, time } = await consume(limiter, key, points);
      if (!isOver) continue;
      const available = Math.max(0, limiter.points - consumed + points);
      throw tooMany(code, { limit: limiter.points, seconds: time / 1000, data: { available } });
    }
    return await work();
  } catch (error) {
    for (const giveBack of undo) await giveBack();
    throw error;
  }
}
