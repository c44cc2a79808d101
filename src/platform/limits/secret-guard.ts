import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from '../../base/context.ts';
import type { ApiError } from '../../http/core/errors.ts';
import type { CheckSecret, SecretKind, SecretTry } from '../../http/core/limits.ts';
import { networkOf } from '../../lib/addresses.ts';
import { consume, createLimiter, type LimitName, tooMany } from './limits.ts';

/**
 * The only place that compares guessable secrets: short ones, and those chosen by people. Long random secrets are
 * looked up by their hash elsewhere, without counting.
 */

/** Kinds of secrets, counted separately by network and by the subject that the secret opens. */
const KINDS = {
  'account-password': { network: 'account-passwords-by-network', subject: 'account-passwords-by-account' },
  'app-password': { network: 'app-passwords-by-network', subject: 'app-passwords-by-account' },
  'event-password': { network: 'event-passwords-by-network', subject: 'event-passwords-by-event' },
  'check-in-key': { network: 'check-in-keys-by-network', subject: undefined },
  'pairing-code': { network: 'pairing-codes-by-network', subject: undefined },
  'second-factor': { network: 'second-factors-by-network', subject: 'second-factors-by-account' },
  'promotion-code': { network: 'promotion-codes-by-network', subject: undefined },
  'security-code': { network: 'security-codes-by-network', subject: 'security-codes-by-attendee' },
} as const satisfies Record<SecretKind, { network: LimitName; subject: LimitName | undefined }>;

/** Kinds that are always counted by subject, too; the others only where proxies hide the address of the client. */
const BY_SUBJECT: ReadonlySet<SecretKind> = new Set(['account-password', 'app-password', 'second-factor']);

interface Counter {
  limiter: NonNullable<ReturnType<typeof createLimiter>>;
  key: string;
}

/** Creates the guard of a process. It counts in the database of the context, outside the transaction of a request. */
export function createSecretGuard(context: Context): CheckSecret {
  const known = createVerifiedSecrets();
  const tries = createTryCounts(context);
  const limiters = new Map<LimitName, ReturnType<typeof createLimiter>>();
  const limiterOf = (name: LimitName) => {
    if (!limiters.has(name)) limiters.set(name, createLimiter(context, name));
    return limiters.get(name);
  };
  /** The network comes first: its refusal ends the attempt before the count of an account grows. */
  const countersOf = ({ kind, subject, client }: SecretTry): Counter[] => {
    const { network, subject: bySubject } = KINDS[kind];
    const hasSubject = bySubject !== undefined && subject !== undefined;
    const isByNetwork = !client.isShared || !hasSubject;
    const wanted: [LimitName, string][] = [];
    if (isByNetwork) wanted.push([network, networkOf(client.address)]);
    if (hasSubject && (client.isShared || BY_SUBJECT.has(kind))) wanted.push([bySubject, subject]);
    return wanted.flatMap(([name, key]) => {
      const limiter = limiterOf(name);
      return limiter ? [{ limiter, key }] : [];
    });
  };
  const entryOf = (attempt: SecretTry) => known.entryOf({ ...attempt, network: networkOf(attempt.client.address) });
  return async (attempt, isRight) => {
    const counters = countersOf(attempt);
    const [first] = counters;
    if (first) tries.refuseBeyond(first);
    const verify = async () => {
      for (const counter of counters) await spend(counter, tries);
      if (!(await isRight())) return false;
      if (!attempt.isNeverFree) await giveBack(counters);
      if (first) tries.forget(first);
      return true;
    };
    const entry = attempt.isSpent ? undefined : entryOf(attempt);
    if (entry !== undefined && known.has(entry)) return true;
    if (first && !(entry !== undefined && known.isRunning(entry))) tries.add(first);
    return entry === undefined ? verify() : known.check(entry, verify);
  };
}

async function spend(counter: Counter, tries: TryCounts): Promise<void> {
  const { limiter, key } = counter;
  const { consumed, isOver, time } = await consume(limiter, key);
  if (!isOver) return;
  tries.raise(counter, consumed);
  throw heldUp(limiter.points, time / 1000);
}

const heldUp = (limit: number, seconds: number): ApiError => tooMany('too_many_attempts', { limit, seconds });

