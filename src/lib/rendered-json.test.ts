import { expect, it } from 'vitest';
import { RenderedJson, withRenderedList } from './rendered-json.ts';

const list = (items: readonly unknown[], others: object) =>
  withRenderedList('events', items.map(RenderedJson.of), others);

it.each([
  [[{ id: 1 }], { total: 1 }],
  [[{ id: 1, title: 'Fête "à l’eau", 東京' }, null, 'a,b'], { next: 'x', total: 3 }],
])('writes the same JSON as JSON.stringify: %j', (items, others) => {
  const { bytes } = list(items, others);
  expect(bytes.toString()).toBe(JSON.stringify({ events: items, ...others }));
});

it('shares the memory of its items', () => {
  const items = [{ id: 1, title: 'Fête' }, { id: 2 }].map((item) => RenderedJson.of(item).written());
  const { pieces, bytes } = withRenderedList('events', items, { total: 2 });
  expect(Buffer.concat(pieces)).toEqual(bytes);
  expect(pieces.filter((piece) => items.some((item) => item.bytes === piece))).toHaveLength(2);
});

it('is the same in a copy for caching, with memory of its own', () => {
  const whole = list([{ id: 1, title: 'Fête' }], { total: 1 });
  const kept = whole.written();
  expect([kept.bytes, kept.digest, kept.parse()]).toEqual([whole.bytes, whole.digest, whole.parse()]);
  expect(kept.bytes.buffer.byteLength).toBe(kept.bytes.length);
});

it('has the same JSON and digest whichever of its items are cached', () => {
  const values = [{ id: 1, title: 'Fête "à l’eau", 東京' }, { id: 2, title: 'Ω' }, { id: 3 }];
  const others = { next: 'é', total: 3 };
  const fresh = list(values, others);
  for (const cached of [[0], [1, 2], [0, 1, 2]]) {
    const items = values.map((value, index) =>
      cached.includes(index) ? RenderedJson.of(value).written() : RenderedJson.of(value),
    );
    const { bytes, digest } = withRenderedList('events', items, others);
    expect([bytes.toString(), digest]).toEqual([fresh.bytes.toString(), fresh.digest]);
  }
});

it('has a digest of its own for other items, another order and other members', () => {
  const digests = [
    list([{ id: 1 }, { id: 2 }], { total: 2 }),
    list([{ id: 2 }, { id: 1 }], { total: 2 }),
    list([{ id: 1 }, { id: 2 }], { total: 3 }),
    list([{ id: 1 }], { total: 2 }),
  ].map(({ digest }) => digest);
  expect(new Set(digests).size).toBe(4);
  expect(list([{ id: 1 }, { id: 2 }], { total: 2 }).digest).toBe(digests[0]);
});
