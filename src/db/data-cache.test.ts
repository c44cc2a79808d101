import { describe, expect, it } from 'vitest';
import { parsed, RenderedJson } from '../lib/rendered-json.ts';
import { createCachedData, createDataCache, renderCached } from './data-cache.ts';

const KIBIBYTE = 1024;
const text = (bytes: number, letter = 'x') => RenderedJson.of(letter.repeat(bytes - 2));

describe('the cache of rendered records', () => {
  it('drops everything when the data change, and is empty when a version returns', () => {
    const memory = createDataCache(64 * KIBIBYTE);
    memory.begin('1').fragments.set('event 1', text(100));
    memory.begin('1').counts.set('all', [{ total: 3 }]);
    expect(memory.at('1').fragments.get('event 1')).toBeDefined();
    expect(memory.begin('2').fragments.get('event 1')).toBeUndefined();
    expect(memory.at('2').counts.get('all')).toBeUndefined();
    expect(memory.begin('1').fragments.get('event 1')).toBeUndefined();
  });

  it('keeps newer entries when reads end that began before a change, however old they are', () => {
    const memory = createDataCache(64 * KIBIBYTE);
    for (const version of ['1', '2', '3']) memory.begin(version).counts.set('all', [{ total: 3 }]);
    memory.at('3').fragments.set('event 1', text(100));
    for (const late of ['2', '1', 'never begun']) {
      memory.at(late).fragments.set('event 1', text(200));
      expect(memory.at(late).counts.get('all')).toBeUndefined();
      expect(memory.at('3').fragments.get('event 1')?.bytes).toHaveLength(100);
    }
  });

  it('stays within its size, and keeps used entries longer than unused ones', () => {
    const { fragments } = createCachedData(64 * KIBIBYTE);
    fragments.set('popular', text(KIBIBYTE));
    for (let index = 0; index < 1000; index += 1) {
      fragments.set(`flood ${index}`, text(KIBIBYTE));
      expect(fragments.get('popular')).toBeDefined();
    }
    const kept = Array.from({ length: 1000 }, (_, index) => fragments.get(`flood ${index}`)).filter(Boolean);
    expect(kept.length).toBeGreaterThan(20);
    expect(kept.length).toBeLessThanOrEqual(64);
  });

  it('stores nothing larger than half its size, and nothing at all without room', () => {
    const small = createCachedData(4 * KIBIBYTE);
    small.fragments.set('long', text(3 * KIBIBYTE));
    expect(small.fragments.get('long')).toBeUndefined();
    const none = createCachedData(0);
    none.fragments.set('short', text(10));
    none.pages.set('first', { ids: [1], total: 1 });
    expect([none.fragments.get('short'), none.pages.get('first')]).toEqual([undefined, undefined]);
  });

  it('evicts counts and pages that are not requested, even if the data never change', () => {
    const { counts, pages } = createCachedData(KIBIBYTE);
    const statement = (index: number) => `${index} ${'x'.repeat(1000)}`;
    for (let index = 0; index < 10_000; index += 1) {
      counts.set(statement(index), [{ total: index }]);
      pages.set(statement(index), { ids: [index], total: index });
      expect(counts.get(statement(0))).toBeDefined();
      expect(pages.get(statement(index))).toBeDefined();
    }
    expect(counts.get(statement(9999))).toBeDefined();
    expect([counts.get(statement(1)), pages.get(statement(0))]).toEqual([undefined, undefined]);
  });
});

describe('rendering records once', () => {
  const render = (calls: number[][]) => async (records: readonly { id: number }[]) => {
    calls.push(records.map(({ id }) => id));
    return records.map(({ id }) => (id === 9 ? undefined : { id }));
  };
  const idsOf = (rendered: readonly unknown[]) => rendered.map(parsed);

  it('renders only missing records, in order, and omits removed ones', async () => {
    const state = createCachedData(64 * KIBIBYTE);
    const calls: number[][] = [];
    const list = (ids: readonly number[]) =>
      renderCached(
        state,
        ids.map((id) => ({ id })),
        { prefix: 'event', render: render(calls) },
      );
    expect(idsOf(await list([3, 1]))).toEqual([{ id: 3 }, { id: 1 }]);
    expect(idsOf(await list([1, 9, 2, 3]))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(idsOf(await list([3, 2, 1]))).toEqual([{ id: 3 }, { id: 2 }, { id: 1 }]);
    expect(calls).toEqual([
      [3, 1],
      [9, 2],
    ]);
  });

  it('caches nothing without a state, and keeps kinds apart', async () => {
    const state = createCachedData(64 * KIBIBYTE);
    const calls: number[][] = [];
    for (const [prefix, shared] of [
      ['event', state],
      ['event', undefined],
      ['venue', state],
    ] as const) {
      await renderCached(shared, [{ id: 1 }], { prefix, render: render(calls) });
    }
    expect(calls).toEqual([[1], [1], [1]]);
  });
});
