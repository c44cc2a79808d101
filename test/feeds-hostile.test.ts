import ICAL from 'ical.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CalendarEvent } from '../src/calendar/events/lists/feed.ts';
import { atomFeed } from '../src/web/feeds/atom.ts';
import { icalEvent, icalFeed, icalTicket } from '../src/web/feeds/ical.ts';
import { jsonFeed } from '../src/web/feeds/json-feed.ts';
import { rssFeed } from '../src/web/feeds/rss.ts';
import { listedEvent, listedOrganizer, listedVenue } from './listed-event.ts';
import { useTestServer } from './server.ts';
import { usualDatabases } from './thoroughness.ts';

/** Texts that try to leave their place in a feed, stored by clients or by programs that do not clean them. */

const PAYLOADS = [
  'word\r\nATTACH:https://evil.test\r\nEND:VEVENT\r\nBEGIN:VEVENT',
  'word\rATTACH:x\nATTACH:y\u2028ATTACH:z\u2029\u0085ATTACH:v',
  'word\\nATTACH:x\\,\\;\\\\',
  'word";X-EVIL="a^nb:c;d,e',
  'word]]><script>alert(1)</script>',
  'word</title></item></channel><script>alert(1)</script>',
  'word&lt;script&gt;alert(1)&lt;/script&gt;&amp;lt;',
  'word<!DOCTYPE x [<!ENTITY y "z">]>&y;<?php ?>',
  'word\0\u0001\u0008\u000b\u001b[31m\u007f\u009b\ufffe\uffff',
  'word\ud800x\udc00 \ud83d',
  'word","items":[{"id":"evil"}],"x":"',
  `word${'é🎺'.repeat(200)}`,
];

const ALLOWED =
  /^(?:VERSION|PRODID|CALSCALE|METHOD|NAME|X-WR-CALNAME|DESCRIPTION|X-WR-CALDESC|URL|SOURCE|REFRESH-INTERVAL|X-PUBLISHED-TTL|BEGIN|END|TZID|DTSTART|TZOFFSETFROM|TZOFFSETTO|TZNAME|UID|DTSTAMP|CREATED|LAST-MODIFIED|SEQUENCE|STATUS|DTEND|SUMMARY|LOCATION|GEO|CATEGORIES|ORGANIZER|CONFERENCE)[;:]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the purpose
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

/** Expects a calendar with as many entries, and nothing in it but what the program writes. */
function expectCalendar(text: string, count = 1): void {
  const lines = text.split('\r\n');
  expect(lines.pop()).toBe('');
  expect(lines.filter((line) => CONTROL.test(line) || Buffer.byteLength(line) > 75)).toEqual([]);
  expect(text.isWellFormed()).toBe(true);
  const unfolded = text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1);
  expect(unfolded.filter((line) => !ALLOWED.test(line))).toEqual([]);
  expect(unfolded.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(count);
  const [entry] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  for (const name of ['summary', 'description', 'location', 'categories'] as const)
    expect(String(entry?.getFirstPropertyValue(name))).toContain('word');
  expect(entry?.getFirstProperty('organizer')?.jCal[1]).toEqual({ cn: expect.stringContaining('word') });
}

