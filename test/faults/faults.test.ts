import { describe, expect, inject, it } from 'vitest';
import { effort } from '../thoroughness.ts';
import { PARTS } from './parts.ts';

/** The short form of `npm run faults`. */
describe.each(PARTS)('the fault "$name"', ({ databases, usual, run }) => {
  const here = effort(
    databases,
    databases.filter((kind) => kind === (usual ?? kind)),
  );
  it.each(here)('leaves all data consistent on %s', { timeout: 180_000 }, async (kind) => {
    const { problems } = await run({
      kind,
      isShort: true,
      postgresUrl: kind === 'postgres' ? inject('postgresUrl') : '',
    });
    expect(problems).toEqual([]);
  });
});
