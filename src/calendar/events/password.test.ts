import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, DATABASES, useTestServer } from '../../../test/server.ts';

const LOCKED = {
  title: 'Members only',
  start_date: '2027-03-01 09:00:00',
  end_date: '2027-03-01 11:00:00',
  description: 'Hidden words',
  excerpt: 'Hidden summary',
  cost: '20$',
  website: 'https://hidden.example/',
  featured: true,
  sticky: true,
  show_map: true,
  show_map_link: true,
  venue: { venue: 'Hidden Hall' },
  organizer: [{ organizer: 'Hidden Choir' }],
  categories: ['Hidden'],
  tags: ['hidden'],
  post_password: 'open sesame',
};

const MASKED = {
  description: '',
  excerpt: '',
  cost: '',
  website: '',
  image: false,
  all_day: null,
  show_map: null,
  show_map_link: null,
  hide_from_listings: null,
  sticky: null,
  featured: null,
  ticketed: null,
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
  custom_fields: [],
};

describe.each(DATABASES)('events with a password on %s', (kind) => {
  const server = useTestServer(kind);
  let made: Answer['body'];
  beforeAll(async () => {
    await server().make('POST /tags', { name: 'hidden' });
    made = await server().make('POST /events', LOCKED, 'author');
  });

  const single = (asking: Parameters<ReturnType<typeof server>['ask']>[1]) =>
    server().ask(`GET /events/${made.id}`, asking);
  const listed = async (asking: Parameters<ReturnType<typeof server>['ask']>[1] = {}) => {
    const { body } = await server().ask('GET /events', { ...asking, query: { include: made.id, ...asking.query } });
    return body.events[0];
  };

  it('are shown in full to their author, without the password', () => {
    expect(made).toMatchObject({ description: 'Hidden words', venue: { venue: 'Hidden Hall' }, featured: true });
    expect(JSON.stringify(made)).not.toContain('sesame');
  });

  it.each([
    ['nobody', undefined, {}],
    ['a wrong password', undefined, { password: 'open' }],
    ['a longer password', undefined, { password: 'open sesame ' }],
    ['another case', undefined, { password: 'Open Sesame' }],
    ['a contributor', 'contributor', {}],
    ['a subscriber', 'subscriber', { context: 'edit' }],
  ] as const)('are locked for %s, and masked in lists', async (_name, as, query) => {
    const answer = await single({ as, query });
    expect(answer).toMatchObject({ status: 403, body: { code: 'event-password-protected' } });
    const bySlug = await server().ask(`GET /events/by-slug/${made.slug}`, { as, query });
    expect([bySlug.status, bySlug.body.code]).toEqual([403, 'event-password-protected']);
    const event = await listed({ as, query });
    const { attendance: _attendance, ...shown } = made;
    expect(event).toEqual({ ...shown, ...MASKED });
    expect(JSON.stringify(event).toLowerCase()).not.toContain('hidden words');
  });

  it.each([
    ['the password', undefined, { password: 'open sesame' }],
    ['the author', 'author', {}],
    ['an editor', 'editor', {}],
    ['an editor with a wrong password', 'editor', { password: 'x' }],
    ['the administrator', 'administrator', {}],
  ] as const)('are unlocked for %s', async (_name, as, query) => {
    const answer = await single({ as, query });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ description: 'Hidden words', tags: [{ name: 'hidden' }], json_ld: {} });
    expect(await listed({ as, query })).toMatchObject({ description: 'Hidden words', venue: { venue: 'Hidden Hall' } });
  });

  it('are found by title only by viewers for whom they are locked', async () => {
    const total = async (search: string, asking: Parameters<typeof single>[0] = {}) =>
      (await server().ask('GET /events', { ...asking, query: { search, ...asking.query } })).body.total;
    expect([await total('members'), await total('hidden'), await total('members words')]).toEqual([1, 0, 0]);
    expect(await total('hidden', { as: 'contributor' })).toBe(0);
    expect(await total('hidden', { query: { password: 'open sesame' } })).toBe(1);
    for (const as of ['author', 'editor'] as const) expect(await total('members words', { as })).toBe(1);
  });

  it('take the password on update and delete too, where the right to edit decides', async () => {
    const { make, ask } = server();
    const { id } = await make('POST /events', LOCKED, 'author');
    const query = { password: 'open sesame' };
    for (const method of ['PATCH', 'DELETE'])
      expect((await ask(`${method} /events/${id}`, { as: 'contributor', query })).status).toBe(403);
    expect((await ask(`PATCH /events/${id}`, { as: 'author', query, body: {} })).status).toBe(200);
    await make(`DELETE /events/${id}`, { force: true });
  });

  it.each(['', null])('lose the password when %j is sent, and keep it when none is sent', async (nothing) => {
    const { make, ask } = server();
    const { id } = await make('POST /events', { ...LOCKED, post_password: 'one' });
    await make(`PATCH /events/${id}`, { title: 'Still locked', password: 'two' });
    expect((await ask(`GET /events/${id}`, { query: { password: 'one' } })).status).toBe(200);
    await make(`PATCH /events/${id}`, { post_password: 'three' });
    expect((await ask(`GET /events/${id}`, { query: { password: 'one' } })).status).toBe(403);
    await make(`PATCH /events/${id}`, { post_password: nothing });
    expect((await ask(`GET /events/${id}`)).status).toBe(200);
    await make(`DELETE /events/${id}`, { force: true });
  });

  it('refuse an empty password, and do not change the responses for unpublished events', async () => {
    const { make, ask } = server();
    expect(await single({ query: { password: '' } })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    });
    const draft = await make('POST /events', { ...LOCKED, status: 'draft' });
    const answer = await ask(`GET /events/${draft.id}`, { query: { password: 'open sesame' } });
    expect([answer.status, answer.body.code]).toEqual([403, 'event-not-accessible']);
    await make(`DELETE /events/${draft.id}`, { force: true });
  });
});