const TOKEN =
  /<\?xml version="1\.0" encoding="UTF-8"\?>|<(\/?)([a-zA-Z]+(?::[a-z]+)?)((?: [a-z:A-Z]+="(?:[^<&"]|&(?:amp|lt|gt|quot|#39);)*")*)(\/?)>|(?:[^<&>]|&(?:amp|lt|gt|quot|#39);)+/gy;
// biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the purpose
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** The elements of a document that uses the plainest part of XML only; throws for anything else. */
function elementsOf(document: string): string[] {
  const open: string[] = [];
  const elements: string[] = [];
  let end = 0;
  for (const token of document.matchAll(TOKEN)) {
    const [all, closing, name, , empty] = token;
    end = token.index + all.length;
    if (name === undefined) continue;
    if (closing) expect(open.pop()).toBe(name);
    else {
      elements.push(name);
      if (!empty) open.push(name);
    }
  }
  expect([document.slice(end, end + 80), open]).toEqual(['', []]);
  expect(document).not.toMatch(NOT_IN_XML);
  expect(document.isWellFormed()).toBe(true);
  return elements;
}

const CALENDAR = { calendarId: 'city', language: 'en' };
const FEED = { url: 'https://city.example/events/', feedUrl: 'https://city.example/events/feed/', ...CALENDAR };

/** An event with the same text everywhere, as it could come from a database that others write. */
const everywhere = (text: string): CalendarEvent =>
  listedEvent({
    ...{ title: text, description: text, excerpt: text, cost: text },
    venue: [listedVenue({ venue: text, address: text, city: text, zip: text, country: text })],
    organizer: [listedOrganizer({ organizer: text, email: `${text}@x.test` })],
    categories: [{ name: text }, { name: `${text} more` }] as CalendarEvent['categories'],
    tags: [{ name: text }] as CalendarEvent['tags'],
  });

describe.each(PAYLOADS)('a text in all fields of an event stays text, even if it was never cleaned: %j', (text) => {
  const event = everywhere(text);
  const plain = listedEvent({
    organizer: [listedOrganizer()],
    categories: [{ name: 'x' }, { name: 'y' }] as CalendarEvent['categories'],
    cost: '5',
  });

  it('in iCalendar', async () => {
    expectCalendar(await icalFeed({ ...FEED, title: text, events: [event] }));
    expectCalendar(await icalFeed({ ...FEED, title: text, events: [event], cancelled: 'title' }));
    expectCalendar(await icalEvent({ event, ...CALENDAR }));
    const attendee = { id: 9, title: text, modified_utc: '2026-11-21 17:00:00', ticket: { title: text } };
    const url = 'https://city.example/ticket/9/CODE/';
    expectCalendar(await icalTicket({ events: [{ event, url }], attendee, ...CALENDAR }));
  });

  it.each([
    ['RSS', rssFeed],
    ['Atom', atomFeed],
  ])('in %s', (_format, write) => {
    const written = write({ ...FEED, title: text, events: [event] });
    expect(elementsOf(written)).toEqual(elementsOf(write({ ...FEED, title: 'x', events: [plain] })));
    expect(written).toContain('word');
  });

  it('in JSON Feed', () => {
    const feed = JSON.parse(jsonFeed({ ...FEED, title: text, events: [event] }));
    expect(feed.items).toHaveLength(1);
    expect(Object.keys(feed)).toEqual(['version', 'title', 'home_page_url', 'feed_url', 'language', 'items']);
    expect(feed.items[0].title).toContain('word');
  });
});

describe.each(usualDatabases)('hostile texts that clients send, in the feeds on %s', (kind) => {
  const server = useTestServer(kind);
  beforeAll(async () => {
    for (const text of PAYLOADS) {
      await server().make('POST /events', {
        ...{ title: text, description: text, excerpt: text, cost: text.slice(0, 90) },
        ...{ start_date: '2027-03-06 18:30', end_date: '2027-03-06 21:00' },
        venue: { venue: text, address: text, city: text, country: text, zip: text },
        organizer: { organizer: text, email: text, phone: text },
        categories: [text.slice(0, 90)],
        tags: [text.slice(0, 90)],
      });
    }
  });

  it('stay text', async () => {
    const get = async (path: string) => (await server().ask(`GET ${path}`)).text;
    expectCalendar(await get('/events.ics'), PAYLOADS.length);
    for (const path of ['/events.rss', '/events.atom']) {
      expect(elementsOf(await get(path)).filter((name) => /^(item|entry)$/.test(name))).toHaveLength(PAYLOADS.length);
    }
    const { items } = JSON.parse(await get('/events.feed.json'));
    expect(items).toHaveLength(PAYLOADS.length);
    for (const { content_html } of items) {
      expect(content_html).not.toMatch(/<(?:script|iframe|svg|style|form|object)|<[^>]*\s(?:on\w+|style)\s*=/i);
    }
  });
});
