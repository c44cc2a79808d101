import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from './client.ts';
import {
  type ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
  UnexpectedAnswerError,
} from './errors.ts';
import type { ClientOptions } from './options.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

/** Outcome of an attempt: a response, or a connection error. */
type Step = [status: number, headers?: Record<string, string>, body?: unknown] | Error;

interface Sent {
  method: string;
  url: URL;
  headers: Headers;
  body: unknown;
  redirect: unknown;
}

/** A client whose attempts have these outcomes, with what it sent and how long it waited. */
function clientOf(steps: Step[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const marquee = createClient({
    url: 'https://calendar.test/site/',
    fetch: async (url, init) => {
      sent.push({
        method: String(init?.method),
        url: new URL(String(url)),
        headers: new Headers(init?.headers),
        body: init?.body,
        redirect: init?.redirect,
      });
      const step = steps.shift() ?? [200];
      if (step instanceof Error) throw step;
      const [status, headers, body = {}] = step;
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
    },
    clock: { now: () => NOON, sleep: async (milliseconds) => void waits.push(milliseconds) },
    random: () => 0.5,
    ...options,
  });
  return { marquee, sent, waits };
}

const lost = new TypeError('fetch failed');
const failing = (count: number): Step[] => Array.from({ length: count }, () => lost);
const inProgress = { code: 'request-in-progress', message: 'Later.', data: { status: 409 } };

describe('a read', () => {
  it.each<[string, Step[], number[]]>([
    ['503, as long as it asks to wait', [[503, { 'retry-after': '2' }]], [2125]],
    ['429, until the time that it names', [[429, { 'retry-after': 'Sat, 21 Nov 2026 12:00:10 GMT' }]], [10_125]],
    ['503 without a time, later each time', [[503], [503], [503]], [375, 750, 1500]],
    [
      '502 and 504 of a proxy',
      [
        [502, {}, '<html>'],
        [504, {}, '<html>'],
      ],
      [375, 750],
    ],
    ['lost connections', [lost, lost], [375, 750]],
  ])('is sent again after %s', async (_name, steps, expected) => {
    const { marquee, waits } = clientOf([...steps, [200, {}, { id: 5 }]]);
    expect(await marquee.events.read(5)).toEqual({ id: 5 });
    expect(waits).toEqual(expected);
  });

  it.each<[string, Step[], new (...given: never[]) => Error, number]>([
    ['after three retries', failing(9), ConnectionError, 4],
    ['when it has to wait too long', [[429, { 'retry-after': '900' }]], TooManyRequestsError, 1],
    ['after an error of the server', [[500, {}, { code: 'internal' }]], ServerError, 1],
    ['after a refusal', [[404, {}, { code: 'rest-event-not-found' }]], NotFoundError, 1],
  ])('is given up %s', async (_name, steps, error, tries) => {
    const { marquee, sent } = clientOf(steps);
    await expect(marquee.events.read(5)).rejects.toThrow(error);
    expect(sent).toHaveLength(tries);
  });

  it('is sent only once on request', async () => {
    const { marquee, sent } = clientOf(failing(9), { retries: 0 });
    await expect(marquee.events.list()).rejects.toThrow(ConnectionError);
    expect(sent).toHaveLength(1);
  });
});

describe('a write', () => {
  const venue = { venue: 'Harbour Hall' };

  it.each<[string, Step]>([
    ['lost', lost],
    ['answered 503', [503, { 'retry-after': '1' }]],
    ['answered 429', [429, { 'retry-after': '1' }]],
  ])('without an idempotency key is never sent again when it is %s', async (_name, step) => {
    for (const write of ['create', 'update', 'delete'] as const) {
      const { marquee, sent } = clientOf([step]);
      const done = {
        create: () => marquee.venues.create(venue),
        update: () => marquee.venues.update(5, venue),
        delete: () => marquee.venues.delete(5),
      }[write]();
      await expect(done).rejects.toThrow();
      expect(sent).toHaveLength(1);
    }
  });

  it('with an idempotency key is sent again unchanged, also while the first attempt is in progress', async () => {
    const { marquee, sent, waits } = clientOf([lost, [409, { 'retry-after': '5' }, inProgress], [201, {}, { id: 5 }]]);
    expect(await marquee.venues.create(venue, { idempotencyKey: 'once' })).toEqual({ id: 5 });
    expect(sent.map(({ body, headers }) => [body, headers.get('idempotency-key')])).toEqual(
      Array(3).fill(['{"venue":"Harbour Hall"}', 'once']),
    );
    expect(waits).toEqual([375, 5250]);
  });

  it('with an idempotency key is not sent again after a final refusal', async () => {
    const soldOut = { code: 'ticket-capacity-not-available', message: 'Sold out.', data: { status: 409 } };
    const { marquee, sent } = clientOf([[409, {}, soldOut]]);
    await expect(marquee.cart().save({}, { idempotencyKey: 'once' })).rejects.toThrow(ConflictError);
    expect(sent).toHaveLength(1);
  });

  it('gets a key from the client, which all its attempts share', async () => {
    let count = 0;
    const { marquee, sent } = clientOf([lost, [201], [201], [200]], { idempotencyKey: () => `key-${++count}` });
    await marquee.venues.create(venue);
    await marquee.venues.create(venue);
    await marquee.venues.list();
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key-1', 'key-1', 'key-2', null]);
  });

  it('of a ticket sends the same one-time token for the same key', async () => {
    const { marquee, sent } = clientOf([[201, {}, { nonce: 'abc' }], [202]]);
    await marquee.tickets.update(7, { post_id: 5, price: '20' }, { idempotencyKey: 'once' });
    expect(
      sent.map(({ method, url, body, headers }) => [method, url.pathname, body, headers.get('idempotency-key')]),
    ).toEqual([
      ['POST', '/site/calendar/tickets/v1/nonces', '{"action":"edit_ticket_nonce","post_id":5}', 'once'],
      ['PATCH', '/site/calendar/tickets/v1/tickets/7', '{"post_id":5,"price":"20","edit_ticket_nonce":"abc"}', 'once'],
    ]);
  });
});

describe('a request', () => {
  it('has its parameters in path, query and body', async () => {
    const { marquee, sent } = clientOf([], { prefix: '/wp-json/tribe', language: 'fr' });
    await marquee.events.list({ search: 'a & b', featured: true, venue: [1, 2], page: undefined });
    await marquee.events.readBySlug('été/hiver', { password: 'p' }, { language: 'en' });
    await marquee.media.upload({ file: new Blob(['x']) });
    expect(sent.map(({ url }) => url.pathname + url.search)).toEqual([
      '/site/wp-json/tribe/events/v1/events?search=a+%26+b&featured=true&venue%5B%5D=1&venue%5B%5D=2&i18n_language=fr',
      '/site/wp-json/tribe/events/v1/events/by-slug/%C3%A9t%C3%A9%2Fhiver?password=p&i18n_language=en',
      '/site/wp-json/tribe/admin/v1/media?i18n_language=fr',
    ]);
    expect(sent[2]?.body).toBeInstanceOf(FormData);
    expect(sent.map(({ headers }) => headers.get('content-type'))).toEqual([null, null, null]);
  });

  it.each(['/admin/v1/me/second-factor', '/admin/v1/users/{id}/second-factor'] as const)(
    'keeps what confirms a removal out of its address: DELETE %s',
    async (path) => {
      const { marquee, sent } = clientOf([]);
      await marquee.call(`DELETE ${path}`, { id: 3, password: 'secret' });
      expect(sent[0]?.url.href).not.toContain('secret');
      expect(JSON.parse(String(sent[0]?.body))).toMatchObject({ password: 'secret' });
    },
  );

  it.each(['', '.', '..'])('cannot leave its path by the slug "%s"', async (slug) => {
    const { marquee, sent } = clientOf([]);
    await expect(marquee.events.readBySlug(slug)).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });

  it.each([
    [{ username: 'zoé', password: 'a:b' }, `Basic ${Buffer.from('zoé:a:b').toString('base64')}`],
    [{ token: 'mrq_1' }, 'Bearer mrq_1'],
  ])('has the credentials %o', async (credentials, authorization) => {
    const { marquee, sent } = clientOf([], { credentials, checkInKey: 'k' });
    await marquee.call('GET /admin/v1/me');
    expect(sent[0]?.headers.get('authorization')).toBe(authorization);
    expect(sent[0]?.headers.get('x-api-key')).toBe('k');
  });
});

describe('a list', () => {
  const page = (number: number, items: string[], link?: string): Step => [
    200,
    {},
    {
      events: items.map((title) => ({ title })),
      total: 4,
      total_pages: 2,
      ...(link && { next_rest_url: link }),
      number,
    },
  ];

  it('is read by its links, from the same server', async () => {
    const link = 'https://elsewhere.test/events/?page=2&per_page=2&start_date=2026-11-21%2000%3A00%3A00&search=x';
    const { marquee, sent } = clientOf([page(1, ['a', 'b'], link), page(2, ['c', 'd'])]);
    const titles: string[] = [];
    for await (const { title } of marquee.events.all({ search: 'x', per_page: 2, password: 'p' })) titles.push(title);
    expect(titles).toEqual(['a', 'b', 'c', 'd']);
    expect(sent.map(({ url }) => url.href)).toEqual([
      'https://calendar.test/site/calendar/events/v1/events?per_page=2&search=x&password=p',
      'https://calendar.test/site/calendar/events/v1/events?per_page=2&search=x&password=p&page=2&start_date=2026-11-21+00%3A00%3A00',
    ]);
  });

  it('is requested no further than it is read', async () => {
    const { marquee, sent } = clientOf([page(1, ['a', 'b']), page(2, ['c'])]);
    for await (const { title } of marquee.events.all()) if (title === 'b') break;
    expect(sent).toHaveLength(1);
  });

  it('ends early if it became shorter meanwhile', async () => {
    const gone: Step = [404, {}, { code: 'event-archive-page-not-found' }];
    const { marquee } = clientOf([page(1, ['a']), gone]);
    const pages = [];
    for await (const { events } of marquee.events.pages()) pages.push(events);
    expect(pages).toHaveLength(1);
  });
});

describe('a cart', () => {
  it('keeps its token to itself', async () => {
    const { marquee, sent } = clientOf([
      [200, { 'x-cart-token': 'one' }],
      [200, { 'x-cart-token': 'two' }],
      [200],
      [200],
    ]);
    const [first, second] = [marquee.cart(), marquee.cart()];
    await first.save({});
    await second.save({});
    await first.read();
    await marquee.cart('three').read();
    expect([first.token, second.token]).toEqual(['one', 'two']);
    expect(sent.map(({ headers }) => headers.get('x-cart-token'))).toEqual([null, null, 'one', 'three']);
  });
});

describe('an error', () => {
  it.each<[number, new (...given: never[]) => ApiError]>([
    [400, InvalidRequestError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [409, ConflictError],
    [410, NotFoundError],
    [412, ConflictError],
    [413, InvalidRequestError],
    [422, InvalidRequestError],
    [429, TooManyRequestsError],
    [500, ServerError],
  ])('of the status %d has its class', async (status, expected) => {
    const body = { code: 'some-code', message: 'Said in words.', data: { status, available: 3 } };
    const { marquee } = clientOf([[status, { 'x-request-id': 'r1', 'retry-after': '60' }, body]]);
    const error = await marquee.events.read(5).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(expected);
    expect(error).toMatchObject({
      name: expected.name,
      message: 'Said in words.',
      status,
      code: 'some-code',
      requestId: 'r1',
      retryAfter: 60,
      data: { status, available: 3 },
      request: { method: 'GET', path: '/site/calendar/events/v1/events/5' },
    });
  });

  it.each([
    [{ code: 'x', message: 'Bad.', data: { params: { page: 'Too small.' } } }, { page: 'Too small.' }],
    [{ code: 'x', message: 'Missing.', data: { params: ['title'] } }, { title: 'Missing.' }],
    [{ code: 'x', message: 'Odd.', data: { status: 400 } }, {}],
  ])('says what is wrong with each parameter: %j', async (body, params) => {
    const { marquee } = clientOf([[400, {}, body]]);
    await expect(marquee.events.list()).rejects.toMatchObject({ params });
  });

  it('of a scan has the reason as its code', async () => {
    const body = { msg: 'Ada is already in.', error: 'attendee_already_checked_in', attendee: { id: 3 } };
    const { marquee } = clientOf([[403, {}, body]]);
    await expect(marquee.qr.checkIn({ ticket_id: 3, security_code: 'x' })).rejects.toMatchObject({
      name: 'PermissionError',
      message: 'Ada is already in.',
      code: 'attendee_already_checked_in',
      data: { attendee: { id: 3 } },
    });
  });

  it.each<[string, Step]>([
    ['a redirect', [308, { location: 'https://elsewhere.test/' }]],
    ['a page', [200, {}, '<!doctype html>']],
  ])('reports %s instead of following it', async (_name, step) => {
    const { marquee, sent } = clientOf([step]);
    await expect(marquee.events.list()).rejects.toThrow(UnexpectedAnswerError);
    expect(sent).toMatchObject([{ redirect: 'manual' }]);
  });
});

describe('secrets', () => {
  const SECRETS = ['s3cret', Buffer.from('anna:s3cret-password').toString('base64')];
  const options = {
    credentials: { username: 'anna', password: 's3cret-password' },
    checkInKey: 's3cret-key',
  };
  const refusal = { code: 'x', message: 'No.', data: { status: 403, attendee: { security_code: 's3cret-code' } } };

  it.each<[string, Step]>([
    ['a lost connection', lost],
    ['a refusal', [403, {}, refusal]],
    ['a page', [500, {}, '<p>s3cret-key']],
    ['a redirect', [302, { location: 'https://elsewhere.test/?s3cret' }]],
  ])('are not in the error of %s', async (_name, step) => {
    const { marquee } = clientOf([step, step, step], { ...options, retries: 0 });
    const purchaser = { name: 's3cret', email: 's3cret@post.test' };
    const calls = [
      marquee.events.read(5, { password: 's3cret-word' }),
      marquee.qr.checkIn({ ticket_id: 3, security_code: 's3cret-code' }, { idempotencyKey: 's3cret-once' }),
      marquee.cart('s3cret-cart').checkout({ purchaser }),
    ];
    for (const { status, reason } of await Promise.allSettled(calls).then((all) => all as PromiseRejectedResult[])) {
      expect(status).toBe('rejected');
      const text = `${inspect(reason, { depth: 9 })} ${JSON.stringify(reason)}`;
      expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  it.each<[string, Partial<ClientOptions>]>([
    ['a token', { credentials: { token: 's3cret\nx' } }],
    ['a key', { checkInKey: 's3cret\u0000' }],
    ['a username', { credentials: { username: 's3cret:', password: 's3cret' } }],
    ['an address', { url: 'https://anna:s3cret@calendar.test' }],
    ['no address', { url: '//s3cret' }],
    ['another protocol', { url: 'ftp://s3cret@calendar.test' }],
  ])('are not in the error of %s that cannot be used', (_name, wrong) => {
    const make = () => createClient({ url: 'https://calendar.test', ...wrong });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(expect.not.objectContaining({ message: expect.stringContaining('s3cret') }));
  });

  it('are not shown with a client', () => {
    const { marquee } = clientOf([], options);
    expect(inspect([marquee, marquee.cart()], { depth: 9 })).not.toContain('s3cret');
  });
});

describe('time', () => {
  afterEach(() => void vi.useRealTimers());

  /** Never responds, and rejects like the platform when its signal is aborted. */
  const silent: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });

  it('of an attempt is limited', async () => {
    vi.useFakeTimers();
    const { marquee } = clientOf([], { fetch: silent, timeout: 5000, retries: 1 });
    const failed = expect(marquee.events.list()).rejects.toThrow(TimeoutError);
    await vi.advanceTimersByTimeAsync(10_000);
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with the signal of its call while it waits for a response', async () => {
    const controller = new AbortController();
    const { marquee } = clientOf([], { fetch: silent });
    const failed = expect(marquee.events.delete(5, {}, { signal: controller.signal })).rejects.toBe('enough');
    controller.abort('enough');
    await failed;
  });

  it('ends with the signal of its call while it waits to retry', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const { marquee, sent } = clientOf(failing(9), { clock: undefined });
    const failed = expect(marquee.events.list({}, { signal: controller.signal })).rejects.toBe('enough');
    await vi.advanceTimersByTimeAsync(100);
    controller.abort('enough');
    await failed;
    expect([sent.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('is not spent on waiting if the call was aborted as the response arrived', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const onResponse = () => controller.abort('enough');
    const { marquee } = clientOf([[503]], { clock: undefined, onResponse });
    await expect(marquee.events.list({}, { signal: controller.signal })).rejects.toBe('enough');
  });

  it('leaves no listeners on a signal that is used for many calls', async () => {
    vi.useFakeTimers();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const { marquee } = clientOf([lost, [200]], { clock: undefined });
    const done = marquee.events.list({}, { signal });
    await vi.advanceTimersByTimeAsync(1000);
    await done;
    const listeners = added.mock.calls.map(([, listener]) => listener);
    expect(listeners).toHaveLength(3);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(listeners);
  });

  it('is not spent on a call that was aborted before', async () => {
    const { marquee, sent } = clientOf([]);
    await expect(marquee.events.list({}, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
    expect(sent).toEqual([]);
  });
});
