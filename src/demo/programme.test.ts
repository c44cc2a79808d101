import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, toUtc } from '../lib/dates/dates.ts';
import { programme } from './programme.ts';

const now = new Date('2030-03-05T15:00:00Z');
const days = (count: number) => addDays(toUtc(now), count);

describe('the programme of the demo', () => {
  const events = programme({ now, seed: 1 });
  const some = (test: (event: (typeof events)[number]) => unknown) => events.filter(test).length;

  it('depends on the seed and the day only', () => {
    expect(programme({ now, seed: 1 })).toEqual(events);
    expect(programme({ now, seed: 2 })).not.toEqual(events);
  });

  it('spans three months of the past and a year ahead', () => {
    expect(events.length).toBeGreaterThan(280);
    expect(events.length).toBeLessThan(330);
    expect(some(({ end }) => end < days(0))).toBeGreaterThan(40);
    expect(some(({ start }) => start > days(300))).toBeGreaterThan(30);
    expect(some(({ start, end }) => start < days(0) && end > days(0))).toBeGreaterThan(0);
    expect(some(({ start }) => start < days(-95) || start > days(372))).toBe(0);
  });

  it('has events of every kind', () => {
    const statuses = Map.groupBy(events, ({ status = 'publish' }) => status);
    expect([...statuses.keys()].sort()).toEqual(['draft', 'future', 'pending', 'private', 'publish']);
    for (const flag of ['featured', 'sticky', 'hide_from_listings', 'show_map'] as const)
      expect(
        some(({ flags }) => flags?.includes(flag)),
        flag,
      ).toBeGreaterThan(1);
    expect(new Set(events.map(({ zone }) => zone)).size).toBeGreaterThan(6);
    expect(some(({ allDay }) => allDay)).toBeGreaterThan(10);
    expect(some(({ allDay, start, end }) => allDay && end > start)).toBeGreaterThan(8);
    expect(some(({ password }) => password)).toBe(1);
    const coming = events.filter(({ start }) => start > days(0) && start < days(20));
    for (const status of ['cancelled', 'postponed', 'rescheduled', 'moved_online'])
      expect(coming.map(({ event_status }) => event_status)).toContain(status);
    for (const mode of ['online', 'mixed'])
      expect(some(({ attendance_mode }) => attendance_mode === mode)).toBeGreaterThan(1);
    expect(new Set(events.map(({ cost }) => String(cost))).size).toBeGreaterThan(30);
    for (const script of [/\p{Script=Han}/u, /\p{Script=Arabic}/u, /« .+ »/, /[éèê]/])
      expect(
        some(({ title }) => script.test(title)),
        String(script),
      ).toBeGreaterThan(1);
  });

  it('is plausible on any day', () => {
    const anyDay = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(anyDay, fc.nat(), (day, seed) => {
        for (const { start, end, published, status } of programme({ now: day, seed, most: 60 })) {
          expect(end >= start).toBe(true);
          expect(published > toUtc(day)).toBe(status === 'future');
        }
      }),
      { numRuns: 25 },
    );
  });

  it('can be reduced in size', () => {
    const few = programme({ now, seed: 1, most: 25 });
    expect(few).toHaveLength(25);
    expect(new Set(few.map(({ venue }) => venue)).size).toBeGreaterThan(8);
  });
});
