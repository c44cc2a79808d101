import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AnyEndpoint, endpoint, type Method, ok } from './endpoint.ts';
import { endpointOf, matchRoute, methodsOf, pathPattern, routesOf } from './router.ts';

const at = (path: string, methods: Method[], name = path): AnyEndpoint =>
  endpoint({
    namespace: 'events',
    methods,
    path,
    name,
    summary: '',
    input: {},
    responses: { 200: z.unknown() },
    errors: [],
    handle: async () => ok({}),
  });

const routes = routesOf([
  at('', ['GET']),
  at('/walks', ['GET']),
  at('/walks', ['POST']),
  at('/walks/{id}', ['GET']),
  at('/walks/by-slug/{slug}', ['GET']),
  at('/walks/{id}/stops/{stop_id}', ['DELETE']),
]);

describe('matchRoute', () => {
  it.each([
    ['', '', {}],
    ['/', '', {}],
    ['/walks', '/walks', {}],
    ['/walks/', '/walks', {}],
    ['/WALKS', '/walks', {}],
    ['/walks/7', '/walks/{id}', { id: '7' }],
    ['/Walks/007/', '/walks/{id}', { id: '007' }],
    ['/walks/by-slug/Old%20Mill', '/walks/by-slug/{slug}', { slug: 'Old Mill' }],
    ['/walks/BY-SLUG/a%2Fb', '/walks/by-slug/{slug}', { slug: 'a/b' }],
    ['/walks/by-slug/%ff', '/walks/by-slug/{slug}', { slug: '%ff' }],
    ['/walks/7/stops/8', '/walks/{id}/stops/{stop_id}', { id: '7', stop_id: '8' }],
  ])('finds the route of %j', (path, route, params) => {
    expect(matchRoute(routes, 'events', path)).toMatchObject({ route: { path: route }, params });
  });

  it.each([
    '/walk',
    '/walks//',
    '//walks',
    '/walks/abc',
    '/walks/-1',
    '/walks/4.5',
    '/walks/٣',
    '/walks/7/x',
    '/walks/by-slug',
    '/walks/by-slug/',
    '/walks/by-slug/a/b',
    '/walks/7/stops/x',
  ])('finds nothing for %j', (path) => {
    expect(matchRoute(routes, 'events', path)).toBeUndefined();
  });

  it('keeps namespaces apart', () => {
    expect(matchRoute(routes, 'tickets', '/walks')).toBeUndefined();
  });
});

describe('routes', () => {
  it('join the endpoints of one path in the order they were listed', () => {
    const route = routes.find(({ path }) => path === '/walks');
    expect(route && methodsOf(route)).toEqual(['GET', 'POST']);
    expect(route && endpointOf(route, 'POST')).toBe(route?.endpoints[1]);
    expect(route && endpointOf(route, 'PUT')).toBeUndefined();
  });

  it('are written as the patterns of the reference', () => {
    expect(pathPattern('/walks/{id}/stops/{stop_id}')).toBe('/walks/(?P<id>\\d+)/stops/(?P<stop_id>\\d+)');
    expect(pathPattern('/walks/by-slug/{slug}')).toBe('/walks/by-slug/(?P<slug>[^/]+)');
  });
});
