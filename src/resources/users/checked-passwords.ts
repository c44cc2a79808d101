import { createHmac, randomBytes } from 'node:crypto';

const MAX_REMEMBERED = 1000;

/** `name:password` as it was sent, from where, and the stored hash it has to match. */
interface Check {
  pair: string;
  stored: string;
  network: string;
}

export interface CheckedPasswords {
  /** Whether this password was found right for this hash before, from the same network. */
  remembers(check: Check): boolean;
  /** Runs `verify` and remembers a right password; the same one sent several times at once is verified once. */
  check(check: Check, verify: () => Promise<boolean>): Promise<boolean>;
}

/**
 * Remembers passwords that were right, so that a program that sends its password with every request pays for scrypt
 * once. What is kept is an HMAC under a key of this process; the stored hash is part of it, so a changed password is
 * forgotten at once. The network is part of it, because who is remembered is not held up: a stranger must not profit
 * from that. The least recently used go first.
 */
export function createCheckedPasswords(): CheckedPasswords {
  const key = randomBytes(32);
  const right = new Set<string>();
  const running = new Map<string, Promise<boolean>>();
  const entryOf = ({ pair, stored, network }: Check) =>
    createHmac('sha256', key).update(`${stored}\0${network}\0${pair}`).digest('base64url');

  const keep = (entry: string) => {
    right.delete(entry);
    right.add(entry);
    if (right.size > MAX_REMEMBERED) right.delete(right.values().next().value ?? '');
  };
  const run = async (entry: string, verify: () => Promise<boolean>) => {
    const isRight = await verify();
    if (isRight) keep(entry);
    return isRight;
  };

  return {
    remembers(check) {
      const entry = entryOf(check);
      const known = right.has(entry);
      if (known) keep(entry);
      return known;
    },
    check(check, verify) {
      const entry = entryOf(check);
      const started = running.get(entry) ?? run(entry, verify).finally(() => running.delete(entry));
      running.set(entry, started);
      return started;
    },
  };
}
