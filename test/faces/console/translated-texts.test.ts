import { expect, it } from 'vitest';
import { KINDS, TEXTS } from '../../../apps/console/features/translations/kinds.ts';
import { TEXT_FIELDS } from '../../../src/platform/translations/rules.ts';

it.each(KINDS)('has a field for every text of the kind %s that the server translates', (kind) => {
  // The keys of the server's table are columns, its values parameters.
  const parameters = Object.values(TEXT_FIELDS[kind]);
  expect(TEXTS[kind].map(({ name }) => name).sort()).toEqual(parameters.sort());
});
