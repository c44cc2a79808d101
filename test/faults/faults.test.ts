import { describe, expect, inject, it } from 'vitest';
import { PARTS } from './parts.ts';

/** The short form of what `npm run faults` does at length. */
describe.each(PARTS)('the fault "$name"', ({ databases, run }) => {
  it.each(databases)('leaves everything whole on %s', { timeout: 180_000 }, async (kind) => {
    const { problems } = await run({
      kind,
      isShort: true,
      postgresUrl: kind === 'postgres' ? inject('postgresUrl') : '',
    });
    expect(problems).toEqual([]);
  });
});
