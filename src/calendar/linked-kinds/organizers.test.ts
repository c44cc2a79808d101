import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

describe.each(DATABASES)('organizers on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  const lantern = { phone: '1111 22', website: 'http://one.com', email: 'hi@common.com' };

  it('the phone, website and e-mail address of an organizer are public', async () => {
    const made = await server().make('POST /organizers', { organizer: 'Lantern Society', ...lantern });
    expect(made).toMatchObject({ organizer: 'Lantern Society', ...lantern });
    expect(made).not.toHaveProperty('show_map');
    const { body } = await server().ask(`GET /organizers/${made.id}`);
    expect(body).toEqual({ ...made, json_ld: expect.anything() });
    expect(body.json_ld).toMatchObject({
      url: 'http://one.com',
      telephone: '1111 22',
      email: 'hi@common.com',
      sameAs: 'http://one.com',
    });
  });

  it('an organizer is an organization unless its type is person, and no search looks at the type', async () => {
    const ada = await server().make('POST /organizers', { organizer: 'Ada', organizer_type: 'person' });
    const club = await server().make('POST /organizers', { organizer: 'Club' });
    const read = async (id: number) => (await server().ask(`GET /organizers/${id}`)).body;
    expect([ada.organizer_type, (await read(ada.id)).json_ld['@type']]).toEqual(['person', 'Person']);
    expect(club).not.toHaveProperty('organizer_type');
    expect((await read(club.id)).json_ld['@type']).toBe('Organization');
    expect((await server().ask('GET /organizers', { query: { search: 'person' } })).body.total).toBe(0);
    const refused = await server().ask(`PATCH /organizers/${ada.id}`, {
      ...{ as: 'editor', body: { organizer_type: 'robot' } },
    });
    expect(refused.status).toBe(400);
    expect(await server().make(`PATCH /organizers/${ada.id}`, { organizer_type: null })).not.toHaveProperty(
      'organizer_type',
    );
  });

  it('an e-mail address may be any text and can be cleared alone', async () => {
    const { id } = await server().make('POST /organizers', { organizer: 'Odd', ...lantern, email: 'not an email' });
    const read = async () => (await server().ask(`GET /organizers/${id}`)).body;
    expect((await read()).email).toBe('not an email');
    await server().make(`PATCH /organizers/${id}`, { email: '' });
    expect(await read()).toMatchObject({ phone: lantern.phone, website: lantern.website });
    expect(await read()).not.toHaveProperty('email');
  });

  it.each([
    ['1111', 2],
    ['http://one.com', 2],
    ['@common.com', 1],
    ['hi@common.com lantern', 1],
    ['nobody', 0],
  ])('searching for %j finds %i organizers', async (search, count) => {
    await server().make('POST /organizers', { organizer: 'Lantern Society', ...lantern });
    await server().make('POST /organizers', { organizer: 'Odd', ...lantern, email: '' });
    expect((await server().ask('GET /organizers', { query: { search } })).body.total).toBe(count);
  });

  it('an event keeps the order of its organizers', async () => {
    const { make } = server();
    const [a, b] = [
      await make('POST /organizers', { organizer: 'A' }),
      await make('POST /organizers', { organizer: 'B' }),
    ];
    const walk = { title: 'Walk', start_date: '2027-01-01', end_date: '2027-01-02' };
    const event = await make('POST /events', { ...walk, organizer: [b.id, a.id] });
    expect(event.organizer.map(({ id }: { id: number }) => id)).toEqual([b.id, a.id]);
  });
});
