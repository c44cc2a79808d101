import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/commands.ts';
import { type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import { usualOf } from '../../../test/thoroughness.ts';
import { addTicket, deleteTicket, EVENING, editTicket } from '../../../test/tickets.ts';
import { findFirstLanguage, saveFirstLanguage } from '../../db/site-settings.ts';
import { firstLanguageCommand } from './switch-language.ts';

const ENGLISH_FIRST = { languages: ['en', 'fr', 'de'] };
const FRENCH_FIRST = { languages: ['fr', 'en', 'de'] };
const FRENCH = { i18n_language: 'fr' };

const SPRING = { start_date: '2027-03-01', end_date: '2027-03-31' };
const ALL = { hide_empty: false };

/** Reads in each language before and after the switch. */
const READS: readonly [string, Asking['query']][] = [
  ['/events', { ...SPRING, status: 'any' }],
  ['/events', { ...SPRING, status: 'trash' }],
  ['/events', { ...SPRING, search: 'fair cakes' }],
  ['/events', { ...SPRING, search: 'ecole' }],
  ['/events', { ...SPRING, search: 'veillee' }],
  ['/venues', {}],
  ['/venues', { search: 'grenier' }],
  ['/venues', { search: 'attic' }],
  ['/organizers', {}],
  ['/categories', ALL],
  ['/categories', { ...ALL, search: 'eau' }],
  ['/categories', { ...ALL, order: 'desc' }],
  ['/tags', ALL],
  ['tickets:/tickets', {}],
  ['tickets:/tickets', { search: 'plein' }],
];

/** Prices follow the first language, and `translations` is present only once a text exists in another one. */
const FOLLOWS_FIRST = ['revision', 'cost', 'cost_details', 'translations'];

/** Tables in the order in which their rows can be deleted. */
const RECORDS = [
  'translations',
  'attendees',
  'tickets',
  'event_links',
  'occurrences',
  'series',
  'events',
  'linked_posts',
  'terms',
] as const;

describe.each(DATABASES)('marquee first-language on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, ENGLISH_FIRST);
  const db = () => server().context.db;

  beforeEach(() => saveFirstLanguage(db(), 'en'));
  afterEach(async () => {
    server().restart(ENGLISH_FIRST);
    for (const table of RECORDS) await db().query.deleteFrom(table).execute();
  });

  async function run(...args: string[]) {
    const { status, out, errors } = await runCommand(firstLanguageCommand, server().context, args);
    return { status, out, errors };
  }

  const make = async (plural: string, texts: object, french?: object): Promise<number> => {
    const { id } = await server().make(`POST /${plural}`, texts);
    if (french) await server().make(`PATCH /${plural}/${id}`, { ...french, ...FRENCH });
    return id;
  };

  const makeSeat = async (post_id: number, fields: object, french?: object): Promise<number> => {
    const { body } = await addTicket(server(), { post_id, provider: 'rsvp', ...fields });
    if (french) await editTicket(server(), body.id, { post_id, ...french, ...FRENCH });
    return body.id;
  };

  /** Records of every kind: in both languages, in one, and partly translated. */
  async function makeRecords(): Promise<number> {
    const venue = await make('venues', { venue: 'Attic', city: 'Moncton' }, { venue: 'Grenier' });
    await make('venues', { venue: 'Barn', description: 'Made of wood' });
    await make('venues', { venue: 'Zoo', ...FRENCH });
    await make('organizers', { organizer: 'Friends of the barn' }, { organizer: 'Amis de la grange' });
    await make('categories', { name: 'Water' }, { name: 'Eau' });
    await make('categories', { name: 'Air' });
    await make('tags', { name: 'outdoors' }, { name: 'Ã ciel ouvert', description: undefined });
    const fair = {
      ...EVENING,
      title: 'School fair',
      description: 'Cakes',
      excerpt: 'Come',
      venue,
      categories: 'Water',
    };
    const school = await make('events', fair, { title: 'Fête de l’École', description: 'Gâteaux' });
    await make('events', { ...EVENING, title: 'École ouverte', status: 'draft' });
    await make('events', { ...EVENING, title: 'Veillée', excerpt: 'Au coin du feu', ...FRENCH });
    const gone = await make('events', { ...EVENING, title: 'Walk' }, { title: 'Marche' });
    await server().ask(`DELETE /events/${gone}`, { as: 'editor' });
    const half = await make('events', { ...EVENING, title: 'Nuit', description: 'Étoiles', ...FRENCH });
    await make('events', { ...EVENING, title: 'Trilingual' }, { title: 'Trilingue' });
    await server().make(`PATCH /events/${half}`, { title: 'Night' });
    await server().make(`PATCH /events/${half}`, { title: 'Nacht', i18n_language: 'de' });
    await makeSeat(school, { name: 'Adult', description: 'Over 18' }, { name: 'Plein tarif' });
    await makeSeat(school, { name: 'Child' });
    const dropped = await makeSeat(school, { name: 'Dog' }, { name: 'Chien' });
    await deleteTicket(server(), dropped, school);
    return dropped;
  }

  const readAll = async (language: string) => {
    const bodies: Record<string, { total: number }> = {};
    for (const [path, query] of READS) {
      const asking = { ...query, per_page: 50, i18n_language: language };
      const { status, text } = await server().ask(`GET ${path}`, { as: 'administrator', query: asking });
      const body = JSON.parse(text, (name, value) => (FOLLOWS_FIRST.includes(name) ? undefined : value));
      expect([status, text]).toEqual([200, expect.any(String)]);
      bodies[`${path} ${JSON.stringify(query)}`] = body;
    }
    return bodies;
  };

  const titles = async (language: string) => {
    const query = { ...SPRING, i18n_language: language, search: 'ecole' };
    const { body } = await server().ask('GET /events', { query });
    return body.events.map(({ title }: { title: string }) => title);
  };

  /** Everything that a switch may touch. */
  /** Switching counts as an edit. */
  const withoutRevision = <T extends { revision: number }>({ revision: _revision, ...row }: T) => row;

  async function stored() {
    const rows: Record<string, unknown> = { language: await findFirstLanguage(db()) };
    for (const table of ['events', 'linked_posts', 'terms', 'tickets'] as const)
      rows[table] = (await db().query.selectFrom(table).selectAll().orderBy('id').execute()).map(withoutRevision);
    const links = db().query.selectFrom('event_links').selectAll().orderBy('event_id');
    rows.links = await links.orderBy('kind').orderBy('position').execute();
    const translations = db()
      .query.selectFrom('translations')
      .select(['kind', 'record_id', 'language', 'texts', 'provisional', 'name_key', 'search_text']);
    rows.translations = await translations.orderBy('record_id').orderBy('kind').orderBy('language').execute();
    return rows;
  }

  it('changes no text for the readers of any language', async () => {
    await makeRecords();
    const before = { en: await readAll('en'), fr: await readAll('fr') };
    const found = Object.keys(before.en).map((read) => Math.max(before.en[read]!.total, before.fr[read]!.total));
    expect(Math.min(...found)).toBeGreaterThan(0);
    expect(await titles('fr')).toEqual(['Fête de l’École']);

    expect(await run('fr')).toEqual({
      status: 0,
      out: ['fr is the first language now; records moved: 16.', 'Start every server with MARQUEE_LANGUAGES=fr,en,de'],
      errors: [],
    });
    server().restart(FRENCH_FIRST);
    expect(await findFirstLanguage(db())).toBe('fr');
    expect(await readAll('en')).toEqual(before.en);
    expect(await readAll('fr')).toEqual(before.fr);
    expect([await titles('fr'), await titles('en'), await titles('de')]).toEqual([
      ['Fête de l’École'],
      [],
      ['Fête de l’École'],
    ]);
  });

  usually('is necessary: without it, texts are attributed to the wrong language', async () => {
    const id = await make('events', { ...EVENING, title: 'School fair' }, { title: 'Fête de l’École' });
    server().restart(FRENCH_FIRST);
    const { body } = await server().ask(`GET /events/${id}`, { query: FRENCH });
    expect(body.title).toBe('School fair');
  });

  it('moves deleted records too, and can be reverted', async () => {
    const dropped = await makeRecords();
    const before = await stored();
    await run('fr');
    const ticket = await db().query.selectFrom('tickets').selectAll().where('id', '=', dropped).executeTakeFirst();
    expect(ticket).toMatchObject({ is_deleted: 1, title: 'Chien', title_key: 'chien', search_text: 'chien' });
    expect(await stored()).not.toEqual(before);
    await run('en');
    expect(await stored()).toEqual(before);
  });

  usually('leaves records that can be edited as if written in that language', async () => {
    const id = await make('events', { ...EVENING, title: 'Lantern walk' });
    await run('fr');
    server().restart(FRENCH_FIRST);
    await server().make(`PATCH /events/${id}`, { title: 'Lantern parade', i18n_language: 'en' });
    const read = async (language: string) =>
      (await server().ask(`GET /events/${id}`, { as: 'editor', query: { i18n_language: language } })).body;
    expect((await read('fr')).title).toBe('Lantern parade');
    await server().make(`PATCH /events/${id}`, { title: 'Défilé', ...FRENCH });
    expect([(await read('fr')).title, (await read('en')).title]).toEqual(['Défilé', 'Lantern parade']);
    expect((await read('en')).translations).toEqual({ fr: ['title'], en: ['title'] });
  });

  it('moves the texts that series share, and keeps those of single events', async () => {
    const { id } = await server().make('POST /series', {
      event: { ...EVENING, title: 'School fair' },
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' },
    });
    const { body } = await server().ask(`GET /series/${id}/occurrences`, {});
    const [first, second] = body.occurrences.map((occurrence: { id: number }) => occurrence.id);
    await server().make(`PATCH /events/${first}`, { title: 'Fête', scope: 'all', ...FRENCH });
    await server().make(`PATCH /events/${second}`, { title: 'Kermesse', ...FRENCH });
    expect((await run('fr')).status).toBe(0);
    server().restart(FRENCH_FIRST);
    await server().make(`PATCH /series/${id}`, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } });
    const shown = async (language: string) => {
      const query = { i18n_language: language };
      const listed = await server().ask(`GET /series/${id}/occurrences`, { query });
      return listed.body.occurrences.map(({ title }: { title: string }) => title);
    };
    expect([await shown('fr'), await shown('en')]).toEqual([
      ['Fête', 'Kermesse', 'Fête'],
      ['School fair', 'School fair', 'School fair'],
    ]);
    await server().make(`PATCH /events/${first}`, { title: 'Foire', scope: 'all' });
    expect([await shown('fr'), await shown('en')]).toEqual([
      ['Foire', 'Kermesse', 'Foire'],
      ['School fair', 'School fair', 'School fair'],
    ]);
  });

  it('moves any number of records', async () => {
    const tag = (number: number) => ({ name: `Tag ${number}`, name_key: `tag ${number}`, slug: `tag-${number}` });
    const rows = Array.from({ length: 450 }, (_, number) => ({
      ...tag(number),
      taxonomy: 'tag' as const,
      description: '',
      parent_id: 0,
      count: 0,
    }));
    await db().query.insertInto('terms').values(rows).execute();
    expect((await run('fr')).out[0]).toContain('records moved: 450.');
    const { body } = await server().ask('GET /tags', { query: { ...ALL, ...FRENCH } });
    expect(body.total).toBe(450);
    const english = db().query.selectFrom('translations').select('record_id').where('language', '=', 'en');
    expect(await english.execute()).toHaveLength(450);
  });

  it('changes nothing when a record cannot be moved', async () => {
    const dropped = await makeRecords();
    await db().query.updateTable('translations').set({ texts: '{' }).where('record_id', '=', dropped).execute();
    const before = await stored();
    await expect(run('fr')).rejects.toThrow(SyntaxError);
    expect(await stored()).toEqual(before);
  });

  usually('changes nothing when the language is the first already', async () => {
    await makeRecords();
    const before = await stored();
    const out = ['en is the first language already; nothing is changed.'];
    expect(await run('EN')).toEqual({ status: 0, out, errors: [] });
    expect(await stored()).toEqual(before);
  });

  it.each([
    [['es'], 1, 'The languages of the site are en, fr, de, but not es.'],
    [[], 2, 'LANGUAGE is missing.'],
  ])('refuses %j', async (args, status, sentence) => {
    const refused = await run(...args);
    expect([refused.status, refused.out, refused.errors[0]?.split('\n')[0]]).toEqual([status, [], sentence]);
    expect(await findFirstLanguage(db())).toBe('en');
  });

  it('refuses a database without a first language', async () => {
    await db().query.deleteFrom('site').execute();
    const { status, errors } = await run('fr');
    expect([status, errors]).toEqual([1, [expect.stringMatching(/^The language of the records is not known .*\.$/)]]);
    expect(await findFirstLanguage(db())).toBeUndefined();
  });

  it('explains itself', async () => {
    const { status, out } = await run('--help');
    expect(status).toBe(0);
    expect(out[0]).toContain('Usage: marquee first-language LANGUAGE\n');
    expect(out[0]).toContain('stop every server');
  });
});
