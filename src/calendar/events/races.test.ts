import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

const BASE = { title: 'Lantern Night', start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };

describe.each(DATABASES)('events written at the same time on %s', (kind) => {
  const server = useTestServer(kind);
  const all = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  it('get different slugs for one title', async () => {
    const made = await all(4, () => server().make('POST /events', { ...BASE, title: 'Same name' }));
    expect(made.map(({ slug }) => slug).sort()).toEqual(['same-name', 'same-name-2', 'same-name-3', 'same-name-4']);
  });

  it('create a new term once, which counts all of them', async () => {
    const made = await all(4, () => server().make('POST /events', { ...BASE, tags: ['fresh'], categories: 'Fresh' }));
    expect(new Set(made.map(({ tags }) => tags[0].id)).size).toBe(1);
    const { body } = await server().ask(`GET /tags/${made[0].tags[0].id}`);
    expect(body.count).toBe(4);
  });

  it('keep concurrent changes to different fields', async () => {
    const { make, ask } = server();
    const { id } = await make('POST /events', BASE);
    const changes = [
      { title: 'Changed' },
      { excerpt: 'Short' },
      { cost: '20$' },
      { start_date: '2027-03-01 08:00:00' },
      { end_date: '2027-03-02 12:00:00' },
      { timezone: 'Asia/Tokyo' },
      { tags: ['one'] },
      { venue: { venue: 'Hall' } },
    ];
    await Promise.all(changes.map((change) => make(`PATCH /events/${id}`, change)));
    expect((await ask(`GET /events/${id}`)).body).toMatchObject({
      title: 'Changed',
      excerpt: 'Short',
      cost: '20$',
      start_date: '2027-03-01 08:00:00',
      end_date: '2027-03-02 12:00:00',
      timezone: 'Asia/Tokyo',
      utc_start_date: '2027-02-28 23:00:00',
      utc_end_date: '2027-03-02 03:00:00',
      tags: [{ name: 'one' }],
      venue: { venue: 'Hall' },
    });
  });

  it('never end before they start', async () => {
    const { make, ask } = server();
    const { id } = await make('POST /events', { ...BASE, end_date: '2027-03-05 11:00:00' });
    const answers = await Promise.all(
      [{ start_date: '2027-03-04 09:00' }, { end_date: '2027-03-02 09:00' }].map((body) =>
        ask(`PATCH /events/${id}`, { as: 'editor', body }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(Object.keys(refused?.body.data.params)).toEqual(['end_date']);
    const { body } = await ask(`GET /events/${id}`);
    expect(body.utc_start_date < body.utc_end_date).toBe(true);
  });

  it('count once for their terms, however often they are published, trashed or removed', async () => {
    const { make, ask } = server();
    const { id, tags } = await make('POST /events', { ...BASE, tags: ['counted'], status: 'draft' });
    const count = async () => (await ask(`GET /tags/${tags[0].id}`)).body.count;
    await all(4, () => make(`PATCH /events/${id}`, { status: 'publish' }));
    expect(await count()).toBe(1);
    await all(2, () => ask(`DELETE /events/${id}`, { as: 'editor' }));
    expect(await count()).toBe(0);
    await make(`PATCH /events/${id}`, { status: 'publish' });
    const removed = await all(3, () => ask(`DELETE /events/${id}`, { as: 'editor', query: { force: true } }));
    expect(removed.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await count()).toBe(0);
  });
});
