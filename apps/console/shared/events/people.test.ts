import { expect, it } from 'vitest';
import { peopleOf } from './people.ts';

it('leaves out people who have declined', () => {
  const attendance = { total_attendees: 6, checked_in: 2, not_checked_in: 4, declined: 1 };
  expect([peopleOf({ attendance }), peopleOf({})]).toEqual([5, 0]);
});
