import { describe, expect, it } from 'vitest';
import { connectWithRetry, STARTUP_TIMEOUT_MS } from './database.ts';

const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

/** A clock that only sleeping and attempts advance. */
function play({ attempt, attemptTakes = 0 }: { attempt: (tries: number) => unknown; attemptTakes?: number }) {
  let now = 0;
  let tries = 0;
  const pauses: number[] = [];
  const told: unknown[] = [];
  const outcome = connectWithRetry(
    async () => {
      tries += 1;
      now += attemptTakes;
      return attempt(tries);
    },
    {
      now: () => now,
      sleep: async (ms) => {
        pauses.push(ms);
        now += ms;
      },
      onRetry: (error) => told.push(error),
    },
  );
  return { outcome, pauses, told, elapsed: () => now, tries: () => tries };
}

const always = () => {
  throw refused();
};

describe('waiting for the database', () => {
  it('does not wait if the database is available', async () => {
    const { outcome, pauses } = play({ attempt: () => 'open' });
    expect(await outcome).toBe('open');
    expect(pauses).toEqual([]);
  });

  it('connects once the database becomes available', async () => {
    const { outcome, pauses, told } = play({
      attempt: (tries) => {
        if (tries < 4) throw refused();
        return 'open';
      },
    });
    expect(await outcome).toBe('open');
    expect(pauses).toEqual([250, 500, 1000]);
    expect(told).toHaveLength(3);
  });

  it('gives up after 30 seconds, with the last reason', async () => {
    const { outcome, pauses, elapsed } = play({ attempt: always });
    await expect(outcome).rejects.toThrow('ECONNREFUSED');
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000, 4000, 4000, 4000, 2250]);
    expect(elapsed()).toBe(STARTUP_TIMEOUT_MS);
  });

  it('counts the time that attempts take', async () => {
    const { outcome, elapsed, tries } = play({ attempt: always, attemptTakes: 5000 });
    await expect(outcome).rejects.toThrow('ECONNREFUSED');
    expect(elapsed()).toBeLessThanOrEqual(STARTUP_TIMEOUT_MS + 5000);
    expect(tries()).toBe(6);
  });

  it('does not retry permanent errors', async () => {
    const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' });
    const { outcome, pauses } = play({
      attempt: () => {
        throw wrong;
      },
    });
    await expect(outcome).rejects.toBe(wrong);
    expect(pauses).toEqual([]);
  });
});
