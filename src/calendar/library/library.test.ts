import { describe, expect, it } from 'vitest';
import { png, upload } from '../../../test/fixtures.ts';
import { type Answer, type Asking, BOTH_DATABASES, useTestServer } from '../../../test/server.ts';
import { makeTicket } from '../../../test/tickets.ts';

const SOON = { start_date: '2027-03-01 09:00', end_date: '2027-03-01 11:00' };
const PAST = { start_date: '2026-03-01 09:00', end_date: '2026-03-01 11:00' };

describe.each(BOTH_DATABASES)('the library of the console on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  const ask = (call: string, asking: Asking = {}) => server().ask(call, { as: 'editor', ...asking });
  const make = (call: string, body: object, as?: Asking['as']): Promise<Answer['body']> =>
    server().make(`POST ${call}`, body, as);

  it('lists count the events that the viewer may see, sort by them and are searched in all languages', async () => {
    const [mill, mole, mule] = [
      await make('/venues', { venue: 'Mill' }),
      await make('/venues', { venue: 'Mole', city: 'Bern' }),
      await make('/venues', { venue: 'Mule' }),
    ];
    await ask(`PATCH /venues/${mill.id}`, { query: { i18n_language: 'fr' }, body: { venue: 'Moulin à eau' } });
    const jazz = await make('/categories', { name: 'Jazz' });
    await make('/events', { title: 'A', ...SOON, venue: mule.id, categories: [jazz.id] });
    await make('/events', { title: 'B', ...PAST, venue: mule.id, status: 'draft' });
    await make('/events', { title: 'C', ...SOON, venue: mule.id, post_password: 'sesame' });
    await make('/events', { title: 'D', ...PAST, venue: mole.id });
    const list = async (plural: string, query: Asking['query'] = {}, as: Asking['as'] = 'editor') => {
      const { body } = await ask(`GET admin:/${plural}`, { query, as });
      const name = plural === 'venues' ? 'venue' : 'category';
      return body[plural].map(
        (one: Answer['body']) => `${one[name][name] ?? one[name].name} ${one.events} ${one.upcoming}`,
      );
    };
    expect(await list('venues')).toEqual(['Mill 0 0', 'Mole 1 0', 'Mule 3 2']);
    expect(await list('venues', {}, 'author')).toEqual(['Mill 0 0', 'Mole 1 0', 'Mule 1 1']);
    expect(await list('venues', { orderby: 'events' })).toEqual(['Mule 3 2', 'Mole 1 0', 'Mill 0 0']);
    expect(await list('venues', { orderby: 'upcoming', order: 'asc', per_page: 1, page: 3 })).toEqual(['Mule 3 2']);
    expect(await list('venues', { search: 'eau moulin' })).toEqual(['Mill 0 0']);
    expect(await list('venues', { search: 'bern' })).toEqual(['Mole 1 0']);
    expect(await list('categories', { orderby: 'events' })).toEqual(['Jazz 1 1']);
    expect((await ask('GET admin:/venues', { query: { status: 'publish' } })).body).toMatchObject({
      total: 3,
      total_pages: 1,
    });
  });

  it('probable duplicates of a kind are found among the records that the viewer may see', async () => {
    const mill = await make('/venues', {
      venue: 'Café Mill',
      address: 'Way 1',
      city: 'Bern',
      geo_lat: 46.95,
      geo_lng: 7.44,
    });
    const cafe = await make('/venues', { venue: 'CAFE  mill', address: 'way 1', city: 'BERN' });
    const near = await make('/venues', {
      venue: 'Near',
      geo_lat: 46.9505,
      geo_lng: 7.44,
      website: 'https://a.example',
    });
    const draft = await make('/venues', { venue: 'Near', status: 'draft' });
    const pairs = async (plural: string, as: Asking['as'] = 'editor') =>
      (await ask(`GET admin:/${plural}/duplicates`, { as })).body.duplicates.map(
        ({ records, reasons }: Answer['body']) => [...records.map(({ id }: Answer['body']) => id), reasons.join()],
      );
    const same = [mill.id, cafe.id, 'name,address'];
    expect(await pairs('venues')).toEqual([same, [mill.id, near.id, 'place'], [near.id, draft.id, 'name']]);
    expect(await pairs('venues', 'author')).toEqual([same, [mill.id, near.id, 'place']]);
    const [one, other] = [await make('/categories', { name: 'Jazz' }), await make('/categories', { name: 'JAZZ' })];
    expect(await pairs('categories')).toEqual([[one.id, other.id, 'name']]);
  });

  it('an image names the records that show it, as their picture or within a text, to users who may see them', async () => {
    const image = (await ask('POST admin:/media', { form: upload(await png(400, 400), 'a.png') })).body;
    const uses = async (as: Asking['as']) => {
      const { body } = await ask(`GET admin:/media/${image.id}/used-by`, { as });
      expect(body.total).toBe(body.used_by.length);
      return [
        body.used_by.map((one: Answer['body']) => `${one.kind} ${one.title}`),
        body.is_logo,
        body.is_in_site_texts,
      ];
    };
    expect(await uses('editor')).toEqual([[], false, false]);
    const description = `<p><img src="${image.sizes.medium.url}" alt=""></p>`;
    await make('/events', { title: 'Night', ...SOON, image: image.id, description });
    await make('/events', { title: 'Draft', ...SOON, status: 'draft', description });
    await make('/events', { title: 'Locked', ...SOON, post_password: 'sesame', image: image.id });
    const mill = await make('/venues', { venue: 'Mill' });
    await ask(`PATCH /venues/${mill.id}`, { query: { i18n_language: 'fr' }, body: { description } });
    await make('/tags', { name: 'Jazz', description });
    await ask('PATCH admin:/site', { as: 'administrator', body: { logo: image.id, about: description } });
    await ask(`POST admin:/media/${image.id}/file`, { form: upload(await png(20, 20), 'b.png') });
    expect(await uses('editor')).toEqual([
      ['event Night', 'event Draft', 'event Locked', 'tag Jazz', 'venue Mill'],
      true,
      true,
    ]);
    expect(await uses('author')).toEqual([['event Night', 'tag Jazz', 'venue Mill'], true, true]);
  });

  it('the progress of translations counts records without a text in a language, and the gaps are listed', async () => {
    const night = await make('/events', { title: 'Night', ...SOON });
    await make('/events', { title: 'Walk', ...SOON });
    await ask(`PATCH /events/${night.id}`, { query: { i18n_language: 'fr' }, body: { title: 'Nuit' } });
    await ask('POST /venues', { query: { i18n_language: 'fr' }, body: { venue: 'Moulin' } });
    await make('/tags', { name: 'Jazz' });
    await ask('POST admin:/media', { form: upload(await png(20, 20), 'a.png') });
    await ask('PATCH admin:/site', { as: 'administrator', body: { tagline: 'Music' } });
    const { progress } = (await ask('GET admin:/translations/progress')).body;
    expect(progress).toEqual({
      event: { total: 2, translated: { en: 2, fr: 1 } },
      venue: { total: 1, translated: { en: 0, fr: 1 } },
      organizer: { total: 0, translated: { en: 0, fr: 0 } },
      category: { total: 0, translated: { en: 0, fr: 0 } },
      tag: { total: 1, translated: { en: 1, fr: 0 } },
      ticket: { total: 0, translated: { en: 0, fr: 0 } },
      media: { total: 1, translated: { en: 0, fr: 0 } },
      site: { total: 1, translated: { en: 1, fr: 0 } },
    });
    for (const [name, { total, translated }] of Object.entries<Answer['body']>(progress)) {
      if (name === 'site') continue;
      for (const language of ['en', 'fr']) {
        const { body } = await ask('GET admin:/translations/missing', { query: { kind: name, language } });
        expect([name, language, body.total, body.missing.length]).toEqual([
          ...[name, language],
          ...[total - translated[language], total - translated[language]],
        ]);
      }
    }
    const gaps = await ask('GET admin:/translations/missing', { query: { kind: 'event', language: 'fr' } });
    expect(gaps.body.missing).toEqual([{ kind: 'event', id: night.id + 1, title: 'Walk' }]);
    const refused = await ask('GET admin:/translations/missing', { query: { kind: 'event', language: 'xx' } });
    expect(refused.status).toBe(400);
    // Others are shown the gaps that they may close.
    const own = await make('/events', { title: 'Mine', ...SOON }, 'author');
    await make('/events', { title: 'Idea', ...SOON, status: 'draft' }, 'contributor');
    const gapsOf = async (as: Asking['as'], of: string) => {
      const { body } = await ask('GET admin:/translations/missing', { as, query: { kind: of, language: 'fr' } });
      return body.missing.map(({ title }: Answer['body']) => title);
    };
    expect(await gapsOf('author', 'event')).toEqual(['Mine']);
    expect(await gapsOf('contributor', 'event')).toEqual(['Idea']);
    expect(await gapsOf('editor', 'event')).toEqual(['Walk', 'Mine', 'Idea']);
    expect([await gapsOf('author', 'tag'), await gapsOf('author', 'media')]).toEqual([[], []]);
    await makeTicket(server(), own.id, { price: '5' });
    await makeTicket(server(), night.id, { price: '5' });
    expect([(await gapsOf('author', 'ticket')).length, (await gapsOf('contributor', 'ticket')).length]).toEqual([1, 0]);
  });
});
