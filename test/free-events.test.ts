import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Asking, DATABASES, useTestServer } from './server.ts';
import { effort } from './thoroughness.ts';
import { makeEvent, makeTicket } from './tickets.ts';

const LANGUAGES = ['en', 'fr', 'de'] as const;
/** The word on the pages of each language. */
const WORD = { en: 'Free', fr: 'Gratuit', de: 'Kostenlos' };

/** Costs as organizers write them. */
const written = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '0$',
    '0,00 €',
    'Free',
    'GRATUIT',
    'kostenlos',
    'Free!',
    'Free, gratuit',
    'From 0',
    '10',
    '1.000,00 €',
  ),
  fc.constantFrom(0, 5, true),
  fc.stringMatching(/^[ 0-3.,€$-]{1,6}$/),
);
const cost = fc.oneof(written, fc.array(written, { maxLength: 3 }));
const ticket = fc.record({
  provider: fc.constantFrom('tc', 'rsvp'),
  price: fc.constantFrom('0', '12'),
  status: fc.constantFrom('publish', 'publish', 'draft'),
});
const events = fc.array(fc.record({ cost, tickets: fc.oneof(fc.constant([]), fc.array(ticket, { maxLength: 2 })) }), {
  minLength: effort(200, 60),
  maxLength: effort(200, 60),
});

describe.each(DATABASES)('the free events on %s', (kind) => {
  const server = useTestServer(kind, { languages: [...LANGUAGES] });
  /** The day of the random events; other tests make theirs on other days. */
  const THAT_DAY = { start_date: '2026-12-01', end_date: '2026-12-01' };
  const listed = async (query: Asking['query'], more: Asking = {}) => {
    const { body } = await server().ask('GET /events', { ...more, query: { per_page: 100, ...query } });
    return body.events as { id: number; cost: string; slug: string }[];
  };
  const idsOf = (list: readonly { id: number }[]) => list.map(({ id }) => id);

  beforeAll(async () => {
    const [sample = []] = fc.sample(events, 1);
    for (const one of sample) {
      const id = await makeEvent(server(), {
        cost: one.cost,
        start_date: '2026-12-01 10:00',
        end_date: '2026-12-01 11:00',
      });
      for (const { provider, price, status } of one.tickets)
        await makeTicket(server(), id, { provider, status, ...(provider === 'tc' && { price }) });
    }
  }, 60_000);

  it.each(LANGUAGES)('are those that say so in %s', async (language) => {
    const all: Awaited<ReturnType<typeof listed>> = [];
    for (let page = 1; all.length < effort(200, 60); page += 1)
      all.push(...(await listed({ ...THAT_DAY, page, i18n_language: language, per_page: 50 })));
    const words = Object.values(WORD).map((word) => word.toLowerCase());
    const [free, others] = [true, false].map((isFree) =>
      idsOf(all.filter((event) => words.includes(event.cost.toLowerCase()) === isFree)),
    );
    const found = async (isFree: boolean) => {
      const [first, second, third, fourth] = await Promise.all(
        [1, 2, 3, 4].map((page) =>
          server().ask('GET /events', {
            query: { ...THAT_DAY, free: isFree, page, per_page: 50, i18n_language: language },
          }),
        ),
      );
      return [first, second, third, fourth].flatMap((answer) => idsOf(answer?.body.events ?? []));
    };
    expect(free?.length).toBeGreaterThan(5);
    expect(others?.length).toBeGreaterThan(5);
    expect([await found(true), await found(false)]).toEqual([free, others]);
  });

  it('are those that cards show as free, in the language of the page', async () => {
    const total = (await server().ask('GET /events', { query: { free: true } })).body.total;
    for (const language of LANGUAGES) {
      const prefix = language === 'en' ? '' : `/${language}`;
      const pages = Array.from({ length: Math.ceil(total / 12) }, (_page, index) =>
        index === 0 ? `${prefix}/events/?free=true` : `${prefix}/events/list/page/${index + 1}/?free=true`,
      );
      const texts = await Promise.all(pages.map(async (path) => (await server().request(path)).text()));
      const shown = texts.flatMap((text) => [...text.matchAll(/class="card-price( is-free)?">([^<]+)</g)]);
      expect(shown.map(([, isMarked, word]) => [isMarked, word])).toEqual(
        Array.from({ length: total }, () => [' is-free', WORD[language]]),
      );
    }
  });

  it('are not revealed by the filter if their cost is hidden', async () => {
    const hidden = await makeEvent(server(), { title: 'Secret', cost: 'Free', post_password: 'sesame' });
    const everything = { per_page: 100, start_date: '2027-03-06', end_date: '2027-03-06' };
    expect(idsOf(await listed(everything))).toContain(hidden);
    for (const free of [true, false]) expect(idsOf(await listed({ ...everything, free }))).not.toContain(hidden);
    expect(idsOf(await listed({ ...everything, free: true, password: 'sesame' }))).toContain(hidden);
  });

  it('are found together with other filters, and in the addresses of further pages', async () => {
    const made = await server().make('POST /events', {
      ...{ title: 'Lantern walk', start_date: '2026-12-02 10:00', end_date: '2026-12-02 11:00' },
      ...{ cost: ['0'], venue: { venue: 'Quay' }, categories: ['Walks'] },
    });
    const queries: Asking['query'][] = [
      { search: 'lantern' },
      { venue: made.venue.id },
      { categories: 'walks' },
      { ticketed: false },
    ];
    for (const query of queries) {
      const both = { start_date: '2026-12-02', end_date: '2026-12-02', ...query };
      expect(idsOf(await listed({ ...both, free: true }))).toEqual([made.id]);
      expect(idsOf(await listed({ ...both, free: false }))).toEqual([]);
    }
    const { body } = await server().ask('GET /events', { query: { free: true, per_page: 2 } });
    expect(new URL(body.next_rest_url).searchParams.get('free')).toBe('1');
    await server().ask(`DELETE /events/${made.id}`, { as: 'administrator' });
  });

  it('have a filter that the reference ignores, and that needs a boolean otherwise', async () => {
    const { body } = await server().ask('GET /events', { query: { per_page: 50 } });
    for (const free of ['true', 'maybe']) {
      const answer = await server().ask('GET /events', { prefix: '/wp-json/tribe', query: { free, per_page: 50 } });
      expect([answer.status, answer.body.total]).toEqual([200, body.total]);
      expect(answer.body.rest_url).not.toContain('free');
    }
    const refused = await server().ask('GET /events', { query: { free: 'maybe' } });
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['free']]);
  });

  it('change with their tickets at once', async () => {
    const query = { start_date: '2026-12-03', end_date: '2026-12-03', free: true };
    const id = await makeEvent(server(), { start_date: '2026-12-03 10:00', end_date: '2026-12-03 11:00' });
    expect(idsOf(await listed(query))).toEqual([]);
    await makeTicket(server(), id, { provider: 'rsvp' });
    expect(idsOf(await listed(query))).toEqual([id]);
    await makeTicket(server(), id, { price: '5' });
    expect(idsOf(await listed(query))).toEqual([]);
  });
});
