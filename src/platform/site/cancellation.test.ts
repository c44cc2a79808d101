import { describe, expect, it } from 'vitest';
import type { CancellationRule } from '../../db/site-settings.ts';
import { cancellableUntil, mayCancel } from './cancellation.ts';

const STARTS = new Date('2027-03-06T18:30:00Z');

const CASES: [CancellationRule, 'free' | 'paid', string | undefined][] = [
  [{ rule: 'never' }, 'free', undefined],
  [{ rule: 'never' }, 'paid', undefined],
  [{ rule: 'free' }, 'free', '2027-03-06T18:30:00.000Z'],
  [{ rule: 'free' }, 'paid', undefined],
  [{ rule: 'until', hours_before: 48 }, 'paid', '2027-03-04T18:30:00.000Z'],
  [{ rule: 'until', hours_before: 48 }, 'free', '2027-03-04T18:30:00.000Z'],
  [{ rule: 'until', hours_before: 0 }, 'paid', '2027-03-06T18:30:00.000Z'],
];

describe('the rule of cancelling', () => {
  it.each(CASES)('%j for a %s order ends at %s', (rule, price, expected) => {
    const order = { starts: STARTS, isFree: price === 'free' };
    const until = cancellableUntil(rule, order);
    expect(until?.toISOString()).toBe(expected);
    const moment = until ?? STARTS;
    expect(mayCancel(rule, order, new Date(moment.getTime() - 1))).toBe(until !== undefined);
    expect(mayCancel(rule, order, moment)).toBe(false);
  });
});
