import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cacheKeyOf } from '../cache/cache-key.ts';
import { endpoint, ok } from '../core/endpoint.ts';
import { routesOf } from '../core/router.ts';
import { namespaceOf, parseRequest, restPath, singleSlashes } from './parsed-request.ts';

describe('singleSlashes', () => {
  it.each([
    ['/', '/'],
    ['//', '/'],
    ['/a', '/a'],
    ['/a/', '/a'],
    ['//a///b//', '/a/b'],
    ['/a/%2F/b', '/a/%2F/b'],
  ])('makes %s %s', (path, expected) => {
    expect(singleSlashes(path)).toBe(expected);
  });
});

describe('restPath', () => {
  const read = (address: string) => Object.values(restPath(new URL(address, 'http://h')));

  it.each([
    ['/?rest_route=/tribe/events/v1', '/wp-json/tribe/events/v1', '?'],
    ['/?rest_route=%2Ftribe%2Fevents%2Fv1%2F', '/wp-json/tribe/events/v1', '?'],
    ['/index.php?rest_route=/a&page=2', '/wp-json/a', '?page=2'],
    ['//index.php/?x=1&rest_route=/a&y[]=2', '/wp-json/a', '?x=1&y[]=2'],
    ['/?rest_route=/', '/wp-json', '?'],
    ['/?rest_route=a', '/wp-json/a', '?'],
    ['/?rest%5Froute=/a', '/wp-json/a', '?'],
    ['/?rest_route=/a&rest_route=/b', '/wp-json/b', '?'],
    ['/?rest_route=/a%20b+c', '/wp-json/a%20b%20c', '?'],
    ['/?rest_route=/caf%C3%A9', '/wp-json/caf%C3%A9', '?'],
    ['/?rest_route=/%252F', '/wp-json/%252F', '?'],
    ['/?rest_route=/%E9', '/wp-json/%25E9', '?'],
    ['/?rest_route=/a/../b', '/wp-json/a/../b', '?'],
    ['/?rest_route=http://evil.test/x', '/wp-json/http%3A/evil.test/x', '?'],
    ['/?rest_route=//evil.test', '/wp-json/evil.test', '?'],
    ['/?rest_route=/a?rest_route=/b', '/wp-json/a%3Frest_route%3D/b', '?'],
    ['/?rest_route=/a%23b%3Fc', '/wp-json/a%23b%3Fc', '?'],
  ])('reads %s as %s with %s', (address, path, search) => {
    expect(read(address)).toEqual([path, search]);
  });

  it.each([
    ['/?rest_route=', '/', '?rest_route='],
    ['/?rest_route', '/', '?rest_route'],
    ['/?rest_route=/a&rest_route=', '/', '?rest_route=/a&rest_route='],
    ['/?rest_route[]=/a', '/', '?rest_route[]=/a'],
    ['/docs?rest_route=/a', '/docs', '?rest_route=/a'],
    ['/healthz?rest_route=/a', '/healthz', '?rest_route=/a'],
    ['/INDEX.php?rest_route=/a', '/INDEX.php', '?rest_route=/a'],
    ['/wp-json/a?rest_route=/b', '/wp-json/a', '?rest_route=/b'],
  ])('leaves %s as it is', (address, path, search) => {
    expect(read(address)).toEqual([path, search]);
  });
});

describe('namespaceOf', () => {
  it.each([
    ['/calendar/events/v1', 'events', '', 'http://h/calendar/events/v1'],
    ['/calendar/events/v1/', 'events', '/', 'http://h/calendar/events/v1'],
    ['/calendar/tickets/v1/x', 'tickets', '/x', 'http://h/calendar/tickets/v1'],
    ['/calendar/admin/v1/x', 'admin', '/x', 'http://h/calendar/admin/v1'],
    ['/wp-json/calendar/events/v1/x', 'events', '/x', 'http://h/wp-json/calendar/events/v1'],
    ['/wp-json/tribe/events/v1/x', 'events', '/x', 'http://h/wp-json/tribe/events/v1'],
    ['/WP-JSON/Tribe/Events/V1/X', 'events', '/X', 'http://h/wp-json/tribe/events/v1'],
  ])('splits %s', (pathname, namespace, path, root) => {
    const found = namespaceOf(pathname, 'http://h');
    expect(found).toMatchObject({ namespace, path });
    expect(found?.urls.rest(found.namespace)).toBe(root);
  });

  it.each([
    '/tribe/events/v1',
    '/calendar/events/v2',
    '/calendar/other/v1',
    '/calendar/events/v1x',
    '/x/calendar/events/v1',
    '/wp-json',
    '/',
  ])('finds no namespace in %s', (pathname) => {
    expect(namespaceOf(pathname, 'http://h')).toBeUndefined();
  });
});

const WALKS = new URL('http://localhost/calendar/events/v1/walks?length=5');
const CONDITIONS = { language: 'en', config: { languages: ['en'], perPage: 10 } };

describe('parseRequest', () => {
  it('validates the parameters of each request once', () => {
    let validations = 0;
    const length = z.unknown().transform((sent) => {
      validations += 1;
      return Number(sent);
    });
    const walks = endpoint({
      namespace: 'events',
      methods: ['GET'],
      path: '/walks',
      name: 'walks.list',
      summary: '',
      input: { length },
      responses: { 200: z.unknown() },
      errors: [],
      handle: async () => ok({}),
    });
    for (const requests of [1, 2]) {
      const parsed = parseRequest(new Request(WALKS), { url: WALKS, origin: WALKS.origin }, routesOf([walks]));
      expect(validations).toBe(requests - 1);
      expect(cacheKeyOf(parsed, CONDITIONS)).toEqual(expect.any(String));
      expect(parsed.call?.readParams()).toMatchObject({ input: { length: 5 } });
      expect(validations).toBe(requests);
    }
  });
});
