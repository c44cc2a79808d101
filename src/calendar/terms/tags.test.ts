import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

describe.each(DATABASES)('tags on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });

  it('a tag has no parent', async () => {
    const { ask, make } = server();
    const { id } = await make('POST /tags', { name: 'flat' });
    const { id: other } = await make('POST /tags', { name: 'flat too' });
    expect((await ask(`GET /tags/${id}`)).body).not.toHaveProperty('parent');
    for (const call of ['POST /tags', `PATCH /tags/${id}`])
      for (const parent of [other, 0])
        expect(await ask(call, { as: 'editor', body: { name: 'deep', parent } })).toMatchObject({
          status: 400,
          body: { code: 'rest_taxonomy_not_hierarchical', data: { status: 400 } },
        });
    expect((await ask('POST /tags', { as: 'author', body: { name: 'deep', parent: other } })).status).toBe(403);
    expect((await ask('GET /tags', { query: { parent: 99_999, hide_empty: false } })).body.total).toBe(2);
  });

  it('a tag may have the name and slug of a category', async () => {
    const { make } = server();
    const category = await make('POST /categories', { name: 'shared' });
    const tag = await make('POST /tags', { name: 'shared' });
    expect([category.slug, tag.slug]).toEqual(['shared', 'shared']);
  });

  it('a write of an event finds and creates tags, also one whose name looks like an id', async () => {
    const { make } = server();
    const numeric = await make('POST /tags', { name: '2027' });
    const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
    const event = await make('POST /events', { title: 'Walk', ...dates, tags: '2027, brand new' });
    const tags = event.tags.map(({ id, name, slug }: Record<string, unknown>) => ({ id, name, slug }));
    expect(tags).toEqual([
      { id: numeric.id, name: '2027', slug: '2027' },
      { id: expect.any(Number), name: 'brand new', slug: 'brand-new' },
    ]);
  });
});
