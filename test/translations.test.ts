import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { documentedEndpoints as endpoints } from '../src/app.ts';
import { migrate } from '../src/db/migrate.ts';
import { LINKED_KIND_NAMES, LINKED_KINDS } from '../src/lib/linked-kinds.ts';
import { makeEverything } from './fixtures.ts';
import { DATABASES, type TestServer, useTestServer } from './server.ts';
import { addTicket, EVENING, editTicket, makeEvent } from './tickets.ts';

type Fields = Record<string, unknown>;

interface Resource {
  /** Required fields of a record besides its texts. */
  base(server: TestServer): Promise<Fields>;
  create(server: TestServer, fields: Fields): Promise<AnswerPromise>;
  update(server: TestServer, id: number, fields: Fields): Promise<AnswerPromise>;
  /** The member that shows a field. */
  member(field: string): string;
  list: string;
}

type AnswerPromise = Awaited<ReturnType<TestServer['ask']>>;

const plain = (plural: string, base: Fields = {}): Resource => ({
  base: async () => base,
  create: (server, fields) => server.ask(`POST /${plural}`, { as: 'editor', body: fields }),
  update: (server, id, fields) => server.ask(`PATCH /${plural}/${id}`, { as: 'editor', body: fields }),
  member: (field) => field,
  list: `/${plural}`,
});

/** How the records of each resource that has texts are written. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  events: plain('events', { start_date: EVENING.start_date, end_date: EVENING.end_date }),
  ...Object.fromEntries(Object.values(LINKED_KINDS).map(({ plural }) => [plural, plain(plural)])),
  categories: plain('categories'),
  tags: plain('tags'),
  tickets: {
    base: async (server) => ({ post_id: await makeEvent(server), provider: 'tc', price: '5' }),
    create: (server, fields) => addTicket(server, fields, 'editor'),
    update: async (server, id, fields) => {
      const { body } = await server.ask(`GET tickets:/tickets/${id}`, { as: 'editor' });
      return editTicket(server, id, { post_id: body.post_id, ...fields }, 'editor');
    },
    member: (field) => (field === 'name' ? 'title' : field),
    list: 'tickets:/tickets',
  },
};

interface TextField {
  resource: string;
  field: string;
  isName: boolean;
}

/** The translatable texts, as marked in the schemas of the endpoints that create records. */
const TEXTS: readonly TextField[] = endpoints.flatMap(({ name, input }) => {
  const [resource = '', action] = name.split('.');
  if (action !== 'create') return [];
  const marked = Object.entries(input as Record<string, z.ZodType>).filter(([, schema]) => isMarked(schema));
  return marked.map(([field], position) => ({ resource, field, isName: position === 0 }));
});

function isMarked(schema: z.ZodType): boolean {
  return (schema.meta() as Fields | undefined)?.['x-translatable'] === true;
}

/** Texts that are the same in every language, by meaning. A new text must be marked or named here. */
const SHARED = {
  words: [
    'event_status',
    'attendance_mode',
    'online_access',
    'online_url',
    'organizer_type',
    'slug',
    'timezone',
    'color',
    'website',
    'image',
    'post_password',
    'provider',
    'scope',
    'iac',
    'sku',
    'show_description',
  ],
  times: [
    'previous_start_date',
    'door_time',
    'date',
    'date_utc',
    'start_date',
    'end_date',
    'start_time',
    'end_time',
    'status',
  ],
  address: ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince', 'email'],
  tokens: ['add_ticket_nonce'],
};

const nameOf = (resource: string): string => TEXTS.find((one) => one.resource === resource)?.field ?? '';

describe('translatable texts', () => {
  it('are the expected ones', () => {
    const found = Object.groupBy(TEXTS, ({ resource }) => resource);
    const fields = Object.entries(found).map(([resource, own = []]) => [resource, own.map(({ field }) => field)]);
    expect(Object.fromEntries(fields)).toEqual({
      events: ['title', 'description', 'excerpt', 'event_status_reason', 'accessibility'],
      ...Object.fromEntries(LINKED_KIND_NAMES.map((kind) => [LINKED_KINDS[kind].plural, [kind, 'description']])),
      categories: ['name', 'description'],
      tags: ['name', 'description'],
      tickets: ['name', 'description'],
    });
  });

  it.each(Object.keys(RESOURCES))(
    'of %s are all texts except those that are the same in every language',
    (resource) => {
      const created = endpoints.find(({ name }) => name === `${resource}.create`);
      const texts = Object.entries((created?.input ?? {}) as Record<string, z.ZodType>).filter(
        ([, schema]) => (schema.meta() as Fields).type === 'string' && !isMarked(schema),
      );
      const shared = Object.values(SHARED).flat();
      expect(texts.map(([field]) => field).filter((field) => !shared.includes(field))).toEqual([]);
    },
  );
});

