import { describe, expect, it } from 'vitest';
import { admissionOf } from './list-rows.ts';

describe('the admission', () => {
  it.each([
    ['publish', 'yes', null, 'ok'],
    ['publish', 'completed', 0, 'ok'],
    ['publish', 'no', null, 'declined'],
    ['publish', 'pending', 1, 'unpaid'],
    ['publish', 'approved', 1, 'unpaid'],
    ['publish', 'pending', 0, 'pending'],
    ['publish', 'refunded', 1, 'refunded'],
    ['publish', 'voided', 1, 'cancelled'],
    ['publish', 'denied', 0, 'cancelled'],
    ['publish', 'not-completed', 0, 'cancelled'],
    ['trash', 'completed', 0, 'cancelled'],
  ])('of %s, %s, at the door %s is %s', (status, attendance_status, at_door, admission) => {
    expect(admissionOf({ status, attendance_status, at_door })).toBe(admission);
  });
});
