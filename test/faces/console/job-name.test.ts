import { expect, it } from 'vitest';
import en from '../../../apps/console/features/settings/locales/en.json' with { type: 'json' };
import { jobText } from '../../../apps/console/features/settings/system/system-values.ts';
import { PERIODIC_JOBS } from '../../../src/jobs/periodic.ts';
import { FURTHER_JOBS } from '../../../src/server/serve.ts';

it.each([...PERIODIC_JOBS, ...FURTHER_JOBS.periodic].map(({ name }) => name))(
  'there is a text for the job "%s"',
  (name) => {
    expect(en).toHaveProperty([jobText(name) ?? '']);
  },
);

it('a job of a later server has none', () => {
  expect([jobText('sending mail'), jobText('constructor')]).toEqual([undefined, undefined]);
});
