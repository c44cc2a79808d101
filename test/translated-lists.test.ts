import { afterEach, describe, expect, it } from 'vitest';
import { makeAttendee } from './attendees.ts';
import { type Asking, DATABASES, useTestServer } from './server.ts';
import { shopperOf } from './shopper.ts';
import { addTicket, EVENING, editTicket, makeEvent } from './tickets.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies as clients do
type Json = any;

const FRENCH = { i18n_language: 'fr' };

const ADULT = { provider: 'tc', name: 'Adult', price: '5', ticket: { mode: 'own', capacity: 1 } };

describe.each(DATABASES)('records in two languages on %s', (database) => {
  const server = useTestServer(database, { languages: ['en', 'fr', 'de'] });
  const names = (rows: { title?: string; venue?: string; name?: string }[]) =>
    rows.map((row) => row.title ?? row.venue ?? row.name);

  afterEach(async () => {
    const { query } = server().context.db;
    await query.deleteFrom('translations').execute();
    await query.deleteFrom('event_links').execute();
    for (const table of [
      'attendees',
      'order_items',
      'cart_items',
      'tickets',
      'events',
      'linked_posts',
      'terms',
    ] as const)
      await query.deleteFrom(table).execute();
  });

  const event = async (english: Record<string, unknown>, french?: object): Promise<number> => {
    const id = await makeEvent(server(), english);
    if (french) await server().make(`PATCH /events/${id}`, { ...french, ...FRENCH });
    return id;
  };

  const venue = async (name: string, french?: string): Promise<number> => {
    const { id } = await server().make('POST /venues', { venue: name });
    if (french) await server().make(`PATCH /venues/${id}`, { venue: french, ...FRENCH });
    return id;
  };

  const category = async (name: string, french?: string, slug?: string): Promise<number> => {
    const { id } = await server().make('POST /categories', { name, slug });
    if (french) await server().make(`PATCH /categories/${id}`, { name: french, ...FRENCH });
    return id;
  };

  const list = async (path: string, query: Asking['query'] = {}, asking: Asking = {}) => {
    const answer = await server().ask(`GET ${path}`, { ...asking, query: { per_page: 50, ...query } });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body;
  };

  const found = async (search: string, language: string) =>
    names((await list('/events', { ...window, search, i18n_language: language })).events);
  const window = { start_date: '2027-03-01', end_date: '2027-03-31' };

  describe('the search of events', () => {
    it('covers the texts shown to readers: translations and fallbacks', async () => {
      await event({ title: 'School fair', description: 'Cakes' }, { title: 'Fête de l’École' });
      await event({ title: 'École ouverte', description: 'Cakes' });
      expect(await found('ecole', 'fr')).toEqual(['Fête de l’École', 'École ouverte']);
      expect(await found('ecole', 'en')).toEqual(['École ouverte']);
      expect(await found('SCHOOL', 'fr')).toEqual([]);
      expect(await found('school', 'en')).toEqual(['School fair']);
      expect(await found('fete cakes', 'fr')).toEqual(['Fête de l’École']);
      expect(await found('fete', 'de')).toEqual([]);
    });

    it('reflects every change of either text', async () => {
      const id = await event({ title: 'Fair', description: 'Cakes' }, { title: 'Foire' });
      await server().make(`PATCH /events/${id}`, { description: 'Pies' });
      expect([await found('cakes', 'fr'), await found('pies', 'fr')]).toEqual([[], ['Foire']]);
      await server().make(`PATCH /events/${id}`, { description: 'Tartes', ...FRENCH });
      expect([await found('pies', 'fr'), await found('tartes', 'fr')]).toEqual([[], ['Foire']]);
      await server().make(`PATCH /events/${id}`, { title: null, description: null, ...FRENCH });
      expect([await found('tartes', 'fr'), await found('pies', 'fr')]).toEqual([[], ['Fair']]);
      await server().ask(`DELETE /events/${id}`, { as: 'editor', query: { force: true } });
      expect(await found('pies', 'fr')).toEqual([]);
      const { query } = server().context.db;
      expect(await query.selectFrom('translations').select('id').execute()).toEqual([]);
    });

    it('finds frequent and rare words alike', async () => {
      for (let day = 1; day <= 12; day += 1) {
        const start_date = `2027-03-${String(day).padStart(2, '0')} 10:00`;
        const times = { start_date, end_date: start_date };
        await event({ title: `Walk ${day}`, ...times }, day % 2 ? { title: `Marche ${day}` } : undefined);
      }
      const odd = [1, 3, 5, 7, 9, 11];
      expect(await found('marche', 'fr')).toEqual(odd.map((day) => `Marche ${day}`));
      expect(await found('walk', 'fr')).toEqual(odd.map((day) => `Walk ${day + 1}`));
      expect(await found('walk', 'en')).toHaveLength(12);
      expect(await found('"marche 3"', 'fr')).toEqual(['Marche 3']);
    });

    it('covers only the title of an event behind a password, in each language', async () => {
      await event(
        { title: 'Members only', description: 'Fireworks', post_password: 'sesame' },
        { title: 'Réservé', description: 'Feux' },
      );
      expect([await found('feux', 'fr'), await found('reserve', 'fr'), await found('members', 'fr')]).toEqual([
        [],
        ['Réservé'],
        [],
      ]);
      const opened = { ...window, search: 'feux', password: 'sesame', ...FRENCH };
      expect(names((await list('/events', opened)).events)).toEqual(['Réservé']);
    });
  });

  describe('the order by name', () => {
    it.each([1, 2, 3, 50])('of venues follows the language, in pages of %i', async (per_page) => {
      const made = [
        ['Zoo', 'Ãrche'],
        ['Barn', undefined],
        ['Attic', 'Grenier'],
        ['Cellar', 'cave'],
        ['Delta', undefined],
      ] as const;
      for (const [name, french] of made) await venue(name, french);
      const walk = async (language: string) => {
        const seen: (string | undefined)[] = [];
        let next: string | undefined = `/calendar/events/v1/venues?per_page=${per_page}&i18n_language=${language}`;
        while (next) {
          const body: Json = await (await server().request(next)).json();
          expect([body.total, body.total_pages]).toEqual([5, Math.ceil(5 / per_page)]);
          seen.push(...names(body.venues));
          next = body.next_rest_url?.replace(/^https?:\/\/[^/]+/, '');
        }
        return seen;
      };
      expect(await walk('fr')).toEqual(['Ãrche', 'Barn', 'cave', 'Delta', 'Grenier']);
      expect(await walk('en')).toEqual(['Attic', 'Barn', 'Cellar', 'Delta', 'Zoo']);
      expect(await walk('de')).toEqual(['Attic', 'Barn', 'Cellar', 'Delta', 'Zoo']);
    });

    it('of categories, also of one event, follows the language', async () => {
      const ids = [await category('Water', 'Eau'), await category('Air'), await category('Fire', 'Feu')];
      const id = await event({ title: 'Elements', categories: ids });
      const all = { hide_empty: false, ...FRENCH };
      expect(names((await list('/categories', all)).categories)).toEqual(['Air', 'Eau', 'Feu']);
      expect(names((await list('/categories', { ...all, order: 'desc' })).categories)).toEqual(['Feu', 'Eau', 'Air']);
      expect(names((await list('/categories', { hide_empty: false })).categories)).toEqual(['Air', 'Fire', 'Water']);
      expect(names((await list('/categories', { ...all, search: 'fire' })).categories)).toEqual(['Feu']);
      expect(names((await list(`/events/${id}`, FRENCH)).categories)).toEqual(['Air', 'Eau', 'Feu']);
    });

    it('of tickets follows the language, as does their search', async () => {
      const post_id = await makeEvent(server());
      const make = async (name: string, french?: string) => {
        const { body } = await addTicket(server(), { post_id, provider: 'tc', name, price: '5' });
        if (french) await editTicket(server(), body.id, { post_id, name: french, ...FRENCH });
        return body.id as number;
      };
      for (const [name, french] of [['Adult', 'Plein tarif'], ['Child', 'Enfant'], ['Zebra']] as const)
        await make(name, french);
      expect(names((await list('tickets:/tickets', FRENCH)).tickets)).toEqual(['Enfant', 'Plein tarif', 'Zebra']);
      expect(names((await list('tickets:/tickets')).tickets)).toEqual(['Adult', 'Child', 'Zebra']);
      expect(names((await list('tickets:/tickets', { search: 'plein', ...FRENCH })).tickets)).toEqual(['Plein tarif']);
      expect(names((await list('tickets:/tickets', { search: 'plein' })).tickets)).toEqual([]);
    });
  });

  it('slugs belong to the record: they are found, kept and changed in every language', async () => {
    const id = await event({ title: 'Lantern walk' }, { title: 'Marche aux lanternes' });
    const read = await list('/events/by-slug/lantern-walk', FRENCH);
    expect([read.id, read.slug, read.title]).toEqual([id, 'lantern-walk', 'Marche aux lanternes']);
    const renamed = await server().make(`PATCH /events/${id}`, { slug: 'lanternes', ...FRENCH });
    expect(renamed.slug).toBe('lanternes');
    const { body } = await server().ask('GET /events/by-slug/lanternes');
    expect([body.id, body.title]).toEqual([id, 'Lantern walk']);
    const french = await server().make('POST /events', { ...EVENING, title: 'Veillée', ...FRENCH });
    expect(french.slug).toBe('veillee');
  });

  describe('names in a request', () => {
    it('of categories match in its language, else in the first, and create no duplicates', async () => {
      const [music, chat] = [await category('Music', 'Musique'), await category('Chat', 'Discussion', 'talk')];
      const cat = await category('Cat', 'Chat');
      const made = async (categories: unknown, query = {}) => {
        const body = await server().make('POST /events', { ...EVENING, title: 'Named', categories, ...query });
        return body.categories.map(({ id }: { id: number }) => id).sort();
      };
      expect(await made('musique', FRENCH)).toEqual([music]);
      expect(await made('music', FRENCH)).toEqual([music]);
      expect(await made('Chat')).toEqual([chat]);
      expect(await made('Chat,Musique', FRENCH)).toEqual([cat, music].sort());
      const { events } = await list('/events', { ...window, categories: 'musique', ...FRENCH });
      expect(events).toHaveLength(3);
      const taken = await server().ask('POST /categories', { as: 'editor', body: { name: 'Musique', ...FRENCH } });
      expect([taken.status, taken.body.code]).toEqual([400, 'term_exists']);
      const renamed = await server().ask(`PATCH /categories/${cat}`, {
        as: 'editor',
        body: { name: 'Musique', ...FRENCH },
      });
      expect([renamed.status, renamed.body.code]).toEqual([400, 'term_exists']);
      const [fresh] = await made('Théâtre', FRENCH);
      expect(names([await list(`/categories/${fresh}`)])).toEqual(['Théâtre']);
      expect((await list(`/categories/${fresh}`, {}, { as: 'editor' })).translations).toEqual({ fr: ['name'] });
    });

    it('of inline venues link the record with that name in its language', async () => {
      const hall = await venue('Town Hall', 'Hôtel de ville');
      const inline = async (fields: object, query = {}) =>
        (await server().make('POST /events', { ...EVENING, title: 'Inline', venue: fields, ...query })).venue;
      expect((await inline({ venue: 'hôtel de ville' }, FRENCH)).id).toBe(hall);
      expect((await inline({ venue: 'Town Hall' }, FRENCH)).id).toBe(hall);
      expect((await inline({ venue: 'Town hall' })).id).toBe(hall);
      expect((await inline({ venue: 'Hôtel de ville' })).id).not.toBe(hall);
      const described = await inline({ venue: 'Hôtel de ville', description: 'En pierre' }, FRENCH);
      expect([described.id, described.venue]).toEqual([hall, 'Hôtel de ville']);
      const shown = await list(`/venues/${hall}`, {}, { as: 'editor' });
      expect([shown.venue, shown.description]).toEqual(['Town Hall', undefined]);
      expect(shown.translations).toEqual({ en: ['venue'], fr: ['venue', 'description'] });
    });
  });

  it('refuse names that another term has in the language of the request, or would then have in the first', async () => {
    const [concert, cat] = [await category('Concert', 'Concerts'), await category('Cat', 'Chat')];
    await category('Chatting', 'Concert');
    const refused = [
      ['POST /categories', { name: 'Concert', ...FRENCH }],
      ['POST /categories', { name: 'Chat', ...FRENCH }],
      [`PATCH /categories/${cat}`, { name: 'Concerts', ...FRENCH }],
      // Without its French name, it would have the name of another one.
      [`PATCH /categories/${concert}`, { name: null, ...FRENCH }],
    ] as const;
    for (const [call, body] of refused) {
      const answer = await server().ask(call, { as: 'editor', body });
      expect([call, answer.status, answer.body.code]).toEqual([call, 400, 'term_exists']);
    }
  });

  it('compare names regardless of the kind of spaces', async () => {
    await server().make('POST /tags', { name: 'Ça va\u202f!' });
    const double = await server().ask('POST /tags', { as: 'editor', body: { name: 'ça va !' } });
    expect(double.body.code).toBe('term_exists');
    const hall = await venue('Salle\u00a0A');
    const linked = await server().make('POST /events', { ...EVENING, title: 'In it', venue: { venue: 'salle A' } });
    expect([linked.venue.id, linked.venue.venue]).toEqual([hall, 'Salle\u00a0A']);
  });

  it('add the texts of an inline object in one language to the record that has them in another', async () => {
    const inline = async (description: string, query = {}) => {
      const fields = { ...EVENING, title: 'Inline', venue: { venue: 'Ty Gwyn', description }, ...query };
      return (await server().make('POST /events', fields)).venue;
    };
    const hall = await inline('Pierre', FRENCH);
    expect((await inline('Stone')).id).toBe(hall.id);
    expect((await inline('Pierre', FRENCH)).id).toBe(hall.id);
    expect((await inline('Brique', FRENCH)).id).not.toBe(hall.id);
    expect((await list(`/venues/${hall.id}`)).description).toContain('Stone');
    expect((await list(`/venues/${hall.id}`, FRENCH)).description).toContain('Pierre');
  });

  it('have texts of any length in every language', async () => {
    const long = String.fromCodePoint(
      ...Array.from({ length: 1900 }, (_, index) => 0x4e00 + ((index * 7919) % 20_000)),
    );
    const id = await event({ title: 'Short', description: 'Short' }, { title: long, description: 'Court' });
    expect((await list(`/events/${id}`, FRENCH)).title).toBe(long);
    await server().make(`PATCH /events/${id}`, { title: `${long}x` });
    expect(await found(long.slice(5, 9), 'fr')).toEqual([long]);
  });

  it("use a ticket's later name as provisional", async () => {
    const post_id = await makeEvent(server());
    const { body } = await addTicket(server(), { post_id, provider: 'tc', price: '5', ...FRENCH });
    await editTicket(server(), body.id, { post_id, name: 'Plein tarif', ...FRENCH });
    expect((await list(`tickets:/tickets/${body.id}`)).title).toBe('Plein tarif');
  });

  it('lose nothing in concurrent writes of several languages and of an event that names them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const name = `Hall ${round}`;
      const hall = await venue(name, `Salle ${round}`);
      const write = (fields: object) => server().make(`PATCH /venues/${hall}`, fields);
      await Promise.all([
        server().make('POST /events', { ...EVENING, title: 'Inline', venue: { venue: name, city: 'Moncton' } }),
        write({ description: 'Neu', i18n_language: 'de' }),
        write({ venue: `Théâtre ${round}`, ...FRENCH }),
        write({ phone: '555' }),
      ]);
      const german = await list(`/venues/${hall}`, { i18n_language: 'de' });
      expect([german.venue, german.city, german.phone]).toEqual([name, 'Moncton', '555']);
      expect(german.description).toContain('Neu');
      expect((await list(`/venues/${hall}`, FRENCH)).venue).toBe(`Théâtre ${round}`);
    }
  });

  it('leave nothing behind when removed while a translation is written', async () => {
    for (let round = 0; round < 10; round += 1) {
      const hall = await venue(`Hall ${round}`);
      const write = (i18n_language: string) =>
        server().ask(`PATCH /venues/${hall}`, { as: 'editor', body: { description: 'X', i18n_language } });
      const removal = server().ask(`DELETE /venues/${hall}`, { as: 'editor', query: { force: true } });
      const answers = await Promise.all([write('fr'), removal, write('de'), write('fr')]);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    }
    const { query } = server().context.db;
    expect(await query.selectFrom('translations').select('id').execute()).toEqual([]);
  });

  it('are shown with their related records in one language', async () => {
    const hall = await venue('Town Hall', 'Hôtel de ville');
    const id = await event({ title: 'Concert', venue: hall }, { title: 'Récital', description: 'Piano' });
    const { body: ticket } = await addTicket(server(), { post_id: id, ...ADULT });
    await editTicket(server(), ticket.id, { post_id: id, name: 'Plein tarif', ...FRENCH });
    const french = await list(`/events/${id}`, FRENCH);
    expect([french.title, french.venue.venue]).toEqual(['Récital', 'Hôtel de ville']);
    expect(french.json_ld).toMatchObject({
      name: 'Récital',
      description: 'Piano',
      inLanguage: 'fr',
      location: { name: 'Hôtel de ville' },
      offers: [{ name: 'Plein tarif' }],
    });
    const english = await list(`/events/${id}`);
    expect(english.json_ld).toMatchObject({ name: 'Concert', inLanguage: 'en', offers: [{ name: 'Adult' }] });
    const german = await list(`/events/${id}`, { i18n_language: 'de' });
    expect(german.json_ld).toMatchObject({ name: 'Concert', inLanguage: 'en' });
    const attendee = await makeAttendee(server(), ticket.id);
    const shown = await list(`tickets:/attendees/${attendee.id}`, FRENCH, { as: 'editor' });
    expect(shown.ticket.title).toBe('Plein tarif');
    const only = await server().make('POST /events', { ...EVENING, title: 'Veillée', ...FRENCH });
    expect((await list(`/events/${only.id}`)).json_ld).toMatchObject({ name: 'Veillée', inLanguage: 'fr' });
  });

  it('give the name of an unavailable ticket in the language of the request', async () => {
    const post_id = await makeEvent(server());
    const { body: ticket } = await addTicket(server(), { post_id, ...ADULT });
    await editTicket(server(), ticket.id, { post_id, name: 'Plein tarif', ...FRENCH });
    const tickets = [{ ticket_id: ticket.id, quantity: 2 }];
    const refused = await shopperOf(server()).put(tickets, FRENCH);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('Plein tarif')]);
    expect((await shopperOf(server()).put(tickets)).body.message).toContain('Adult');
  });

  it('show which fields exist in which language only to viewers who may edit them', async () => {
    const body = { ...EVENING, title: 'Own walk', description: 'Long' };
    const { id } = await server().make('POST /events', body, 'author');
    await server().make(`PATCH /events/${id}`, { excerpt: 'Court', title: 'Marche', ...FRENCH }, 'author');
    const translations = { en: ['title', 'description'], fr: ['title', 'excerpt'] };
    for (const as of ['author', 'editor', 'administrator'] as const) {
      expect((await list(`/events/${id}`, {}, { as })).translations).toEqual(translations);
      expect((await list('/events', window, { as })).events[0].translations).toEqual(translations);
    }
    for (const as of [undefined, 'subscriber', 'contributor', 'door'] as const) {
      expect(await list(`/events/${id}`, FRENCH, { as })).not.toHaveProperty('translations');
      expect((await list('/events', window, { as })).events[0]).not.toHaveProperty('translations');
    }
  });

  it('are read in the language of `Accept-Language` when the request names none, and written in the first', async () => {
    const id = await event({ title: 'Stroll' });
    const headers = { 'accept-language': 'fr-CA, en;q=0.5' };
    const changed = await server().ask(`PATCH /events/${id}`, { as: 'editor', headers, body: { title: 'Walk' } });
    expect([changed.status, changed.body.title, changed.headers.get('content-language')]).toEqual([200, 'Walk', 'fr']);
    expect(changed.body).not.toHaveProperty('translations');
    const made = await server().ask('POST /venues', { as: 'editor', headers, body: { venue: 'Hall' } });
    expect([made.status, made.body.venue]).toEqual([201, 'Hall']);
    expect(made.body).not.toHaveProperty('translations');
    await server().make(`PATCH /events/${id}`, { title: 'Marche', ...FRENCH });
    const answer = await server().ask(`GET /events/${id}`, { headers });
    expect([answer.body.title, answer.headers.get('vary')]).toEqual([
      'Marche',
      expect.stringContaining('Accept-Language'),
    ]);
    expect((await list(`/events/${id}`)).title).toBe('Walk');
    const named = await server().ask(`GET /events/${id}`, { headers, query: { i18n_language: 'en' } });
    expect([named.body.title, named.headers.get('vary')]).toEqual([
      'Walk',
      expect.not.stringContaining('Accept-Language'),
    ]);
    expect(named.headers.get('etag')).not.toBe(answer.headers.get('etag'));
  });
});
