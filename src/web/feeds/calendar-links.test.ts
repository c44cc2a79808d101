import { describe, expect, it } from 'vitest';
import { listedEvent, listedVenue } from '../../../test/listed-event.ts';
import { calendarLinks, subscribeLinks, webcalAddress } from './calendar-links.ts';

const parameters = (address: string) => Object.fromEntries(new URL(address).searchParams);
const withoutQuery = (address: string) => address.split('?')[0];

describe('the links that subscribe to a feed', () => {
  const links = subscribeLinks({ address: 'https://city.example/events/?ical=1&tags=a b', name: 'City & more' });

  it('open the program of the device', () => {
    expect(links.webcal).toBe('webcal://city.example/events/?ical=1&tags=a b');
    expect(webcalAddress('http://localhost:8080/x')).toBe('webcal://localhost:8080/x');
  });

  it('name the feed by the scheme that each service takes', () => {
    expect(withoutQuery(links.google)).toBe('https://calendar.google.com/calendar/render');
    expect(parameters(links.google)).toEqual({ cid: links.webcal });
    for (const [service, host] of [
      ['outlook', 'outlook.live.com'],
      ['office365', 'outlook.office.com'],
    ] as const) {
      expect(withoutQuery(links[service])).toBe(`https://${host}/owa`);
      expect(parameters(links[service])).toEqual({
        path: '/calendar/action/compose',
        rru: 'addsubscription',
        url: links.webcal,
        name: 'City & more',
      });
    }
  });
});

describe('the links that add an event', () => {
  it.each([
    [
      'in a zone',
      {},
      { dates: '20270306T183000/20270306T210000', ctz: 'America/New_York' },
      { startdt: '2027-03-06T18:30:00-05:00', enddt: '2027-03-06T21:00:00-05:00' },
    ],
    [
      'on whole days',
      { all_day: true, start_date: '2027-03-06 00:00:00', end_date: '2027-03-07 23:59:59' },
      { dates: '20270306/20270308' },
      { startdt: '2027-03-06', enddt: '2027-03-08', allday: 'true' },
    ],
    [
      'at a plain offset',
      { timezone: 'UTC-5' },
      { dates: '20270306T233000Z/20270307T020000Z' },
      { startdt: '2027-03-06T18:30:00-05:00', enddt: '2027-03-06T21:00:00-05:00' },
    ],
    [
      'that ends in an hour that is shown twice',
      {
        ...{ start_date: '2027-11-07 00:30:00', utc_start_date: '2027-11-07 04:30:00' },
        ...{ end_date: '2027-11-07 01:30:00', utc_end_date: '2027-11-07 06:30:00' },
      },
      { dates: '20271107T043000Z/20271107T063000Z' },
      { startdt: '2027-11-07T00:30:00-04:00', enddt: '2027-11-07T01:30:00-05:00' },
    ],
  ])('say the time of an event %s as each service reads it', (_what, changes, google, outlook) => {
    const links = calendarLinks(listedEvent(changes), 'en');
    const { dates, ctz } = parameters(links.google);
    expect({ dates, ...(ctz && { ctz }) }).toEqual(google);
    for (const service of ['outlook', 'office365'] as const) {
      const { startdt, enddt, allday } = parameters(links[service]);
      expect({ startdt, enddt, ...(allday && { allday }) }).toEqual(outlook);
    }
  });

  it('have its title, its place and the address of its page', () => {
    const links = calendarLinks(
      listedEvent({
        title: 'Rock & roll #1 +x',
        description: '<p>Loud &amp; late</p>',
        venue: listedVenue({
          address: '1 Mill Lane',
          city: 'Salem',
          stateprovince: 'MA',
          zip: '01970',
          country: 'USA',
        }),
      }),
      'en',
    );
    const details = 'Loud & late\n\nhttps://city.example/event/lantern-walk/';
    const location = 'Old mill, 1 Mill Lane, Salem, MA 01970, USA';
    expect(parameters(links.google)).toMatchObject({
      action: 'TEMPLATE',
      text: 'Rock & roll #1 +x',
      details,
      location,
    });
    expect(parameters(links.outlook)).toMatchObject({
      ...{ path: '/calendar/action/compose', rru: 'addevent', subject: 'Rock & roll #1 +x' },
      ...{ body: details, location },
    });
    expect(withoutQuery(links.office365)).toBe('https://outlook.office.com/calendar/deeplink/compose');
  });

  it('say that an event is online, with its address if that is public', () => {
    const online = listedEvent({
      attendance_mode: 'mixed',
      online_url: 'https://stream.example/',
      venue: listedVenue(),
    });
    const { location, details } = parameters(calendarLinks(online, 'fr').google);
    expect(location).toMatch(/ \/ En ligne$/);
    expect(details).toContain('https://stream.example/');
  });

  it('shorten a long description', () => {
    const { google } = calendarLinks(listedEvent({ description: `<p>${'long '.repeat(4000)}</p>` }), 'en');
    expect(google.length).toBeLessThan(2000);
  });
});
