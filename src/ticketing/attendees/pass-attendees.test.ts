import { describe, expect, it } from 'vitest';
import { attendeeAt, type PassAttendee } from './pass-attendees.ts';

/** Attendees in two nights in Paris, by `event_id`: 19:00 to 21:00, and 00:15 to 03:00 two days later. */
const EVENTS = [
  { event_id: 1, starts: '2027-01-04 18:00:00', ends: '2027-01-04 20:00:00' },
  { event_id: 2, starts: '2027-01-06 23:15:00', ends: '2027-01-07 02:00:00' },
];

const attendees = (change: (event: number) => object = () => ({})) =>
  EVENTS.map(
    (event) =>
      ({
        ...{ id: event.event_id, status: 'publish', timezone: 'Europe/Paris', isTrashed: false, isCancelled: false },
        ...event,
        ...change(event.event_id),
      }) as PassAttendee,
  );

const at = (now: string, all = attendees()) =>
  attendeeAt(all, { now: now as PassAttendee['starts'], buffer: 1800 })?.id;

describe('the attendee of a scanned pass', () => {
  it.each([
    ['during an event', '2027-01-04 19:00:00', 1],
    ['earlier on its day', '2027-01-03 23:30:00', 1],
    ['on the day before', '2027-01-03 11:00:00', undefined],
    ['within the buffer after its end', '2027-01-04 20:20:00', 1],
    ['after the buffer', '2027-01-04 20:31:00', undefined],
    ['in the evening before an event after midnight', '2027-01-06 22:55:00', 2],
    ['six hours before it', '2027-01-06 17:15:00', 2],
    ['more than six hours before it', '2027-01-06 17:14:59', undefined],
  ])('%s', (_when, now, event) => {
    expect(at(now)).toBe(event);
  });

  it('is none of an event in the trash, and one of a cancelled event only without another', () => {
    expect(
      at(
        '2027-01-04 19:00:00',
        attendees((event) => ({ isTrashed: event === 1 })),
      ),
    ).toBeUndefined();
    const isOneCancelled = attendees((event) => ({ isCancelled: event === 1 }));
    expect(at('2027-01-04 19:00:00', isOneCancelled)).toBe(1);
    const sameNight = isOneCancelled.map((one) => ({
      ...one,
      starts: EVENTS[0]?.starts ?? '',
      ends: EVENTS[0]?.ends ?? '',
    }));
    expect(at('2027-01-04 19:00:00', sameNight as PassAttendee[])).toBe(2);
  });

  it('is refused as cancelled if the pass is', () => {
    expect(
      at(
        '2027-01-04 19:00:00',
        attendees(() => ({ status: 'archived' })),
      ),
    ).toBe(1);
  });
});
