import { expect, it } from 'vitest';
import { changeOf } from './ticket-fields.ts';

it.each([
  [{ name: 'Adults' }, { name: 'Adults' }],
  [{ capacity: '40' }, { ticket: { capacity: '40' } }],
  [{ mode: 'capped', capacity: '12' }, { ticket: { mode: 'capped', capacity: '12' } }],
  [{ until: '2027-03-06 18:30:00' }, { end_date: '2027-03-06', end_time: '18:30:00' }],
])('a change of %j is sent as %j', (patch, sent) => {
  expect(changeOf(patch)).toEqual(sent);
});
