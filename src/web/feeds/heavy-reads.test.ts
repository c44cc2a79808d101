import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type TestListener } from '../../../test/listen.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';

const FEED = '/calendar/events/v1/events.ics';
const NETWORK = '198.51.100.7';
const HTML = { accept: 'text/html' };

describe.each(DATABASES)('an expensive response on %s', (kind) => {
  const server = useTestServer(kind, { siteName: `Long ${kind}` });
  let slugs: string[];

  beforeAll(async () => {
    const path = '/calendar/events/v1/events';
    const tags = Object.entries({ many: 101, some: 100, others: 100 });
    const bodies = tags
      .flatMap(([tag, count]) => Array.from({ length: count }, () => tag))
      .map((tag, number) => {
        const day = `2027-03-${String(1 + (number % 28)).padStart(2, '0')}`;
        return { title: `Event ${number}`, tags: [tag], start_date: `${day} 18:30`, end_date: `${day} 21:00` };
      });
    slugs = [];
    while (bodies.length > 0) {
      const calls = bodies.splice(0, 100).map((body) => ({ method: 'POST', path, body }));
      const { results } = await server().make('POST admin:/batch', { calls });
      slugs.push(...results.map(({ body }: { body: { slug: string } }) => body.slug));
    }
  });

  const read = (path: string, init: RequestInit = {}, from = NETWORK) => server().request(path, init, from);
  const statusesOf = async (...paths: string[]) => {
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await read(path, { headers: HTML })).status);
    return statuses;
  };

  it('is made for a network a limited number of times a minute', async () => {
    server().restart({ heavyReads: 2 });
    for (const search of ['?tags=many', '?tags=many&cancelled=title']) {
      const { status, headers } = await read(`${FEED}${search}`);
      expect([status, headers.get('ratelimit-limit')]).toEqual([200, null]);
      expect(headers.get('cache-control')).toBe('public, max-age=300, s-maxage=10');
    }
    const { status, headers, body } = await server().ask('GET /events.ics', { from: NETWORK });
    expect([status, body.code, headers.get('cache-control')]).toEqual([429, 'too-many-requests', 'private, no-cache']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await read(FEED, { method: 'HEAD' })).status).toBe(429);
    for (const path of ['/events/ical/', '/tag/many/ical/', '/events/month/2027-03/ical/']) {
      const page = await read(path, { headers: HTML });
      expect([path, page.status, Number(page.headers.get('retry-after')) > 0]).toEqual([path, 429, true]);
    }
    expect((await read(FEED, {}, '198.51.100.8')).status).toBe(200);
    expect((await server().ask('GET /events.ics', { from: NETWORK, as: 'subscriber' })).status).toBe(200);
  });

  it('is not a short calendar, news, a list or a page', async () => {
    server().restart({ heavyReads: 1 });
    const light = [`${FEED}?tags=some`, '/tag/some/ical/', '/events/feed/', '/calendar/events/v1/events?per_page=100'];
    const others = ['/events/', '/events/month/2027-03/', '/calendar/events/v1/events.feed.json'];
    expect(await statusesOf(...light, ...others, ...light)).toEqual(Array.from({ length: 11 }, () => 200));
    expect(await statusesOf(`${FEED}?tags=many`, `${FEED}?tags=many`)).toEqual([200, 429]);
  });

  it('counts by its length, but is possible under any limit', async () => {
    server().restart({ heavyReads: 3 });
    expect(await statusesOf(FEED, `${FEED}?tags=many`, `${FEED}?tags=many`)).toEqual([200, 200, 429]);
    server().restart({ heavyReads: 1 });
    expect(await statusesOf(FEED, FEED)).toEqual([200, 429]);
    server().restart({ heavyReads: 0 });
    expect(await statusesOf(FEED, FEED, FEED)).toEqual([200, 200, 200]);
  });

  it('is also a drawn picture, once for each day', async () => {
    server().restart({ heavyReads: 1 });
    const [first, second] = slugs.map((slug) => `/event/${slug}/picture.png`);
    expect(await statusesOf(`${first}`, `${first}?v=1`, `/fr${first}`, `${second}`)).toEqual([200, 200, 200, 429]);
  });

  describe('on a socket', () => {
    let listening: TestListener;
    beforeAll(async () => {
      server().restart({});
      listening = await listen(server().context, { heavyReads: 2 });
    });
    afterAll(() => listening.close());

    it('costs nothing while it is cached', async () => {
      const ask = async (path: string) => {
        const answer = await listening.say(`GET ${path} HTTP/1.1`, 'Host: a.test', 'Connection: close', '', '');
        return answer.slice(9, 12);
      };
      const path = `${FEED}?tags=many`;
      for (let time = 0; time < 10; time += 1) expect(await ask(path)).toBe('200');
      expect(await ask(`${path}&cancelled=title`)).toBe('429');
      expect(await ask(path)).toBe('200');
    });
  });
});
