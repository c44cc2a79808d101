import { describe, expect, it } from 'vitest';
import { createOverloadGuard, type Load, type OverloadGuard } from './overload.ts';

const LIMITS = { maxDelay: 500, maxInFlight: 1000, maxBytes: 10_000_000 };
const load = (changed: Partial<Load> = {}): Load => ({ inFlight: 100, heldBytes: 0, bodyBytes: 0, ...changed });

/** Samples every 100 ms for some time; gives the end of it. */
function late(guard: OverloadGuard, delay: number, [from, to]: [number, number]): void {
  for (let now = from; now <= to; now += 100) guard.sample(delay, now);
}

describe('the guard against overload', () => {
  it('admits requests while the event loop is on time', () => {
    const guard = createOverloadGuard(LIMITS);
    late(guard, 500, [0, 60_000]);
    expect(guard.refuses(load({ inFlight: 999 }))).toBe(false);
  });

  it('tolerates a few long tasks, however long', () => {
    const guard = createOverloadGuard(LIMITS);
    for (const now of [10_000, 20_000, 30_000, 40_000]) guard.sample(9900, now);
    expect(guard.refuses(load())).toBe(false);
    guard.sample(10, 40_100);
    late(guard, 501, [40_200, 42_100]);
    expect(guard.refuses(load())).toBe(false);
  });

  it('refuses all but a few requests once the event loop was late for two seconds', () => {
    const guard = createOverloadGuard(LIMITS);
    late(guard, 501, [0, 1900]);
    expect(guard.refuses(load())).toBe(false);
    guard.sample(501, 2000);
    expect(guard.refuses(load())).toBe(true);
    expect(guard.refuses(load({ inFlight: 16 }))).toBe(true);
    expect(guard.refuses(load({ inFlight: 15 }))).toBe(false);
  });

  it('keeps refusing until the event loop was on time for a second', () => {
    const guard = createOverloadGuard(LIMITS);
    late(guard, 600, [0, 2000]);
    late(guard, 300, [2100, 9000]);
    expect(guard.refuses(load())).toBe(true);
    late(guard, 250, [9100, 10_000]);
    expect(guard.refuses(load())).toBe(true);
    guard.sample(251, 10_050);
    late(guard, 250, [10_100, 11_100]);
    expect(guard.refuses(load())).toBe(false);
  });

  it('refuses requests beyond the limit in flight at any time', () => {
    const guard = createOverloadGuard({ ...LIMITS, maxDelay: 0 });
    expect(guard.refuses(load({ inFlight: 999 }))).toBe(false);
    expect(guard.refuses(load({ inFlight: 1000 }))).toBe(true);
  });

  it('ignores delays when the limit is 0', () => {
    const guard = createOverloadGuard({ ...LIMITS, maxDelay: 0 });
    late(guard, 60_000, [0, 60_000]);
    expect(guard.refuses(load())).toBe(false);
  });

  it.each([
    ['a large body for which there is room', { heldBytes: 9_000_000, bodyBytes: 1_000_000 }, false],
    ['a large body for which there is none', { heldBytes: 9_000_001, bodyBytes: 1_000_000 }, true],
    ['a small body at any time', { heldBytes: 90_000_000, bodyBytes: 65_536 }, false],
  ])('admits or refuses %s', (_what, changed, isRefused) => {
    expect(createOverloadGuard(LIMITS).refuses(load(changed))).toBe(isRefused);
  });
});
