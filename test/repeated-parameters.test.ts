import { beforeAll, describe, expect, it } from 'vitest';
import { makeSeat } from './attendees.ts';
import { type Asking, DATABASES, useTestServer } from './server.ts';
import { makeEvent } from './tickets.ts';

const TRIBE = '/wp-json/tribe';
const SAFE = ['/calendar', '/wp-json/calendar'];
const ALL = [...SAFE, TRIBE];

describe.each(DATABASES)('a parameter that is sent several times on %s', (kind) => {
  const server = useTestServer(kind);
  const venues: number[] = [];
  let music: number;
  let food: number;
  beforeAll(async () => {
    for (const venue of ['Mill', 'Barn', 'Hall']) venues.push((await server().make('POST /venues', { venue })).id);
    music = (await server().make('POST /categories', { name: 'Music' })).id;
    food = (await server().make('POST /categories', { name: 'Food' })).id;
    const times = { start_date: 'tomorrow 10:00', end_date: 'tomorrow 12:00' };
    await server().make('POST /events', { title: 'Concert', categories: [music], ...times });
    await server().make('POST /events', { title: 'Feast', categories: [food], ...times });
  });

  const titles = async (query: string, prefix: string) => {
    const { body } = await server().ask(`GET /events?${query}`, { prefix });
    return body.events.map(({ title }: { title: string }) => title);
  };

  describe.each(ALL)('that is a single value, under %s,', (prefix) => {
    it.each([
      ['page=1&page=2&per_page=2', [1, 3]],
      ['per_page=50&per_page=1', [1, 3]],
      ['page=9&per_page=9&page=1&per_page=2', [2, 3]],
      ['search=mill&search=barn', [1, 1]],
    ])('has the last value sent: %s', async (query, [shown, total]) => {
      const { body } = await server().ask(`GET /venues?${query}`, { prefix });
      expect([body.venues?.length, body.total]).toEqual([shown, query.includes('search') ? 1 : total]);
    });

    it('is validated by the last value sent', async () => {
      for (const [query, status] of [
        ['page=x&page=1', 200],
        ['page=1&page=x', 400],
        ['page[]=1&page[]=2', 400],
        ['i18n_language=xx&i18n_language=fr', 200],
        ['i18n_language=fr&i18n_language=xx', 400],
        ['_jsonp=1-&_jsonp=ok', 200],
        ['_jsonp=ok&_jsonp=1-', 400],
      ] as const)
        expect([query, (await server().ask(`GET /venues?${query}`, { prefix })).status]).toEqual([query, status]);
    });

    it('has the last value sent in forms', async () => {
      const form = new URLSearchParams('venue=Old&city=Rome&venue=New');
      const urlencoded = await server().ask('POST /venues', { as: 'editor', prefix, form });
      expect(urlencoded.body).toMatchObject({ venue: 'New', city: 'Rome' });
      const parts = new FormData();
      parts.append('city', 'Rome');
      parts.append('city', 'Bern');
      const { id } = urlencoded.body;
      const multipart = await server().ask(`POST /venues/${id}`, { as: 'editor', prefix, form: parts });
      expect(multipart.body.city).toBe('Bern');
      await server().ask(`DELETE /venues/${id}`, { as: 'editor', prefix, query: { force: true } });
    });

    it('counts as one wrong or right password', async () => {
      const id = await makeEvent(server(), { title: 'Secret', post_password: 'sesame', description: 'hidden words' });
      const read = async (query: string) => (await server().ask(`GET /events/${id}?${query}`, { prefix })).text;
      expect(await read('password=wrong&password=sesame')).toContain('hidden words');
      expect(await read('password=sesame&password=wrong')).not.toContain('hidden words');
      await server().ask(`DELETE /events/${id}`, { as: 'editor', query: { force: true } });
    });

    it('overrides the method once', async () => {
      const { ask } = server();
      expect((await ask('GET /venues?_method=DELETE&_method=GET', { prefix })).status).toBe(200);
      const cookie = `marquee-cart=${'a'.repeat(43)}`;
      const checkout = 'purchaser[name]=Ada&purchaser[email]=ada@party.test&_method=GET&_method=POST';
      const answer = await ask(`GET tickets:/cart/checkout?${checkout}`, { prefix, headers: { cookie } });
      expect([answer.status, answer.body.code]).toEqual([403, 'rest_forbidden']);
    });

    it('has the last value inside lists', async () => {
      const ticket = await makeSeat(server(), await makeEvent(server(), { status: 'private' }), 50);
      const item = `provider=tc&tickets[0][ticket_id]=${ticket}&tickets[0][quantity]=1&tickets[0][quantity]=2`;
      const asking: Asking = { as: 'editor', prefix, form: new URLSearchParams(item) };
      const { body } = await server().ask('POST tickets:/cart', asking);
      expect(body.tickets).toMatchObject([{ ticket_id: ticket, quantity: 2 }]);
    });

    it('does not change the identity of a request with an Idempotency-Key', async () => {
      const headers = { 'idempotency-key': `repeated ${prefix}` };
      const send = (form: string) =>
        server().ask('POST /organizers', { as: 'editor', prefix, headers, form: new URLSearchParams(form) });
      const first = await send('organizer=Cy&organizer=Bo');
      expect((await send('organizer=Bo')).text).toBe(first.text);
      expect((await send('organizer=Cy')).status).toBe(422);
    });
  });

  describe('that is a list', () => {
    it.each(ALL)('has all values sent with brackets, under %s', async (prefix) => {
      for (const query of [
        `categories[]=${music}&categories[]=${food}`,
        `categories[0]=${music}&categories[1]=${food}`,
      ])
        expect(await titles(query, prefix)).toEqual(['Concert', 'Feast']);
      expect(await titles(`categories=${music},${food}`, prefix)).toEqual(['Concert', 'Feast']);
    });

    it.each(SAFE)('has all values sent without brackets too, under %s', async (prefix) => {
      expect(await titles(`categories=${music}&categories=${food}`, prefix)).toEqual(['Concert', 'Feast']);
      expect(await titles('categories=music&categories=food&categories=music', prefix)).toEqual(['Concert', 'Feast']);
      const { body } = await server().ask('GET /venues?_fields=total&_fields=total_pages', { prefix });
      expect(body).toEqual({ total: 3, total_pages: 1 });
    });

    it('has the last value sent under /wp-json/tribe', async () => {
      expect(await titles(`categories=${music}&categories=${food}`, TRIBE)).toEqual(['Feast']);
      expect(await titles(`categories=${food}&categories=${music}`, TRIBE)).toEqual(['Concert']);
      const { body } = await server().ask('GET /venues?_fields=total&_fields=total_pages', { prefix: TRIBE });
      expect(body).toEqual({ total_pages: 1 });
    });

    it.each([
      ['/calendar', ['a', 'b'], [0, 1]],
      [TRIBE, ['b'], [1]],
    ])('is read in the same way in forms of %s', async (prefix, tags, linked) => {
      const form = 'title=Form&start_date=tomorrow&end_date=tomorrow&tags=a&tags=b';
      const sent = new URLSearchParams(`${form}&venue=${venues[0]}&venue=${venues[1]}`);
      const parts = new FormData();
      for (const [name, value] of sent) parts.append(name, value);
      for (const body of [sent, parts]) {
        const made = await server().ask('POST /events', { as: 'editor', prefix, form: body });
        const names = made.body.tags.map(({ name }: { name: string }) => name);
        expect(names).toEqual(tags);
        const ids = [made.body.venue].flat().map(({ id }: { id: number }) => id);
        expect(ids).toEqual(linked.map((index) => venues[index]));
        await server().ask(`DELETE /events/${made.body.id}`, { as: 'editor', query: { force: true } });
      }
    });

    it('reveals no more than its single values would', async () => {
      const status = async (query: string, prefix?: string) =>
        (await server().ask(`GET /events?${query}`, { prefix })).status;
      expect(await status('status=publish&status=private')).toBe(400);
      expect(await status('status=private&status=publish')).toBe(400);
      expect(await status('status=private&status=publish', TRIBE)).toBe(200);
      expect(await status('status=publish&status=private', TRIBE)).toBe(400);
    });

    it('is refused when it is too long', async () => {
      const query = Array.from({ length: 1001 }, (_item, index) => `include=${index + 1}`).join('&');
      const { status, body } = await server().ask(`GET /events?${query}`);
      expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
    });
  });
});
