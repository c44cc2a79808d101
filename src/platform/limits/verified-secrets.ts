import { createHmac, randomBytes } from 'node:crypto';

const MAX_CACHED = 5000;

/** A sent secret, its purpose, its origin, and the stored form it must match. */
interface Candidate {
  kind: string;
  secret: string;
  stored: string;
  network: string;
}

export interface KnownSecrets {
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
export function createKnownSecrets(): KnownSecrets {
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
