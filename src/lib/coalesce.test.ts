import { describe, expect, it } from 'vitest';
import { coalesce } from './coalesce.ts';

const asPromise =
  <T>(look: (receive: (result: T) => void) => void) =>
  () =>
    new Promise<T>(look);

describe('a shared look-up', () => {
  it('is one for all calls in the same turn', async () => {
    let begun = 0;
    const look = asPromise(
      coalesce(async () => {
        begun += 1;
        return begun;
      }),
    );
    expect(await Promise.all([look(), look(), look()])).toEqual([1, 1, 1]);
    expect(await look()).toBe(2);
  });

  it('is not used by calls that come after its beginning, which share the next', async () => {
    const ends: ((value: string) => void)[] = [];
    const begun = Promise.withResolvers<void>();
    const look = asPromise(
      coalesce(() => {
        begun.resolve();
        return new Promise<string>((resolve) => ends.push(resolve));
      }),
    );
    const first = look();
    await begun.promise;
    const later = [look(), look()];
    expect(ends).toHaveLength(1);
    ends[0]?.('before');
    expect(await first).toBe('before');
    while (ends.length < 2) await new Promise(setImmediate);
    ends[1]?.('after');
    expect(await Promise.all(later)).toEqual(['after', 'after']);
  });
});
