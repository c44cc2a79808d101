import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/commands.ts';
import { type TestServer, useTestServer } from '../../../test/server.ts';
import { effort, usualDatabases } from '../../../test/thoroughness.ts';
import { findWrongCounters } from '../../jobs/recount.ts';
import { findBookErrors } from '../../ticketing/books/check-books.ts';
import { demoCommand } from './demo.ts';

async function run(server: TestServer, ...args: string[]) {
  const { status, out, errors } = await runCommand(demoCommand, server.context, args);
  return { status, out: out.join('\n'), errors: errors.join('\n') };
}

/** Milliseconds: drawing the posters keeps several cores busy. */
const timeout = 120_000;

/** Drawing the posters of the full programme would take most of the time of these tests. */
const CALLS = { sqlite: effort<readonly string[]>([], ['--events=64']), postgres: ['--events=20'] };

describe.each(usualDatabases)('marquee demo on %s', { timeout }, (kind) => {
  const server = useTestServer(kind);

  it('explains itself', async () => {
    const { status, out } = await run(server(), '--help');
    expect(status).toBe(0);
    expect(out).toContain('Usage: marquee demo [--events NUMBER] [--seed NUMBER]');
  });

  it.each([
    ['--events', 'many'],
    ['--seed', '-1.5'],
  ])('refuses %s %s and writes nothing', async (...args) => {
    expect((await run(server(), args.join('='))).status).toBe(1);
    expect((await server().ask('GET /venues')).body.total).toBe(0);
  });

  it('fills an empty calendar', async () => {
    const { status, out, errors } = await run(server(), ...CALLS[kind]);
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    const [, count, tickets, orders, attendees, checkIns] =
      /^(\d+) events, 25 venues, 20 organizers, 22 categories, \d+ tags, \d+ images, (\d+) tickets, (\d+) orders, (\d+) attendees, (\d+) check-ins\n/.exec(
        out,
      ) ?? [];
    expect(out).toContain('/calendar/events/v1/events?per_page=20');

    const query = { status: 'any', per_page: 100, starts_after: '2000-01-01' };
    const all = await server().ask('GET /events', { as: 'administrator', query });
    expect(all.body.total).toBe(Number(count));
    const events: Record<string, unknown>[] = all.body.events;
    expect(new Set(events.map(({ author }) => author))).toEqual(new Set([String(server().userId('administrator'))]));
    const withPoster = events.find(({ image }) => image) as { image: { url: string; sizes: object } };
    expect(Object.keys(withPoster.image.sizes)).toContain('medium_large');
    const poster = await server().request(new URL(withPoster.image.url).pathname);
    expect(poster.headers.get('content-type')).toBe('image/jpeg');
    const tree = await server().ask('GET /categories', { query: { hide_empty: false, search: 'Jazz' } });
    expect(tree.body.categories[0].parent).toBeGreaterThan(0);

    const asked = { as: 'administrator' as const, query: { per_page: 1 } };
    expect((await server().ask('GET tickets:/tickets', asked)).body.total).toBe(Number(tickets));
    expect((await server().ask('GET admin:/orders', asked)).body.total).toBe(Number(orders));
    // Attendees of refunded orders are archived.
    const people = { as: 'administrator' as const, query: { per_page: 1, status: 'publish,trash' } };
    expect((await server().ask('GET tickets:/attendees', people)).body.total).toBe(Number(attendees));
    const inside = { as: 'administrator' as const, query: { per_page: 1, checkedin: true } };
    expect((await server().ask('GET tickets:/attendees', inside)).body.total).toBe(Number(checkIns));
  });

  it('has a weekly series in a programme of some size, within the number of events', async () => {
    const { series } = (await server().ask('GET /series', { query: { i18n_language: 'fr' } })).body;
    const titles = series.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(kind === 'sqlite' ? ['Tai-chi au bord de la rivière'] : []);
    const query = { search: 'rivière', i18n_language: 'fr', per_page: 50, ends_after: 'now' };
    const { events } = (await server().ask('GET /events', { query })).body;
    const dates = events.filter(({ title }: { title: string }) => titles.includes(title));
    expect(dates.map(({ cost }: { cost: string }) => cost)).toEqual(
      titles.flatMap(() => Array.from({ length: 16 }, () => 'Free')),
    );
  });

  it('creates records in both languages of the city', async () => {
    const titlesIn = async (language: string) => {
      const query = { status: 'any', per_page: 100, starts_after: '2000-01-01', i18n_language: language };
      const titles = new Map<number, string>();
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const { body } = await server().ask('GET /events', { as: 'administrator', query: { ...query, page } });
        for (const { id, title } of body.events) titles.set(id, title);
        pages = body.total_pages;
      }
      return titles;
    };
    const [english, french] = [await titlesIn('en'), await titlesIn('fr')];
    expect(french.size).toBe(english.size);
    const all = [...french];
    const translated = all.filter(([id, title]) => title !== english.get(id));
    expect(translated.length).toBeGreaterThan(all.length / 2);
    expect(translated.length).toBeLessThan(all.length);
    expect([...all, ...english].filter(([, title]) => title.trim() === '')).toEqual([]);

    const asked = { query: { i18n_language: 'fr', per_page: 100, hide_empty: false } };
    const { categories } = (await server().ask('GET /categories', asked)).body;
    const names = categories.map(({ name }: { name: string }) => name);
    expect(names).toContain('Expositions');
    expect(names).toContain('Théâtre');
    const { venues } = (await server().ask('GET /venues', asked)).body;
    const byName = new Map<string, string>(
      venues.map(({ venue, description }: Record<string, string>) => [venue, description]),
    );
    expect(byName.get('Palais de glace de Coverdale')).toContain('locale\u00a0: il y a une cantine');
    expect(byName.get('Halle Saint-Anselme')).toContain('Marché couvert');
    expect(byName.has('The Rusty Kettle')).toBe(true);
  });

  it('gives every published record a page, and events one in each language', async () => {
    const query = { per_page: 100, starts_after: '2000-01-01', hide_empty: false };
    const addresses: string[] = [];
    for (const kind of ['events', 'venues', 'organizers', 'categories', 'tags'])
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const { body } = await server().ask(`GET /${kind}`, { query: { ...query, page } });
        const paths: string[] = body[kind].map(({ url }: { url: string }) => new URL(url).pathname);
        addresses.push(...paths, ...(kind === 'events' ? paths.map((path) => `/fr${path}`) : []));
        pages = body.total_pages;
      }
    const failed: [string, number][] = [];
    for (const address of addresses) {
      const { status } = await server().request(address, { headers: { accept: 'text/html' }, redirect: 'manual' });
      if (status !== 200) failed.push([address, status]);
    }
    expect(failed).toEqual([]);
    expect(addresses.length).toBeGreaterThan(100);
  });

  it('gives the site a name, texts, colours and payment methods, which then stay', async () => {
    const site = (await server().ask('GET admin:/site', { query: { i18n_language: 'fr' } })).body;
    expect(site.colors.sign).toBe('#0c2f3a');
    expect(site.tagline).toContain('au gré de la rivière');
    expect(site.payment_ways.map(({ id }: { id: string }) => id)).toEqual(['door', 'transfer']);
    expect(site.payment_ways[1].text).toContain('le numéro de votre commande');
    for (const path of ['/about/', '/terms/', '/privacy/'])
      expect([path, (await server().request(path)).status]).toEqual([path, 200]);
  });

  it('never sells more seats than exist', async () => {
    expect(await findWrongCounters(server().context.db)).toEqual([]);
    expect(await findBookErrors(server().context.db)).toEqual([]);
    const tickets = await server().context.db.query.selectFrom('tickets').selectAll().execute();
    expect(tickets.filter(({ capacity, sold }) => capacity !== null && sold > capacity)).toEqual([]);
  });

  it('changes nothing in a calendar that is not empty', async () => {
    const { status, errors } = await run(server());
    expect(status).toBe(1);
    expect(errors).toBe('The calendar is not empty; the demonstration only fills one that is.');
    expect((await server().ask('GET /venues')).body.total).toBe(25);
  });
});

describe('marquee demo', () => {
  const server = useTestServer('sqlite');

  it('refuses a calendar with a single tag', async () => {
    await server().make('POST /tags', { name: 'jazz' });
    expect((await run(server())).status).toBe(1);
    expect((await server().ask('GET /venues')).body.total).toBe(0);
  });
});
