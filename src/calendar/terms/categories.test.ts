import { beforeEach, describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

describe.each(DATABASES)('the tree of categories on %s', (kind) => {
  const server = useTestServer(kind);
  let top: { id: number };
  let middle: { id: number };
  let leaf: { id: number };

  const create = (name: string, parent?: unknown) => server().make('POST /categories', { name, parent });
  const move = (id: number, parent: unknown) =>
    server().ask(`PATCH /categories/${id}`, { as: 'editor', body: { parent } });
  const parentOf = async (id: number) => (await server().ask(`GET /categories/${id}`)).body.parent;

  beforeEach(async () => {
    top = await create('Top');
    middle = await create('Middle', top.id);
    leaf = await create('Leaf', String(middle.id));
    return async () => {
      for (const { id } of [leaf, middle, top]) await server().ask(`DELETE /categories/${id}`, { as: 'editor' });
    };
  });

  it('the address of a category contains those above it', async () => {
    const root = 'http://localhost/calendar/events/v1/categories';
    expect((await server().ask(`GET /categories/${leaf.id}`)).body).toMatchObject({
      parent: middle.id,
      url: 'http://localhost/events/category/top/middle/leaf/',
      urls: { self: `${root}/${leaf.id}`, collection: root, up: `${root}/${middle.id}` },
      _links: { up: [{ href: `${root}/${middle.id}` }] },
    });
    expect((await server().ask(`GET /categories/${top.id}`)).body.urls).not.toHaveProperty('up');
  });

  it('a child with the name of its parent gets another slug', async () => {
    const twin = await create('Middle', middle.id);
    expect(twin.slug).toBe('middle-middle');
    expect(
      (await server().ask('POST /categories', { as: 'editor', body: { name: 'Middle', parent: middle.id } })).body.code,
    ).toBe('term_exists');
    await server().ask(`DELETE /categories/${twin.id}`, { as: 'editor' });
  });

  it.each([0, '0', null, ''])('a category moves to the top with the parent %j', async (nothing) => {
    expect((await move(leaf.id, nothing)).body.parent).toBe(0);
  });

  it('a category keeps its parent when none is sent', async () => {
    const body = { description: 'x' };
    expect((await server().ask(`PATCH /categories/${leaf.id}`, { as: 'editor', body })).body.parent).toBe(middle.id);
  });

  it.each([99_999, -1, 'top', 1.5])('the parent %j is refused', async (parent) => {
    for (const call of ['POST /categories', `PATCH /categories/${leaf.id}`])
      expect(await server().ask(call, { as: 'editor', body: { name: 'New', parent } })).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { params: { parent: expect.any(String) } } },
      });
  });

  it('a category cannot move below itself', async () => {
    for (const below of [top, middle, leaf])
      expect(await move(top.id, below.id)).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(await parentOf(top.id)).toBe(0);
  });

  it('two categories that move at the same time cannot form a loop', async () => {
    await move(middle.id, 0);
    const answers = await Promise.all([move(top.id, middle.id), move(middle.id, top.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect([await parentOf(top.id), await parentOf(middle.id)]).toContain(0);
  });

  it('removing a category moves its children up one level', async () => {
    await server().ask(`DELETE /categories/${middle.id}`, { as: 'editor' });
    expect(await parentOf(leaf.id)).toBe(top.id);
    await server().ask(`DELETE /categories/${top.id}`, { as: 'editor' });
    expect(await parentOf(leaf.id)).toBe(0);
  });

  it('the filter parent lists one level', async () => {
    const { ask } = server();
    const names = async (parent: unknown) =>
      (await ask('GET /categories', { query: { hide_empty: false, parent: String(parent) } })).body.categories.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names(0)).toEqual(['Top']);
    expect(await names(top.id)).toEqual(['Middle']);
    expect(await names(leaf.id)).toEqual([]);
    for (const parent of ['', 'nope', '99999', '-1'])
      expect((await ask('GET /categories', { query: { parent } })).status).toBe(400);
  });

  it('the filter categories finds events of all categories below', async () => {
    const dates = { start_date: '2027-01-01', end_date: '2027-01-02' };
    const { id } = await server().make('POST /events', { title: 'Deep', ...dates, categories: [leaf.id] });
    const found = async (category: number | string) =>
      (await server().ask('GET /events', { query: { categories: category } })).body.total;
    expect(await found(top.id)).toBe(1);
    expect(await found('LEAF')).toBe(1);
    await move(leaf.id, 0);
    expect(await found('top')).toBe(0);
    await server().ask(`DELETE /events/${id}`, { as: 'editor', query: { force: true } });
  });
});
