import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../../http/errors.ts';
import { secretHash } from '../../lib/secret.ts';

/** Seconds, counted from the first failure. */
const WINDOW = 15 * 60;
const PER_ACCOUNT = 10;
const PER_ADDRESS = 50;

interface Guess {
  /** Key of the account, whether it exists or not. */
  account: string;
  address: string;
}

export interface GuessLimits {
  /**
   * Counts a try before its outcome is known: tries that run at the same time must not all slip under the limit.
   * @throws {ApiError} too_many_attempts
   */
  spend(guess: Guess): Promise<void>;
  /**
   * Counts a wrong token. Apart from passwords: a forgotten program with an expired token must not hold up the people
   * behind the same address.
   * @throws {ApiError} too_many_attempts
   */
  spendToken(address: string): Promise<void>;
  /** Whether an address may still try passwords. */
  isOpen(address: string): Promise<boolean>;
  /** Takes back what a try that was right had counted, and the failures of its account. */
  forgive(guess: Guess): Promise<void>;
}

/** Failures of this process. Several processes on one database allow several times as many. */
export function createGuessLimits(): GuessLimits {
  const accounts = new RateLimiterMemory({ keyPrefix: '', points: PER_ACCOUNT, duration: WINDOW });
  const addresses = new RateLimiterMemory({ keyPrefix: '', points: PER_ADDRESS, duration: WINDOW });
  const tokens = new RateLimiterMemory({ keyPrefix: '', points: PER_ADDRESS, duration: WINDOW });
  return {
    async spend({ account, address }) {
      // The address first: one that is shut out can no longer shut out accounts.
      await take(addresses, networkOf(address));
      await take(accounts, accountEntry(account));
    },
    spendToken: (address) => take(tokens, networkOf(address)),
    async isOpen(address) {
      const spent = await addresses.get(networkOf(address));
      return (spent?.consumedPoints ?? 0) < PER_ADDRESS;
    },
    async forgive({ account, address }) {
      await addresses.reward(networkOf(address));
      await accounts.delete(accountEntry(account));
    },
  };
}

export interface GuessLimit {
  /** @throws {ApiError} too_many_attempts */
  spend(address: string): Promise<void>;
}

/** Wrong guesses of one kind by address, in this process. */
export function createGuessLimit(): GuessLimit {
  const addresses = new RateLimiterMemory({ keyPrefix: '', points: PER_ADDRESS, duration: WINDOW });
  return { spend: (address) => take(addresses, networkOf(address)) };
}

/** Of bounded size, and no text that somebody typed: it may have been a password in the wrong field. */
const accountEntry = (account: string): string => secretHash(account);

async function take(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil((refusal.msBeforeNext ?? 0) / 1000));
    throw new ApiError('too_many_attempts', {
      values: { count: seconds },
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

/** The holder of an address: for IPv6 its network of 64 bits, in which everybody may choose addresses freely. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
