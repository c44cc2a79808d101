import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGuessLimits, networkOf } from './guesses.ts';

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const held = (seconds: number) => ({
  code: 'too_many_attempts',
  headers: { 'Retry-After': String(seconds) },
  values: { count: seconds },
});

describe('guess limits', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('hold up an account after 10 failures from wherever, for what is left of 15 minutes', async () => {
    const limits = createGuessLimits();
    await times(10, (index) => limits.spend({ account: 'ann', address: `10.0.0.${index}` }));
    vi.advanceTimersByTime(60_000);
    await expect(limits.spend({ account: 'ann', address: '10.9.9.9' })).rejects.toMatchObject(held(14 * 60));
    await limits.spend({ account: 'bob', address: '10.9.9.9' });
    vi.advanceTimersByTime(14 * 60_000);
    await limits.spend({ account: 'ann', address: '10.9.9.9' });
  });

  it('hold up an address after 50 failures in whatever names, and count its further tries for no account', async () => {
    const limits = createGuessLimits();
    await times(50, (index) => limits.spend({ account: `user ${index}`, address: '10.0.0.1' }));
    const more = times(20, () =>
      limits.spend({ account: 'ann', address: '10.0.0.1' }).catch((error: unknown) => error),
    );
    expect(await more).toEqual(Array(20).fill(expect.objectContaining(held(900))));
    await limits.spend({ account: 'ann', address: '10.0.0.2' });
  });

  it('forget the failures of an account that signed in, but not those of the address', async () => {
    const limits = createGuessLimits();
    const guess = { account: 'ann', address: '10.0.0.1' };
    for (let round = 0; round < 7; round++) {
      await times(7, () => limits.spend(guess));
      await limits.spend(guess);
      await limits.forgive(guess);
    }
    await limits.spend(guess);
    await expect(limits.spend(guess)).rejects.toMatchObject(held(900));
  });

  it('count tokens apart from passwords', async () => {
    const limits = createGuessLimits();
    await times(50, () => limits.spendToken('10.0.0.1'));
    await expect(limits.spendToken('10.0.0.1')).rejects.toMatchObject(held(900));
    await limits.spend({ account: 'ann', address: '10.0.0.1' });
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s belongs to %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
