import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { listedEvent, listedOrganizer, listedVenue } from '../../../test/listed-event.ts';
import type { CalendarEvent } from '../../calendar/events/lists/feed.ts';
import { icalEvent, icalFeed, icalTicket } from './ical.ts';

const FEED = {
  title: 'City',
  url: 'https://city.example/events/',
  feedUrl: 'https://city.example/events/ical/',
  calendarId: 'city',
};

const linesOf = (text: string): string[] => text.replaceAll('\r\n ', '').split('\r\n');
const lineOf = (text: string, name: string): string | undefined =>
  linesOf(text).find((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`));
const written = (changes: Partial<CalendarEvent>) =>
  icalEvent({ event: listedEvent(changes), calendarId: 'city', language: 'en' });

describe('a calendar', () => {
  it('of no events is valid', async () => {
    const text = await icalFeed({ ...FEED, language: 'en', events: [] });
    expect(new ICAL.Component(ICAL.parse(text)).getAllSubcomponents()).toEqual([]);
  });

  it('says that it has only some of the events, in its language', async () => {
    const events = [listedEvent()];
    const text = await icalFeed({ ...FEED, language: 'de', events, count: 2000, total: 2345 });
    expect(lineOf(text, 'DESCRIPTION')).toBe('DESCRIPTION:2.000 von 2.345 Veranstaltungen.');
    expect(await icalFeed({ ...FEED, language: 'de', events, count: 1, total: 1 })).not.toContain('X-WR-CALDESC');
  });

  it('has no name where programs would make a new calendar of it', async () => {
    const events = [listedEvent()];
    expect(await icalFeed({ ...FEED, language: 'en', events })).toContain('X-WR-CALNAME:City');
    expect(await icalFeed({ ...FEED, language: 'en', events, isNamed: false })).not.toMatch(/^(X-WR-CAL)?NAME/m);
  });

  it('has each zone once, for the years of all of its events', async () => {
    const years = ['2027', '2030'].map((year) =>
      listedEvent({ start_date: `${year}-03-06 18:30:00`, utc_start_date: `${year}-03-06 23:30:00` }),
    );
    const [first, second] = years.map((event) => ({
      ...event,
      end_date: event.start_date,
      utc_end_date: event.utc_start_date,
    }));
    const text = await icalFeed({ ...FEED, language: 'en', events: [first, second] as CalendarEvent[] });
    expect(text.match(/^TZID:/gm)).toHaveLength(1);
    expect(linesOf(text).filter((line) => /^DTSTART:\d{4}0101/.test(line))).toEqual([
      'DTSTART:20270101T000000',
      'DTSTART:20300101T000000',
    ]);
  });
});

describe('an entry', () => {
  it.each([
    ['on one day', '2027-03-06 00:00:00', '2027-03-06 23:59:59', '20270306', '20270307'],
    ['over a new year', '2027-12-31 00:00:00', '2028-01-01 23:59:59', '20271231', '20280102'],
    ['at the end of the calendar', '9999-12-31 00:00:00', '9999-12-31 23:59:59', '99991231', undefined],
  ])('of whole days %s has dates', async (_when, start_date, end_date, start, end) => {
    const text = await written({ all_day: true, start_date, end_date });
    expect(lineOf(text, 'DTSTART')).toBe(`DTSTART;VALUE=DATE:${start}`);
    expect(lineOf(text, 'DTEND')).toBe(end && `DTEND;VALUE=DATE:${end}`);
    expect(text).not.toContain('VTIMEZONE');
  });

  it('of whole days leaves the time free', async () => {
    const days = { all_day: true, start_date: '2027-03-06 00:00:00', end_date: '2027-03-06 23:59:59' };
    expect(lineOf(await written(days), 'TRANSP')).toBe('TRANSP:TRANSPARENT');
    expect(lineOf(await written({}), 'TRANSP')).toBeUndefined();
  });

  it.each([
    ['status', 'STATUS:CANCELLED', 'SUMMARY:Lantern walk'],
    ['title', 'STATUS:CONFIRMED', 'SUMMARY:Cancelled: Lantern walk'],
  ] as const)('of a cancelled event is marked by its %s alone, and says why', async (cancelled, status, title) => {
    const event = listedEvent({
      ...{ event_status: 'cancelled', event_status_reason: 'Storm; no ferry', description: '<p>Bring a lantern</p>' },
    });
    const text = await icalEvent({ event, calendarId: 'city', language: 'en', cancelled });
    expect(linesOf(text).filter((line) => line.startsWith('STATUS'))).toEqual([status]);
    expect(lineOf(text, 'SUMMARY')).toBe(title);
    const page = 'https://city.example/event/lantern-walk/';
    expect(lineOf(text, 'DESCRIPTION')).toBe(
      `DESCRIPTION:Cancelled – Storm\\; no ferry\\n\\nBring a lantern\\n\\n${page}`,
    );
  });

  it('of an event that is postponed has no mark in its title', async () => {
    const event = listedEvent({ event_status: 'postponed' });
    const text = await icalEvent({ event, calendarId: 'city', language: 'de', cancelled: 'title' });
    expect([lineOf(text, 'STATUS'), lineOf(text, 'SUMMARY')]).toEqual(['STATUS:TENTATIVE', 'SUMMARY:Lantern walk']);
    expect(lineOf(text, 'DESCRIPTION')).toMatch(/^DESCRIPTION:Verschoben\\n/);
  });

  it('has the id of the event in the calendar, and its sequence number', async () => {
    const text = await written({});
    expect([lineOf(text, 'UID'), lineOf(text, 'SEQUENCE')]).toEqual(['UID:12@city', 'SEQUENCE:3']);
  });

  it('without a length has no end', async () => {
    const event = listedEvent();
    const text = await written({ end_date: event.start_date, utc_end_date: event.utc_start_date });
    expect(lineOf(text, 'DTEND')).toBeUndefined();
  });

  it.each([
    ['with an address', { email: 'club@mill.example' }, 'ORGANIZER;CN=Mill club:mailto:club@mill.example'],
    ['with another one', { email: 'call us!' }, 'ORGANIZER;CN=Mill club:https://city.example/organizer/mill-club/'],
    ['with two', { email: 'a@b.c,d@e.f' }, 'ORGANIZER;CN=Mill club:https://city.example/organizer/mill-club/'],
    ['without', {}, 'ORGANIZER;CN=Mill club:https://city.example/organizer/mill-club/'],
  ])('names the first organizer %s', async (_what, changes, expected) => {
    const organizer = [listedOrganizer(changes), listedOrganizer({ organizer: 'Other' })];
    expect(lineOf(await written({ organizer }), 'ORGANIZER')).toBe(expected);
  });

  it('has the full location, and the position of the first venue', async () => {
    const near = listedVenue({ address: '1 Mill Lane', city: 'Salem', geo_lat: 1e-7, geo_lng: -70.123456789 });
    const text = await written({ venue: [near, listedVenue({ venue: 'Square' })] });
    expect(lineOf(text, 'LOCATION')).toBe('LOCATION:Old mill\\, 1 Mill Lane\\, Salem / Square');
    expect(lineOf(text, 'GEO')).toBe('GEO:0;-70.123457');
  });

  it.each([
    [{ city: 'Boston', stateprovince: 'MA', zip: '02110', country: 'US' }, 'Boston, MA 02110, US'],
    [{ city: 'Berlin', zip: '10115', country: 'Deutschland' }, '10115 Berlin, Deutschland'],
    [{ city: 'London', zip: 'SW1A 1AA', country: 'United Kingdom' }, 'London SW1A 1AA, United Kingdom'],
    [{ city: 'Sydney', state: 'NSW', zip: '2000', country: 'Australia' }, 'Sydney NSW 2000, Australia'],
    [{ city: 'Salem', stateprovince: 'MA', zip: '01970' }, 'Salem, MA, 01970'],
  ])('writes the address as its country does: %j', async (changes, expected) => {
    const text = await written({ venue: [listedVenue({ address: '1 Mill Lane', ...changes })] });
    const escaped = `Old mill, 1 Mill Lane, ${expected}`.replaceAll(',', '\\,');
    expect(lineOf(text, 'LOCATION')).toBe(`LOCATION:${escaped}`);
  });

  it('shows the picture, to old programs and to new ones', async () => {
    const url = 'https://city.example/uploads/a.jpg';
    const image = { url, id: 3, extension: 'jpg', width: 9, height: 9, filesize: 99 };
    const text = await written({ image });
    expect(lineOf(text, 'ATTACH')).toBe(`ATTACH;FMTTYPE=image/jpeg:${url}`);
    expect(lineOf(text, 'IMAGE')).toBe(`IMAGE;DISPLAY=BADGE;FMTTYPE=image/jpeg;VALUE=URI:${url}`);
  });

  it('shortens an overlong description, between characters', async () => {
    const description = `<p>${'a'.repeat(7998)}🎺🎺</p>`;
    const text = lineOf(await written({ description }), 'DESCRIPTION');
    expect(text).toBe(`DESCRIPTION:${'a'.repeat(7998)}…\\n\\nhttps://city.example/event/lantern-walk/`);
  });
});

describe('the calendar of a ticket', () => {
  it('is the entry of the event, and leads to the page of the ticket', async () => {
    const url = 'https://city.example/ticket/77/CODE/';
    const text = await icalTicket({
      events: [{ event: listedEvent({ description: '<p>Bring a lantern</p>' }), url }],
      attendee: { id: 77, title: 'Ada Park', modified_utc: '2026-12-01 08:00:00', ticket: { title: 'Seat' } },
      calendarId: 'city',
      language: 'en',
    });
    expect(lineOf(text, 'UID')).toBe('UID:12@city');
    expect(lineOf(text, 'LAST-MODIFIED')).toBe('LAST-MODIFIED:20261201T080000Z');
    expect(lineOf(text, 'SUMMARY')).toBe('SUMMARY:Lantern walk');
    expect(lineOf(text, 'URL')).toBe(`URL:${url}`);
    const page = 'https://city.example/event/lantern-walk/';
    expect(lineOf(text, 'DESCRIPTION')).toBe(
      `DESCRIPTION:Seat – Ada Park\\n\\n${page}\\n\\nBring a lantern\\n\\n${url}`,
    );
  });
});
