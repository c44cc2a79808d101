import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { undocumentedIn } from './documented.ts';

const requestOf = (method: string, path: string, body?: object, accept = '*/*') =>
  ({
    url: () => `http://localhost${path}`,
    method: () => method,
    resourceType: () => 'fetch',
    isNavigationRequest: () => false,
    frame: () => ({ url: () => 'http://localhost/console/events' }),
    headers: () => ({ accept, ...(body && { 'content-type': 'application/json' }) }),
    postDataJSON: () => body,
  }) as unknown as Request;

describe('the check that the console asks nothing undocumented', () => {
  it.each([
    ['GET', '/calendar/events/v1/events?search=jazz&page=2', undefined, []],
    ['PATCH', '/calendar/events/v1/events/12', { title: 'Jazz' }, []],
    ['GET', '/calendar/events/v1/secrets', undefined, ['GET /calendar/events/v1/secrets is not documented']],
    ['PURGE', '/calendar/events/v1/events', undefined, ['PURGE /calendar/events/v1/events is not documented']],
    [
      ...['GET', '/calendar/events/v1/events?colour=red', undefined],
      ['colour of GET /calendar/events/v1/events is not documented'],
    ],
    [
      ...['PATCH', '/calendar/events/v1/events/12', { titel: 'Jazz' }],
      ['titel of PATCH /calendar/events/v1/events/12 is not documented'],
    ],
    ['GET', '/console/events', undefined, ['GET /console/events is not documented']],
  ] as [string, string, object | undefined, string[]][])('finds in %s %s %j: %j', (method, path, body, expected) => {
    expect(undocumentedIn(requestOf(method, path, body))).toEqual(expected);
  });

  it('lets it read public pages as visitors do, and nothing else in their place', () => {
    const found = (method: string, path: string, accept = 'text/html') =>
      undocumentedIn(requestOf(method, path, undefined, accept)).length;
    expect([found('GET', '/'), found('GET', '/embed/events/?categories=jazz')]).toEqual([0, 0]);
    expect([found('GET', '/', 'application/json'), found('POST', '/cart/'), found('GET', '/calendar/x')]).toEqual([
      1, 1, 1,
    ]);
  });
});