describe.each(DATABASES)('translations on %s', (database) => {
  const server = useTestServer(database);

  const read = async (resource: string, id: number, language: string) => {
    const prefix = RESOURCES[resource]?.list ?? '';
    const answer = await server().ask(`GET ${prefix}/${id}`, { as: 'editor', query: { i18n_language: language } });
    expect([answer.status, answer.headers.get('content-language')]).toEqual([200, language]);
    return answer.body;
  };

  const textsOf = async ({ resource, field }: TextField, id: number) => {
    const member = RESOURCES[resource]?.member(field) ?? field;
    const shown = async (language: string) => withoutTags((await read(resource, id, language))[member]);
    return { en: await shown('en'), fr: await shown('fr') };
  };

  const withoutTags = (text: string | undefined) => (text ?? '').replace(/<[^>]*>|\n/g, '');

  const write = async (resource: string, id: number, fields: Fields) => {
    const answer = await RESOURCES[resource]?.update(server(), id, fields);
    expect([answer?.status, answer?.text]).toEqual([expect.toBeOneOf([200, 202]), expect.any(String)]);
    return answer?.body;
  };

  const create = async ({ resource, field, isName }: TextField, fields: Fields): Promise<number> => {
    const base = await RESOURCES[resource]?.base(server());
    const named = isName ? {} : { [nameOf(resource)]: `${resource} ${field} ${Math.abs(serial++)}` };
    const answer = await RESOURCES[resource]?.create(server(), { ...base, ...named, ...fields });
    expect([answer?.status, answer?.text]).toEqual([expect.toBeOneOf([201, 202]), expect.any(String)]);
    return answer?.body.id;
  };
  let serial = 0;
  const fresh = (text: string) => `${text} ${serial++}`;

  describe.each(TEXTS.map((text) => [`${text.field} of ${text.resource}`, text] as const))('%s', (_name, text) => {
    const { resource, field } = text;

    it('falls back, and is written and cleared in one language alone', async () => {
      const [autumn, automne, fall, chute] = [fresh('Autumn'), fresh('Automne'), fresh('Fall'), fresh('Chute')];
      const id = await create(text, { [field]: autumn });
      expect(await textsOf(text, id)).toEqual({ en: autumn, fr: autumn });

      await write(resource, id, { [field]: automne, i18n_language: 'fr' });
      expect(await textsOf(text, id)).toEqual({ en: autumn, fr: automne });

      await write(resource, id, { [field]: fall });
      expect(await textsOf(text, id)).toEqual({ en: fall, fr: automne });

      await write(resource, id, { [field]: chute, i18n_language: 'fr' });
      expect((await read(resource, id, 'en')).translations).toEqual({
        en: expect.arrayContaining([field]),
        fr: [field],
      });

      await write(resource, id, { [field]: null, i18n_language: 'fr' });
      expect(await textsOf(text, id)).toEqual({ en: fall, fr: fall });
      expect(await read(resource, id, 'fr')).not.toHaveProperty('translations');
    });

    it('created in French replaces the English text until there is one', async () => {
      const [automne, chute, autumn] = [fresh('Automne'), fresh('Chute'), fresh('Autumn')];
      const id = await create(text, { [field]: automne, i18n_language: 'fr' });
      expect(await textsOf(text, id)).toEqual({ en: automne, fr: automne });
      expect((await read(resource, id, 'en')).translations).toEqual({ fr: expect.arrayContaining([field]) });

      await write(resource, id, { [field]: chute, i18n_language: 'fr' });
      expect(await textsOf(text, id)).toEqual({ en: chute, fr: chute });

      await write(resource, id, { [field]: autumn, i18n_language: 'en' });
      expect(await textsOf(text, id)).toEqual({ en: autumn, fr: chute });
      expect((await read(resource, id, 'en')).translations).toMatchObject({ en: [field] });
    });

    it('stays unchanged when something else is written', async () => {
      const [autumn, automne] = [fresh('Autumn'), fresh('Automne')];
      const id = await create(text, { [field]: autumn });
      await write(resource, id, { [field]: automne, i18n_language: 'fr' });
      const other = resource === 'tickets' ? { sku: 'A1' } : { slug: `other-${serial++}` };
      await write(resource, id, resource === 'venues' ? { city: 'Moncton' } : other);
      await write(resource, id, { i18n_language: 'fr' });
      expect(await textsOf(text, id)).toEqual({ en: autumn, fr: automne });
    });
  });

  it.each(TEXTS.filter(({ isName }) => isName).map((text) => [text.resource, text] as const))(
    'a name of %s may be cleared in a language only while there is another',
    async (resource, text) => {
      const { field } = text;
      const id = await create(text, { [field]: fresh('Automne'), i18n_language: 'fr' });
      const refused = await Promise.all([
        RESOURCES[resource]?.update(server(), id, { [field]: null, i18n_language: 'fr' }),
        RESOURCES[resource]?.update(server(), id, { [field]: '', i18n_language: 'fr' }),
        RESOURCES[resource]?.update(server(), id, { [field]: null }),
        RESOURCES[resource]?.update(server(), id, { [field]: '', i18n_language: 'en' }),
        RESOURCES[resource]?.update(server(), id, { [field]: '<b></b>', i18n_language: 'fr' }),
      ]);
      for (const answer of refused) {
        expect([answer?.status, Object.keys(answer?.body.data.params)]).toEqual([400, [field]]);
      }
      const base = await RESOURCES[resource]?.base(server());
      const nameless = await RESOURCES[resource]?.create(server(), { ...base, [field]: '', i18n_language: 'fr' });
      expect(nameless?.status).toBe(400);
    },
  );
});

