import { expect, it } from 'vitest';
import { stateOf } from './views.ts';

it.each([
  ['expected', { attendee_status: 'completed' }],
  ['expected', { attendee_status: 'yes' }],
  ['declined', { attendee_status: 'no' }],
  ['unpaid', { attendee_status: 'pending' }],
  ['in', { attendee_status: 'yes', checked_in: true }],
  ['archived', { attendee_status: 'yes', checked_in: true, status: 'trash' }],
])('an attendee is %s with %j', (state, attendee) => {
  expect(stateOf({ checked_in: false, status: 'publish', ...attendee })).toBe(state);
});
