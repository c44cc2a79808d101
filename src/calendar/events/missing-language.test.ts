import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Asking, BOTH_DATABASES, useTestServer } from '../../../test/server.ts';
import { EVENING } from '../../../test/tickets.ts';

type Event = Answer['body'];

describe.each(BOTH_DATABASES)('the filter missing_language on %s', (kind) => {
  const languages = ['en', 'fr', 'de'];
  const server = useTestServer(kind, { languages });
  const find = (missing_language: string, as: Asking['as'] = 'editor', query: object = {}) =>
    server().ask('GET /events', { as, query: { missing_language, per_page: 100, ...query } });

  beforeAll(async () => {
    const written = [
      ['English', 'en', []],
      ['Both', 'en', [['fr', { title: 'Les deux' }]]],
      ['A French excerpt', 'en', [['fr', { excerpt: 'Extrait' }]]],
      ['Français', 'fr', []],
      ['Français et anglais', 'fr', [['en', { title: 'French and English' }]]],
      ['Français, English text', 'fr', [['en', { description: 'Words' }]]],
      ['Deutsch', 'de', [['fr', { title: 'Allemand', excerpt: 'Extrait' }]]],
      [
        'Nicht mehr',
        'en',
        [
          ['de', { title: 'Kurz' }],
          ['de', { title: null }],
        ],
      ],
    ] as const;
    for (const [title, first, others] of written) {
      const { id } = await server().make(`POST /events?i18n_language=${first}`, { ...EVENING, title });
      for (const [language, texts] of others)
        await server().make(`PATCH /events/${id}?i18n_language=${language}`, texts);
    }
  });

  it.each(languages)('finds the events that list no text in %s among their translations', async (language) => {
    const { body } = await server().ask('GET /events', { as: 'editor', query: { per_page: 100 } });
    const lacks = ({ translations }: Event) => !(translations ?? { en: ['title'] })[language];
    const expected = body.events.filter(lacks).map(({ title }: Event) => title);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(body.events.length);
    const found = await find(language);
    expect(found.body.events.map(({ title }: Event) => title)).toEqual(expected);
    expect(found.body.total).toBe(expected.length);
    expect(new URL(found.body.rest_url).searchParams.get('missing_language')).toBe(language);
  });

  it('is for users who may edit, and shows no event that is locked for them', async () => {
    await server().make('POST /events', { ...EVENING, title: 'Locked', post_password: 'sesame' });
    expect((await find('fr')).text).toContain('Locked');
    const contributor = await find('fr', 'contributor');
    expect(contributor.status).toBe(200);
    expect(contributor.text).not.toContain('Locked');
    expect(await find('fr', 'subscriber')).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
    const stranger = await server().ask('GET /events', { query: { missing_language: 'fr' } });
    expect(stranger).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
  });

  it.each(['it', 'FR', ''])('refuses %j', async (language) => {
    const { status, body } = await find(language);
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['missing_language']]);
  });
});
