import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';

describe.each(DATABASES)('colours of categories on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });

  it('a category has a colour, which its events show, but not under the old addresses', async () => {
    const made = await server().make('POST /categories', { name: 'Music', color: '#2A9D8F' });
    const top = await server().make('POST /categories', { name: 'Top' });
    expect(made.color).toBe('#2a9d8f');
    const id = await makeEvent(server(), { title: 'Concert', categories: [made.id, top.id] });
    const categories = async (root = '') => {
      const path = `${root}/events/${id}`;
      // The schema of an event has them.
      const body = (await (await server().request(path)).json()) as { categories: { name: string; color?: string }[] };
      return body.categories;
    };
    const byName = (all: { name: string; color?: string }[]) => Object.fromEntries(all.map((one) => [one.name, one]));
    const own = byName(await categories('/calendar/events/v1'));
    expect([own.Music?.color, own.Top]).toEqual(['#2a9d8f', expect.not.objectContaining({ color: expect.anything() })]);
    const old = byName(await categories('/wp-json/tribe/events/v1'));
    expect(old.Music).not.toHaveProperty('color');
    const read = await server().request(`/wp-json/tribe/events/v1/categories/${made.id}`);
    expect(await read.json()).not.toHaveProperty('color');

    const change = (color: unknown) =>
      server().ask(`PATCH /categories/${made.id}`, { as: 'editor', body: { color, name: 'Music' } });
    expect((await change('#000000')).body.color).toBe('#000000');
    expect((await change(null)).body).not.toHaveProperty('color');
    for (const wrong of ['red', '#fff', '#12345g', '#1234567', 5, ['#123456', '#123456']])
      expect((await change(wrong)).body.data?.params, String(wrong)).toHaveProperty('color');
    const { audit } = (await server().ask('GET admin:/audit', { as: 'administrator', query: { kind: 'category' } }))
      .body;
    await server().make(`POST admin:/audit/${audit[0].id}/restore`, {});
    expect((await server().ask(`GET /categories/${made.id}`)).body.color).toBe('#000000');
  });

  it('the survivor of a merge may take over a colour, and undoing brings both back', async () => {
    const kept = await server().make('POST /categories', { name: 'Music', color: '#111111' });
    const gone = await server().make('POST /categories', { name: 'Musik', color: '#222222' });
    const body = { from: [gone.id], fields: { color: '#222222' } };
    const merged = await server().make(`POST admin:/categories/${kept.id}/merge`, body);
    const color = async (id: number) => (await server().ask(`GET /categories/${id}`)).body.color;
    expect(await color(kept.id)).toBe('#222222');
    await server().make(`POST admin:/merges/${merged.merge}/undo`, {});
    expect([await color(kept.id), await color(gone.id)]).toEqual(['#111111', '#222222']);
  });
});
