import { createHmac, randomBytes } from 'node:crypto';

const MAX_REMEMBERED = 5000;

/** What was sent, for what, from where, and the stored form it has to match. */
interface Candidate {
  kind: string;
  secret: string;
  stored: string;
  network: string;
}

export interface KnownSecrets {
  /** Whether this secret was right before, from the same network. */
  has(entry: string): boolean;
  /** Runs `verify` and remembers a right secret; the same one sent several times at once is verified once. */
  check(entry: string, verify: () => Promise<boolean>): Promise<boolean>;
  isRunning(entry: string): boolean;
  entryOf(candidate: Candidate): string;
}

/**
 * Remembers secrets that were right, so that a program that sends its password with every request pays for scrypt and
 * counting once. What is kept is an HMAC under a key of this process; the stored form is part of it, so a changed
 * secret is forgotten at once. The network is part of it, because who is remembered is not held up: a stranger must not
 * profit from that. The least recently used go first.
 */
export function createKnownSecrets(): KnownSecrets {
  const key = randomBytes(32);
  const right = new Set<string>();
  const running = new Map<string, Promise<boolean>>();

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
