import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { EVENING } from '../../../test/tickets.ts';
import type { AddressedKind } from '../../db/tables/calendar.ts';
import { findByFormerSlug } from './former-slugs.ts';

let serial = 0;

describe.each(DATABASES)('former slugs on %s', (kind) => {
  const server = useTestServer(kind);
  const find = (of: AddressedKind, slug: string) => findByFormerSlug(server().context.db, of, slug);
  const fresh = (word: string) => `${word}-${++serial}`;
  const makeEvent = (fields: object = {}) =>
    server().make('POST /events', { ...EVENING, slug: fresh('walk'), ...fields });
  const change = (id: number, body: object) => server().make(`PATCH /events/${id}`, body);

  const KINDS: [of: AddressedKind, create: string, name: string, change: (id: number) => string][] = [
    ['event', '/events', 'title', (id) => `/events/${id}`],
    ['venue', '/venues', 'venue', (id) => `wp:/tribe_venue/${id}`],
    ['organizer', '/organizers', 'organizer', (id) => `wp:/tribe_organizer/${id}`],
    ['category', '/categories', 'name', (id) => `/categories/${id}`],
    ['tag', '/tags', 'name', (id) => `/tags/${id}`],
  ];

  describe.each(KINDS)('of an %s', (of, create, name, address) => {
    const make = () => server().make(`POST ${create}`, { ...(of === 'event' && EVENING), [name]: fresh('old') });

    it('lead to the record after it is renamed, whatever their letter case', async () => {
      const { id, slug } = await make();
      expect(await find(of, slug)).toBeUndefined();
      await server().make(`PATCH ${address(id)}`, { slug: fresh('new') });
      expect(await find(of, slug.toUpperCase())).toMatchObject({ id, isTrashed: false });
      for (const [other] of KINDS) if (other !== of) expect(await find(other, slug)).toBeUndefined();
    });

    it('are ended by another record that takes them, and by the record itself', async () => {
      const [one, two] = [await make(), await make()];
      const [first, second] = [fresh('first'), fresh('second')];
      await server().make(`PATCH ${address(one.id)}`, { slug: first });
      await server().make(`PATCH ${address(two.id)}`, { slug: one.slug });
      expect(await find(of, one.slug)).toBeUndefined();
      await server().make(`PATCH ${address(one.id)}`, { slug: second });
      await server().make(`PATCH ${address(one.id)}`, { slug: first });
      expect([await find(of, first), await find(of, second)]).toMatchObject([
        undefined,
        { id: one.id, slug: first, isTrashed: false },
      ]);
    });

    it('go with the record that is deleted permanently', async () => {
      const { id, slug } = await make();
      await server().make(`PATCH ${address(id)}`, { slug: fresh('new') });
      await server().ask(`DELETE ${create}/${id}`, { as: 'administrator', query: { force: true } });
      expect(await find(of, slug)).toBeUndefined();
      const left = server().context.db.query.selectFrom('former_slugs').select('slug').where('slug', '=', slug);
      expect(await left.execute()).toEqual([]);
    });

    it('are the latest twenty', async () => {
      const { id, slug } = await make();
      const slugs = Array.from({ length: 21 }, () => fresh('new'));
      for (const one of slugs) await server().make(`PATCH ${address(id)}`, { slug: one });
      expect(await find(of, slug)).toBeUndefined();
      for (const one of slugs.slice(0, 20)) expect(await find(of, one)).toMatchObject({ id, isTrashed: false });
    });
  });

  it('of a public record in the trash are gone, until it is public again or the slug is taken', async () => {
    const { id, slug } = await makeEvent();
    const older = fresh('older');
    await change(id, { slug: older });
    await change(id, { slug });
    await server().make(`DELETE /events/${id}`, undefined);
    for (const one of [slug, older]) expect(await find('event', one)).toMatchObject({ id, isTrashed: true });
    expect(await find('event', `${slug}__trashed`)).toBeUndefined();
    await change(id, { status: 'publish' });
    expect(await find('event', slug)).toBeUndefined();
    expect(await find('event', older)).toMatchObject({ id, isTrashed: false });
    await server().make(`DELETE /events/${id}`, undefined);
    await makeEvent({ slug });
    expect(await find('event', slug)).toBeUndefined();
  });

  it('of a trashed venue are gone', async () => {
    const { id, slug } = await server().make('POST /venues', { venue: fresh('Hall') });
    await server().make(`DELETE /venues/${id}`, undefined);
    expect(await find('venue', slug)).toMatchObject({ id, isTrashed: true });
  });

  it.each(['draft', 'pending', 'private'])(
    'of a record that became %s lead nowhere until it is public',
    async (status) => {
      const { id, slug } = await makeEvent();
      await change(id, { slug: fresh('new'), status });
      expect(await find('event', slug)).toBeUndefined();
      await server().make(`DELETE /events/${id}`, undefined);
      expect(await find('event', slug)).toBeUndefined();
      await change(id, { status: 'publish' });
      expect(await find('event', slug)).toMatchObject({ id, isTrashed: false });
    },
  );

  it.each(['draft', 'pending', 'private', 'future'])('are not kept of a record that is %s', async (status) => {
    const { id, slug } = await makeEvent({ status, date: '2027-01-01' });
    await change(id, { slug: fresh('new'), date: '2026-01-01', status: 'publish' });
    expect(await find('event', slug)).toBeUndefined();
  });

  it('are not ended by a draft, which has no address, until it is published', async () => {
    const { id, slug } = await makeEvent();
    await change(id, { slug: fresh('new') });
    const draft = await makeEvent({ slug, status: 'draft' });
    expect(await find('event', slug)).toMatchObject({ id, isTrashed: false });
    await change(draft.id, { status: 'publish' });
    expect(await find('event', slug)).toBeUndefined();
  });
});