/** A correct secret takes back its attempt; for an account, all failures. */
async function giveBack(counters: readonly Counter[]): Promise<void> {
  for (const { limiter, key } of counters) {
    if (limiter.keyPrefix.endsWith('-by-account')) await limiter.delete(key);
    else await limiter.reward(key);
  }
}

/** Maximum look-ups of cached secrets, as a multiple of the limit. */
const LOOK_UPS = 20;
/** Milliseconds for which this process caches a count; short, so that it soon notices a deleted one. */
const CACHE_TIME = 60_000;
const MAX_COUNTS = 10_000;

interface TryCounts {
  /** @throws {ApiError} too_many_attempts */
  refuseBeyond(counter: Counter): void;
  add(counter: Counter): void;
  /** Takes back a successful attempt. */
  forget(counter: Counter): void;
  /** Adopts the count of the database, which covers all processes. */
  raise(counter: Counter, points: number): void;
}

/**
 * Attempts counted in this process, synchronously, so that concurrent look-ups cannot all pass. This also spares the
 * database the attempts of blocked clients.
 */
function createTryCounts({ now }: Pick<Context, 'now'>): TryCounts {
  const counts = new Map<string, { points: number; until: number }>();
  const entryOf = ({ limiter, key }: Counter) => limiter.getKey(key);
  const find = (counter: Counter) => {
    const known = counts.get(entryOf(counter));
    const left = known ? known.until - now().getTime() : 0;
    return known && left > 0 && left <= CACHE_TIME ? known : undefined;
  };
  const getCount = (counter: Counter) => {
    const count = find(counter) ?? { points: 0, until: now().getTime() + CACHE_TIME };
    counts.set(entryOf(counter), count);
    if (counts.size > MAX_COUNTS) counts.delete(counts.keys().next().value ?? '');
    return count;
  };
  return {
    refuseBeyond(counter) {
      const count = find(counter);
      const { points } = counter.limiter;
      if (count && count.points >= LOOK_UPS * points) throw heldUp(points, (count.until - now().getTime()) / 1000);
    },
    add(counter) {
      getCount(counter).points += 1;
    },
    forget(counter) {
      const count = find(counter);
      if (count) count.points -= 1;
    },
    raise(counter, points) {
      const count = getCount(counter);
      count.points = Math.max(count.points, points);
    },
  };
}

const MAX_CACHED = 5000;

/** A sent secret, its purpose, its origin, and the stored form it must match. */
interface Candidate {
  kind: string;
  secret: string;
  stored: string;
  network: string;
}

interface VerifiedSecrets {
  /** Whether this secret was verified before, from the same network. */
  has(entry: string): boolean;
  /** Runs `verify` and caches a correct secret; concurrent calls with the same one share a verification. */
  check(entry: string, verify: () => Promise<boolean>): Promise<boolean>;
  isRunning(entry: string): boolean;
  entryOf(candidate: Candidate): string;
}

/**
 * Caches verified secrets, so that a program that sends its password with every request pays for scrypt and counting
 * once. Entries are HMACs under a key of this process. They cover the stored form, so a changed secret is invalid at
 * once, and the network, because cached secrets bypass the limit and other networks must not benefit. The least
 * recently used are evicted first.
 */
function createVerifiedSecrets(): VerifiedSecrets {
  const key = randomBytes(32);
  const right = new Set<string>();
  const running = new Map<string, Promise<boolean>>();

  const keep = (entry: string) => {
    right.delete(entry);
    right.add(entry);
    if (right.size > MAX_CACHED) right.delete(right.values().next().value ?? '');
  };
  const run = async (entry: string, verify: () => Promise<boolean>) => {
    const isRight = await verify();
    if (isRight) keep(entry);
    return isRight;
  };

  return {
    entryOf: ({ kind, secret, stored, network }) =>
      createHmac('sha256', key)
        .update(JSON.stringify([kind, stored, network, secret]))
        .digest('base64url'),
    has(entry) {
      const known = right.has(entry);
      if (known) keep(entry);
      return known;
    },
    isRunning: (entry) => running.has(entry),
    check(entry, verify) {
      const started = running.get(entry) ?? run(entry, verify).finally(() => running.delete(entry));
      running.set(entry, started);
      return started;
    },
  };
}
