import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, DATABASES, type TestServer, useTestServer } from '../../../../test/server.ts';

const BASE = { title: 'Lantern Night', start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };
/** A unique title for each event, since finding a free slug would take most of the time of these tests. */
let titles = 0;
const base = () => {
  titles += 1;
  return { ...BASE, title: `Lantern Night ${titles}` };
};
const KINDS = ['venue', 'organizer'] as const;
type Body = Answer['body'];

/** Names of the linked records, whether `venue` is an object or a list. */
const linked = (event: Body, kind: (typeof KINDS)[number]): string[] =>
  (Array.isArray(event[kind]) ? event[kind] : [event[kind]]).map((post: Body) => post[kind]);

describe.each(DATABASES)('venues and organizers of events on %s', (kind) => {
  const server = useTestServer(kind);
  const known: Record<string, number> = {};
  beforeAll(async () => {
    for (const name of ['A', 'B']) {
      known[`venue ${name}`] = (await server().make('POST /venues', { venue: name })).id;
      known[`organizer ${name}`] = (await server().make('POST /organizers', { organizer: name })).id;
    }
  });
  const parentOf = async (id: number, post_parent: number) =>
    server().ask(`PATCH /events/${id}`, { as: 'editor', body: { post_parent } });
  it('an event may not be part of itself, nor of anything below it', async () => {
    const { make, ask } = server();
    const festival = (await make('POST /events', base())).id;
    const day = (await make('POST /events', { ...base(), post_parent: festival })).id;
    const concert = (await make('POST /events', { ...base(), post_parent: day })).id;
    for (const part of [festival, day, concert]) {
      expect(await parentOf(festival, part)).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { params: { post_parent: expect.any(String) } } },
      });
    }
    expect((await parentOf(concert, festival)).status).toBe(200);
    const { body } = await ask('GET /events', { query: { post_parent: festival } });
    expect(body.events.map(({ id }: Body) => id).sort()).toEqual([day, concert].sort());
    // Loops are judged by the current state: the day has no children any more.
    expect((await parentOf(day, concert)).status).toBe(200);
  });

  it('an event in the trash is no parent for its author, as it is none for a filter', async () => {
    const { make, ask } = server();
    const [parent, part] = [await make('POST /events', base(), 'author'), await make('POST /events', base(), 'author')];
    await make(`PATCH /events/${parent.id}`, { status: 'trash' }, 'author');
    const refused = await ask(`PATCH /events/${part.id}`, { as: 'author', body: { post_parent: parent.id } });
    expect(refused).toMatchObject({ status: 400, body: { data: { params: { post_parent: expect.any(String) } } } });
    expect((await parentOf(part.id, parent.id)).status).toBe(200);
  });

  const count = async (plural: string) =>
    (await server().ask(`GET /${plural}`, { as: 'editor', query: { per_page: 1 } })).body.total;

  describe.each(KINDS)('%s', (what) => {
    const a = () => known[`${what} A`] ?? 0;
    const b = () => known[`${what} B`] ?? 0;
    const FORMS: [name: string, sent: () => unknown, names: string[]][] = [
      ['an id', a, ['A']],
      ['an id as text', () => String(a()), ['A']],
      ['an object with an id', () => ({ id: a() }), ['A']],
      ['an object with an id as text and what is stored', () => ({ id: String(a()), [what]: 'A', rest: 1 }), ['A']],
      ['a list of one', () => [a()], ['A']],
      ['a list of two', () => [a(), b()], ['A', 'B']],
      ['a list in another order', () => [b(), String(a())], ['B', 'A']],
      ['doubles', () => [b(), a(), b(), { id: a() }], ['B', 'A']],
      ['a CSV', () => `${b()}, ${a()}`, ['B', 'A']],
      ['a list of a CSV', () => [`${b()},${a()}`], ['B', 'A']],
      ['a map as forms send it', () => ({ 0: b(), 1: { id: a() } }), ['B', 'A']],
      [
        'a list of objects',
        () => [{ [what]: 'New one' }, { id: b() }, a(), { [what]: 2027 }],
        ['New one', 'B', 'A', '2027'],
      ],
      ['an object', () => ({ [what]: 'Newer' }), ['Newer']],
      ['objects of one name', () => [{ [what]: 'Twice' }, { [what]: 'twice' }], ['Twice']],
      ...[0, '0', '', null, [], {}].map((nothing): [string, () => unknown, string[]] => [
        `nothing: ${JSON.stringify(nothing)}`,
        () => nothing,
        [],
      ]),
    ];

    it.each(FORMS)('takes %s', async (_name, sent, names) => {
      const made = await server().make('POST /events', { ...base(), [what]: sent() });
      expect(linked(made, what)).toEqual(names);
      const other = await server().make('POST /events', { ...base(), [what]: names.length > 0 ? [] : a() });
      const changed = await server().make(`PATCH /events/${other.id}`, { [what]: sent() });
      expect(linked(changed, what)).toEqual(names);
    });

    it('must be of the right kind, not in the trash, and not too many', async () => {
      const { make, ask } = server();
      const event = await make('POST /events', base());
      const binned = await make(`POST /${what}s`, { [what]: 'Binned' });
      await make(`DELETE /${what}s/${binned.id}`, undefined);
      const other = known[`${what === 'venue' ? 'organizer' : 'venue'} A`];
      for (const sent of [event.id, other, binned.id, [a(), 999_999], [a(), 'text'], [null], Array(101).fill(a())]) {
        const answer = await ask('POST /events', { as: 'editor', body: { ...base(), [what]: sent } });
        expect([sent, answer.status]).toEqual([sent, 400]);
        expect(Object.keys(answer.body.data.params)).toEqual([what]);
      }
    });

    it('are unlinked from events when they are deleted, and nothing else is', async () => {
      const { make, ask } = server();
      const [one, two] = [
        await make(`POST /${what}s`, { [what]: 'Leaving' }),
        await make(`POST /${what}s`, { [what]: 'Staying' }),
      ];
      const other = what === 'venue' ? 'organizer' : 'venue';
      const links = {
        [what]: [one.id, two.id],
        [other]: known[`${other} A`],
        categories: ['Linked'],
        tags: ['linked'],
      };
      const event = await make('POST /events', { ...base(), ...links });
      await make(`DELETE /${what}s/${one.id}`, undefined);
      const { body } = await ask(`GET /events/${event.id}`);
      expect(linked(body, what)).toEqual(['Staying']);
      expect([linked(body, other), body.categories.length, body.tags.length]).toEqual([['A'], 1, 1]);
      await make(`PATCH /${what}s/${one.id}`, { status: 'publish' });
      expect(linked((await ask(`GET /events/${event.id}`)).body, what)).toEqual(['Staying']);
      await make(`DELETE /${what}s/${two.id}`, { force: true });
      expect((await ask(`GET /events/${event.id}`)).body[what]).toEqual([]);
    });
  });

  it('an event shows no venue as [], one as an object and several as a list; organizers always as a list', async () => {
    const { make } = server();
    const [A, B] = [known['venue A'], known['venue B']];
    const event = await make('POST /events', { ...base(), organizer: known['organizer A'] });
    expect([event.venue, event.organizer.length]).toEqual([[], 1]);
    expect((await make(`PATCH /events/${event.id}`, { venue: A })).venue).toMatchObject({ id: A, venue: 'A' });
    expect((await make(`PATCH /events/${event.id}`, { venue: [B, A] })).venue).toMatchObject([{ id: B }, { id: A }]);
  });

  it('an inline venue has all its fields', async () => {
    const fields = {
      venue: 'Château d’Été',
      description: 'Old',
      address: '1 Rue de l’Évêché',
      city: 'Orléans',
      country: 'France',
      province: 'Loiret',
      zip: '45000',
      phone: '+33 2 00',
      website: 'https://chateau.example/',
      show_map: false,
      geo_lat: 47.9,
      geo_lng: 1.9,
    };
    const made = await server().make('POST /events', { ...base(), venue: fields });
    expect(made.venue).toMatchObject({ ...fields, stateprovince: 'Loiret', show_map_link: true });
    const { body } = await server().ask(`GET /venues/${made.venue.id}`);
    const { json_ld: _ld, ...alone } = body;
    expect(alone).toEqual(made.venue);
  });

  describe('an inline object with the name of a published record', () => {
    const named = (server: TestServer, fields: object, as: 'administrator' | 'author' = 'administrator') =>
      server.make('POST /events', { ...base(), organizer: fields }, as).then((event) => event.organizer[0]);
    const first = async (name: string, fields: object) =>
      server().make('POST /organizers', { organizer: name, ...fields });

    it('refers to that record, ignoring case', async () => {
      const record = await first('City Choir', { phone: '1' });
      const before = await count('organizers');
      for (const fields of [{ organizer: 'city CHOIR' }, { organizer: 'City Choir', phone: '1', email: '' }])
        expect(await named(server(), fields, 'author')).toEqual(record);
      expect(await count('organizers')).toBe(before);
    });

    it('creates another one when a field contradicts', async () => {
      const record = await first('Brass Band', { phone: '1', email: 'a@band.example' });
      const made = await named(server(), { organizer: 'Brass Band', phone: '2' });
      expect(made).toMatchObject({ organizer: 'Brass Band', phone: '2', slug: 'brass-band-2' });
      expect(made.email).toBeUndefined();
      expect((await server().ask(`GET /organizers/${record.id}`)).body.phone).toBe('1');
      const again = await named(server(), { organizer: 'Brass Band', phone: '2' });
      expect(again.id).toBe(made.id);
    });

    it('adds what the record lacks, for users who may edit it', async () => {
      const record = await first('Drum Circle', { phone: '1' });
      const foreign = await named(server(), { organizer: 'Drum Circle', email: 'd@drum.example' }, 'author');
      expect(foreign.id).not.toBe(record.id);
      expect(foreign).toMatchObject({ email: 'd@drum.example' });
      const added = await named(server(), { organizer: 'Drum Circle', phone: '1', website: 'https://drum.example/' });
      expect(added).toMatchObject({ id: record.id, phone: '1', website: 'https://drum.example/' });
    });

    it('creates another one when that record is a draft, private or in the trash', async () => {
      for (const status of ['draft', 'private', 'trash']) {
        const record = await first(`Hidden ${status}`, { status });
        const made = await named(server(), { organizer: `Hidden ${status}` });
        expect(made.id).not.toBe(record.id);
        expect(made.status).toBe('publish');
      }
    });

    it('POST /venues and POST /organizers always create', async () => {
      for (const [plural, fields] of [
        ['venues', { venue: 'Always' }],
        ['organizers', { organizer: 'Always' }],
      ] as const) {
        const [one, two] = [
          await server().make(`POST /${plural}`, fields),
          await server().make(`POST /${plural}`, fields),
        ];
        expect([one.slug, two.slug]).toEqual(['always', 'always-2']);
      }
    });
  });

  it('inline records get a status and an author permitted to their creator', async () => {
    const { make, ask, userId } = server();
    const venue = { venue: 'Draft Hall', status: 'draft' };
    expect((await make('POST /events', { ...base(), venue })).venue).toMatchObject({ status: 'draft' });
    const own = await make('POST /events', { ...base(), venue: { venue: 'Own Hall' } }, 'contributor');
    expect(own.venue).toMatchObject({ status: 'draft', author: String(userId('contributor')) });
    const other = { venue: 'Foreign Hall', author: userId('editor') };
    const refused = await ask('POST /events', { as: 'contributor', body: { ...base(), venue: other } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
  });
});
