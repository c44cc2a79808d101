import { describe, expect, inject, it } from 'vitest';
import { PARTS } from './parts.ts';

/** The short form of `npm run faults`, on both databases only where the outcome depends on them. */
describe.each(PARTS)('the fault "$name"', ({ databases, usual, run }) => {
  const here = databases.filter((kind) => kind === (usual ?? kind));
  it.each(here)('leaves all data consistent on %s', async (kind) => {
    const { problems } = await run({
      kind,
      isShort: true,
      postgresUrl: kind === 'postgres' ? inject('postgresUrl') : '',
    });
    expect(problems).toEqual([]);
  });
});
