import { expect, it } from 'vitest';
import { Urls } from './urls.ts';

it.each([
  ['https://example.org', 'example.org?id=7'],
  ['http://localhost:8080', 'localhost?id=7'],
  ['http://127.0.0.1:1', '127.0.0.1?id=7'],
  ['http://[::1]:8080', '[::1]?id=7'],
  ['http://[2001:db8::1]', '[2001:db8::1]?id=7'],
])('names records of %s by host without port', (origin, id) => {
  expect(new Urls(origin).globalId(7)).toBe(id);
  expect(new URL(origin).hostname).toBe(id.split('?')[0]);
});

it('builds addresses in the style of the request', () => {
  const urls = new Urls('https://example.org', '/wp-json', 'tribe');
  expect(urls.rest('events', '/events/7')).toBe('https://example.org/wp-json/tribe/events/v1/events/7');
  expect(urls.rest('wp')).toBe('https://example.org/wp-json/wp/v2');
  expect(urls.page('/event/jazz/')).toBe('https://example.org/event/jazz/');
  expect(urls.globalId(7, 'attendee')).toBe('example.org?type=attendee&id=7');
  expect([urls.taxonomy('category'), urls.taxonomy('tag')]).toEqual(['tribe_events_cat', 'post_tag']);
});
