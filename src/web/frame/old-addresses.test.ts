import { describe, expect, it } from 'vitest';
import { modernised } from './old-addresses.ts';

const modern = (address: string) => {
  const { pathname, searchParams } = new URL(address, 'http://x');
  const { path, query } = modernised({ path: pathname, query: searchParams });
  return query.size === 0 ? path : `${path}?${query}`;
};

describe('addresses of the reference', () => {
  it.each([
    ['/?post_type=tribe_events', '/events/'],
    ['/?post_type=tribe_events&eventDisplay=month', '/events/month/'],
    ['/?post_type=tribe_events&ical=1', '/events/ical/'],
    ['/?post_type=tribe_events&ical=1&eventDisplay=list', '/events/ical/'],
    ['/?post_type=tribe_events&tribe_events_cat=music&ical=1&eventDisplay=list', '/events/category/music/ical/'],
    ['/?post_type=tribe_events&tag=free&ical=1&eventDisplay=list', '/tag/free/ical/'],
    ['/?ical=1', '/events/ical/'],
    ['/?tribe_events=jazz-in-march', '/event/jazz-in-march/'],
    ['/?tribe_events=jazz-in-march&ical=1', '/event/jazz-in-march/ical/'],
    ['/?tribe_venue=old-town-library', '/venue/old-town-library/'],
    ['/?s=jazz', '/events/?search=jazz'],
    ['/?s=jazz&post_type=tribe_events', '/events/?search=jazz'],
    ['/feed/', '/events/feed/'],
    ['/feed', '/events/feed/'],
    ['/tickets-checkout/', '/cart/'],
    ['/tickets-checkout', '/cart/'],
    ['/attendee-registration/', '/cart/'],
    ['/tickets-order/', '/my-tickets/'],
    ['/events/all/', '/events/'],
    ['/events/category/', '/events/'],
    ['/venue/', '/events/places/'],
    ['/organizer/', '/organizers/'],
    ['/event/walk/2026-11-29/', '/event/walk/2026-11-29/'],
    ['/event/walk/all/', '/event/walk/'],
    ['/event/walk/2026-11-29/?ical=1', '/event/walk/ical/'],
    ['/event/walk/embed/', '/event/walk/embed/'],
    ['/events/?s=jazz', '/events/?search=jazz'],
    ['/events/?ical=0', '/events/ical/'],
    ['/events/?outlook-ical=1', '/events/ical/'],
    ['/events/?ical=1&event_ids=427,428', '/events/ical/?include=427%2C428'],
    ['/events/?ical=1&posts_per_page=100', '/events/ical/'],
    ['/events/month/2027-03/?ical=1', '/events/month/2027-03/ical/'],
    ['/events/2027-03-06/?ical=1', '/events/2027-03-06/ical/'],
    ['/events/list/page/2/?ical=1', '/events/list/page/2/ical/'],
    ['/events/list/?ical=1&eventDisplay=past', '/events/past/ical/'],
    ['/events/list/?eventDisplay=past&ical=1&tribe-bar-date=2026-06-01', '/events/past/ical/?start_date=2026-06-01'],
    ['/event/jazz-in-march/?outlook-ical=1&ical=1', '/event/jazz-in-march/ical/'],
    ['/events/list/?eventDisplay=past', '/events/past/'],
    ['/events/list/page/2/?eventDisplay=past', '/events/past/page/2/'],
    ['/events/?tribe_event_display=past', '/events/past/'],
    ['/events/?tribe_event_display=list&tribe_paged=2', '/events/list/page/2/'],
    ['/events/category/music/?tribe_event_display=month', '/events/category/music/month/'],
    ['/?post_type=tribe_events&tribe_event_display=past&ical=1', '/events/past/ical/'],
    ['/events/feed/?tribe_event_display=past', '/events/past/feed/'],
    ['/events/?eventDisplay=month&tribe_event_display=past', '/events/month/'],
    ['/events/?ical=1&tribe_paged=2', '/events/list/page/2/ical/'],
    ['/events/month/2027-03/?ical=1&tribe_paged=2', '/events/month/2027-03/page/2/ical/'],
    ['/events/month/2027-03/page/2/?ical=1', '/events/month/2027-03/page/2/ical/'],
    ['/events/today/?outlook-ical=1&paged=3', '/events/today/page/3/ical/'],
    ['/events/?ical=1&cancelled=title', '/events/ical/?cancelled=title'],
    ['/events/?eventDisplay=day&eventDate=2027-03-06', '/events/2027-03-06/'],
    ['/events/?tribe-bar-date=2027-03-06', '/events/?start_date=2027-03-06'],
    ['/events/list/?tribe-bar-date=2027-3-6', '/events/?start_date=2027-03-06'],
    ['/events/list/?tribe-bar-date=garbage', '/events/'],
    ['/events/month/?tribe-bar-date=2027-03-06', '/events/month/2027-03/'],
    ['/events/month/?tribe-bar-date=2027-03', '/events/month/2027-03/'],
    ['/events/month/?tribe-bar-date=2027-13', '/events/month/'],
    ['/events/today/?tribe-bar-date=2027-03-06', '/events/2027-03-06/'],
    ['/events/2026-02-31/', '/events/2026-03-03/'],
    ['/events/?tribe-bar-search=jazz', '/events/?search=jazz'],
    ['/events/month/?tribe-bar-search=jazz', '/events/month/?search=jazz'],
    ['/events/?tribe_paged=2', '/events/list/page/2/'],
    ['/events/list/?tribe_events_cat=jazz', '/events/category/jazz/'],
    ['/events/?posts_per_page=50', '/events/'],
    ['/events/?hide_subsequent_recurrences=1', '/events/'],
  ])('%s is %s', (old, now) => {
    expect(modern(old)).toBe(now);
  });

  it.each([
    '/',
    '/?utm_source=a',
    '/?p=427',
    '/?post_type=tribe_events&p=427',
    '/events/',
    '/events/?search=jazz&start_date=2027-03-06&utm_source=a',
    '/event/jazz-in-march/',
    '/nope/?ical=1',
    '/events/month/page/2/',
    '/cart/?tag=x',
  ])('%s stays', (address) => {
    const { pathname, searchParams } = new URL(address, 'http://x');
    expect(modernised({ path: pathname, query: searchParams })).toMatchObject({ path: pathname, isOld: false });
    expect(modern(address)).toBe(address);
  });

  it.each(['/events/?tribe_events_cat=//evil.test', '/?tribe_events=//evil.test', '/?tribe_events=../../x'])(
    '%s never leads elsewhere',
    (address) => {
      expect(modern(address)).toMatch(/^\/(events|event)\/[\w%./-]*\/$/);
      expect(modern(address)).not.toContain('//');
    },
  );
});