describe.each(DATABASES)('a database from before there were translations, on %s', (database) => {
  const server = useTestServer(database);

  const INDEXES = '0013-lists-by-time';
  const MIGRATIONS = ['0003-translations', '0005-translations-listed', '0011-provisional-texts', INDEXES];

  const run = async (...statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(server().context.db.query);
  };

  /** Takes away what the last of the migrations brought, and puts something in the place of what it drops. */
  async function forgetIndexes(): Promise<void> {
    await run('DROP INDEX events_long', 'DROP INDEX event_links_long', 'DROP INDEX terms_empty');
    if (database === 'postgres')
      await run('DROP FUNCTION words_in_year CASCADE', 'CREATE INDEX event_search ON events (id)');
    else
      await run(
        'DROP TRIGGER translation_search_update',
        'DROP TRIGGER translation_search_insert',
        'CREATE TRIGGER translation_search_insert AFTER INSERT ON translations BEGIN SELECT 1; END',
      );
  }

  /** Reverts the migrations, and forgets that they ran. */
  async function forgetTranslations(): Promise<void> {
    const { db } = server().context;
    await forgetIndexes();
    const tables = ['translations', 'site', ...(database === 'sqlite' ? ['translation_search'] : [])];
    for (const table of tables) await sql`DROP TABLE ${sql.ref(table)}`.execute(db.query);
    await sql`DELETE FROM migrations WHERE name IN (${sql.join(MIGRATIONS)})`.execute(db.query);
  }

  it('responds as before, and accepts translations', async () => {
    const { event, venue, category } = await makeEverything(server());
    const paths = [
      `/events/${event}`,
      `/venues/${venue}`,
      `/categories/${category}`,
      '/events',
      '/venues',
      '/categories',
    ];
    const search = { start_date: '2027-01-01', search: 'lantern' };
    const readAll = (language: string) =>
      Promise.all(
        paths.map(async (path) => {
          const query = { i18n_language: language, ...(path === '/events' && search) };
          const { body } = await server().ask(`GET ${path}`, { query, as: 'editor' });
          const { rest_url: _url, ...shown } = body;
          return shown;
        }),
      );
    const before = await readAll('en');
    expect(before[3].total).toBe(1);

    await forgetTranslations();
    expect(await migrate(server().context.db)).toEqual(MIGRATIONS);
    expect(await readAll('en')).toEqual(before);
    expect(await readAll('fr')).toEqual(before);
    const written = await server().make(`PATCH /events/${event}`, { title: 'Marche', i18n_language: 'fr' });
    expect(written).toMatchObject({ title: 'Marche', description: before[0].description });
    const hit = await server().ask('GET /events', {
      query: { start_date: '2027-01-01', search: 'marche', i18n_language: 'fr' },
    });
    expect(hit.body.total).toBe(1);
  });

  it('still finds translations from before they had the dates of their events', async () => {
    const { db } = server().context;
    const search = async () => {
      const query = { start_date: '2027-01-01', search: 'promenade', i18n_language: 'fr' };
      return (await server().ask('GET /events', { query })).body.total;
    };
    const walk = { title: 'Walk', start_date: '2027-05-01', end_date: '2027-05-01' };
    const { id } = await server().make('POST /events', { ...walk, status: 'publish' });
    await server().make(`PATCH /events/${id}`, { title: 'Promenade', i18n_language: 'fr' });
    expect(await search()).toBe(1);

    await forgetIndexes();
    const repeated = ['status', 'hide_from_listings', 'utc_start_date', 'start_date', 'utc_end_date', 'end_date'];
    const indexes = ['translations_event', 'translations_listed'].map(
      (name) => sql`DROP INDEX IF EXISTS ${sql.ref(name)}`,
    );
    const columns = repeated.map((name) => sql`ALTER TABLE translations DROP COLUMN ${sql.ref(name)}`);
    for (const statement of [...indexes, ...columns]) await statement.execute(db.query);
    const old = {
      sqlite: 'translations_event ON translations (id)',
      postgres: 'translation_search ON translations (id)',
    };
    await sql.raw(`CREATE INDEX ${old[database]}`).execute(db.query);
    // The texts of a missing event, which cannot occur otherwise.
    await sql`INSERT INTO translations (kind, record_id, language, texts, provisional, name_key, search_text)
      VALUES ('event', 999999, 'fr', '{}', '[]', 'promenade', 'promenade')`.execute(db.query);
    const migrations = ['0005-translations-listed', INDEXES];
    await sql`DELETE FROM migrations WHERE name IN (${sql.join(migrations)})`.execute(db.query);
    expect(await migrate(db)).toEqual(migrations);
    expect(await search()).toBe(1);
  });
});
