import { describe, expect, inject, it } from 'vitest';
import { effort } from '../thoroughness.ts';
import { PARTS } from './parts.ts';

/** The other faults have tests of their own too, such as `postgres-outage.test.ts`. */
const USUAL = [
  'kill',
  'kill-examples',
  'kill-acts',
  'one-of-two',
  'jobs',
  'series',
  'payments',
  'announcements',
  'clock',
];
const HERE = effort(
  PARTS,
  PARTS.filter(({ name }) => USUAL.includes(name)),
);

/** The short form of `npm run faults`, on both databases only where the outcome depends on them. */
describe.each(HERE)('the fault "$name"', ({ databases, usual, run }) => {
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
