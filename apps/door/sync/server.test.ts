import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../packages/client/src/marquee-client.ts';
import { failureOf, waitAfter } from './server.ts';

describe('a request that failed', () => {
  it.each([
    [401, 'rest_forbidden', 'revoked'],
    [401, 'http_401', 'offline'],
    [404, 'http_404', 'offline'],
    [400, 'rest_invalid_param', 'refused'],
    [409, 'edit-conflict', 'refused'],
    [429, 'rate-limit', 'busy'],
    [429, 'too-many-mails', 'refused'],
    [503, 'overloaded', 'busy'],
  ])('with %i %s is %s', (status, code, failure) => {
    const answer = { status, code, message: '', data: {}, requestId: undefined, retryAfter: undefined };
    expect(failureOf(new ApiError(answer, { method: 'POST', path: '/door/sales' }))).toBe(failure);
  });

  it('without a response is offline', () => {
    expect(failureOf(new TypeError('fetch failed'))).toBe('offline');
  });
});

describe('the wait after failures', () => {
  it.each([
    [1, undefined, 500, 1000],
    [2, undefined, 1000, 2000],
    [5, undefined, 8000, 16_000],
    [50, undefined, 30_000, 60_000],
    [1, 30, 30_000, 30_000],
    [50, 1, 30_000, 60_000],
  ])('%i in a row, asked for %s s, is between %i and %i ms', (failures, asked, least, most) => {
    expect(waitAfter(failures, asked, () => 0)).toBe(least);
    expect(waitAfter(failures, asked, () => 1)).toBe(most);
  });
});
