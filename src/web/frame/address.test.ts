import { describe, expect, it } from 'vitest';
import { calendarAddress, calendarPath } from './address.ts';

const canonical = (path: string) => {
  const address = calendarAddress(path);
  return address && calendarPath(address);
};

describe('the address of a calendar page', () => {
  it.each([
    '/events/',
    '/events/list/page/2/',
    '/events/past/',
    '/events/past/page/3/',
    '/events/featured/',
    '/events/featured/page/2/',
    '/events/month/',
    '/events/month/2027-03/',
    '/events/month/featured/',
    '/events/week/',
    '/events/week/2027-03-01/',
    '/events/today/',
    '/events/2027-03-06/',
    '/events/photo/',
    '/events/photo/past/page/2/',
    '/events/places/',
    '/events/ical/',
    '/events/feed/',
    '/events/feed/atom/',
    '/events/feed/json/',
    '/events/2027-03-06/ical/',
    '/events/category/music/',
    '/events/category/music/jazz/',
    '/events/category/music/jazz/month/2027-03/',
    '/events/category/music/page/2/',
    '/events/category/music/past/',
    '/tag/free/',
    '/tag/free/page/2/',
    '/tag/free/ical/',
    '/venue/harbour-hall/',
    '/venue/harbour-hall/past/page/2/',
    '/organizer/music-society/month/',
    '/tag/caf%c3%a9/',
  ])('%s is written in one way only', (path) => {
    expect(canonical(path)).toBe(path);
  });

  it.each([
    ['/tag/caf%C3%A9/', '/tag/caf%c3%a9/'],
    ['/events/list/', '/events/'],
    ['/events', '/events/'],
    ['/event/', '/events/'],
    ['/events/page/2/', '/events/list/page/2/'],
    ['/events/list/page/1/', '/events/'],
    ['/events/past/list/', '/events/past/'],
    ['/events/summary/', '/events/'],
    ['/events/map/', '/events/places/'],
    ['/events/2027-03/', '/events/month/2027-03/'],
    ['/events/2027-03/featured/', '/events/month/2027-03/featured/'],
    ['/events/day/', '/events/today/'],
    ['/events/day/2027-03-06/', '/events/2027-03-06/'],
    ['/events/2027-03-06/featured/', '/events/2027-03-06/featured/'],
    ['/events/list/featured/', '/events/featured/'],
    ['/events/tag/free/', '/tag/free/'],
    ['/events/tag/free/list/page/2/', '/tag/free/page/2/'],
    ['/events/tag/free/2027-03/', '/tag/free/month/2027-03/'],
    ['/events/category/Music/list/page/2/', '/events/category/music/page/2/'],
    ['/events/category/music/day/2027-03-06/', '/events/category/music/2027-03-06/'],
    ['/events/rss', '/events/feed/'],
    ['/events/rss/', '/events/feed/'],
    ['/events/list/feed/', '/events/feed/'],
    ['/events/feed/rss2/', '/events/feed/'],
    ['/events/category/month/', '/events/category/month/'],
  ])('%s means %s', (path, meant) => {
    expect(canonical(path)).toBe(meant);
  });

  it.each([
    '/',
    '/nope/',
    '/event/lantern-walk/',
    '/events/lantern-walk/',
    '/events/category/',
    '/events/tag/',
    '/venue/',
    '/events/month/2027-13/',
    '/events/month/2027-03-06/',
    '/events/list/2027-03/',
    '/events/2027-3-6/',
    '/events/2027-02-30/',
    '/events/2027/',
    '/events/month/page/2/',
    '/events/list/page/0/',
    '/events/list/page/1000000000/',
    '/events/list/month/',
    '/events/month/past/',
    '/events/past/past/',
    '/events/feed/ical/',
    '/EVENTS/list/',
    '/events/%E0%A4%A/',
    '/venue/hall/list/page/x/',
  ])('%s is none', (path) => {
    expect(calendarAddress(path)).toBeUndefined();
  });
});
