import { describe, expect, it } from 'vitest';
import { type Answer, DATABASES, useTestServer } from '../../../test/server.ts';

const BASE = { title: 'Lantern Night', start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };
/** A unique title for each event, since finding a free slug would take most of the time of these tests. */
let titles = 0;
const base = () => {
  titles += 1;
  return { ...BASE, title: `Lantern Night ${titles}` };
};
const TAXONOMIES = ['categories', 'tags'] as const;
const namesOf = (terms: { name: string }[]) => terms.map(({ name }) => name);

describe.each(DATABASES)('terms of events on %s', (kind) => {
  const server = useTestServer(kind);

  describe.each(TAXONOMIES)('%s', (what) => {
    let unique = 0;
    /** A separate term for each test. */
    const makeTerm = async () => {
      unique += 1;
      return server().make(`POST /${what}`, { name: `Known ${what} ${unique}`, slug: `${what}-k${unique}` });
    };
    const total = async () =>
      (await server().ask(`GET /${what}`, { query: { hide_empty: false, per_page: 1 } })).body.total;

    it('are named by id, slug or name, in a list, a CSV or alone', async () => {
      const { make } = server();
      const { id, name, slug } = await makeTerm();
      const before = await total();
      const forms = [id, String(id), [id], [String(id)], { a: id }, name, name.toUpperCase(), slug, slug.toUpperCase()];
      for (const sent of [...forms, [id, slug, name], `${id}, ${slug} ,${name}`]) {
        const made = await make('POST /events', { ...base(), [what]: sent });
        expect([sent, made[what].map((term: { id: number }) => term.id)]).toEqual([sent, [id]]);
      }
      expect(await total()).toBe(before);
    });

    it('are created once each when their names are new, in order of name', async () => {
      const { make } = server();
      const known = await makeTerm();
      const made = await make('POST /events', { ...base(), [what]: ['zeta new', known.id, 'Alpha, new', 'ZETA NEW'] });
      expect(namesOf(made[what])).toEqual(['Alpha, new', known.name, 'zeta new']);
      expect(made[what][0]).toMatchObject({ slug: 'alpha-new', count: 1 });
      const csv = await make('POST /events', { ...base(), [what]: ' sp , sq,, ' });
      expect(namesOf(csv[what])).toEqual(['sp', 'sq']);
      const bold = await make('POST /events', { ...base(), [what]: '<b>bold</b>' });
      expect(namesOf(bold[what])).toEqual(['bold']);
    });

    it('show all their members', async () => {
      const { make } = server();
      const { id, name, slug } = await makeTerm();
      const made = await make('POST /events', { ...base(), [what]: id });
      const collection = `http://localhost/calendar/events/v1/${what}`;
      expect(made[what]).toEqual([
        {
          name,
          slug,
          term_group: 0,
          term_taxonomy_id: id,
          taxonomy: what === 'tags' ? 'post_tag' : 'calendar_events_cat',
          description: '',
          parent: 0,
          count: 1,
          filter: 'raw',
          id,
          urls: { self: `${collection}/${id}`, collection },
        },
      ]);
    });

    it('that do not exist are refused by id, and made by name only for users who may make them', async () => {
      const { ask, make } = server();
      const { id, name } = await makeTerm();
      const before = await total();
      for (const sent of [[id, 999_999], '999999']) {
        const answer = await ask('POST /events', { as: 'administrator', body: { ...base(), [what]: sent } });
        expect(Object.keys(answer.body.data.params)).toEqual([what]);
      }
      const makers = what === 'tags' ? ['administrator', 'editor'] : ['administrator', 'editor', 'author'];
      for (const as of ['administrator', 'editor', 'author', 'contributor'] as const) {
        const body = { ...base(), [what]: [id, `Made by ${as}`] };
        const answer = await ask('POST /events', { as, body });
        expect([as, answer.status]).toEqual([as, makers.includes(as) ? 201 : 400]);
        if (answer.status === 400) expect(Object.keys(answer.body.data.params)).toEqual([what]);
        expect(namesOf((await make('POST /events', { ...base(), [what]: name }, as))[what])).toEqual([name]);
      }
      expect(await total()).toBe(before + makers.length);
    });

    it('are unchanged when not sent, and replaced when sent', async () => {
      const { make } = server();
      const [one, two] = [await makeTerm(), await makeTerm()];
      const made = await make('POST /events', { ...base(), [what]: one.id });
      const ids = (body: Answer['body']) => body[what].map((term: { id: number }) => term.id);
      expect(ids(await make(`PATCH /events/${made.id}`, { title: 'x' }))).toEqual([one.id]);
      expect(ids(await make(`PATCH /events/${made.id}`, { [what]: [two.id] }))).toEqual([two.id]);
      for (const nothing of [[], '', null, {}]) {
        await make(`PATCH /events/${made.id}`, { [what]: [one.id, two.id] });
        expect(ids(await make(`PATCH /events/${made.id}`, { [what]: nothing }))).toEqual([]);
      }
    });

    it('count their published events, whatever happens to these', async () => {
      const { make, ask, clock } = server();
      const [term, other] = [await makeTerm(), await makeTerm()];
      const counts = async () => {
        const read = async ({ id }: { id: number }) => (await ask(`GET /${what}/${id}`)).body.count;
        return [await read(term), await read(other)];
      };
      const steps: [call: string, body: object | undefined, counts: [number, number]][] = [
        ['PATCH', {}, [1, 0]],
        ['PATCH', { status: 'draft' }, [0, 0]],
        ['PATCH', { status: 'publish' }, [1, 0]],
        ['PATCH', { [what]: [term.id, other.id] }, [1, 1]],
        ['PATCH', { [what]: other.id }, [0, 1]],
        ['PATCH', { status: 'private', [what]: [term.id] }, [0, 0]],
        ['PATCH', { status: 'publish', [what]: [term.id] }, [1, 0]],
        ['PATCH', { date: '2027-01-01' }, [0, 0]],
        ['PATCH', { date: '2026-01-01' }, [1, 0]],
        ['DELETE', undefined, [0, 0]],
        ['PATCH', { status: 'pending' }, [0, 0]],
        ['PATCH', { status: 'publish' }, [1, 0]],
        ['PATCH', { [what]: [] }, [0, 0]],
        ['PATCH', { [what]: [term.id, other.id] }, [1, 1]],
        ['DELETE', { force: true }, [0, 0]],
      ];
      const draft = await make('POST /events', { ...base(), status: 'draft', [what]: term.id });
      expect(await counts()).toEqual([0, 0]);
      await make(`DELETE /events/${draft.id}`, { force: true });
      const { id } = await make('POST /events', { ...base(), [what]: [term.id, term.slug] });
      for (const [method, body, expected] of steps) {
        await make(`${method} /events/${id}`, body);
        expect([method, body, await counts()]).toEqual([method, body, expected]);
      }
      expect(clock.now).toEqual(new Date('2026-11-21T17:00:00Z'));
    });

    it('are gone from events when they are deleted', async () => {
      const { make, ask } = server();
      const [term, other] = [await makeTerm(), await makeTerm()];
      const event = await make('POST /events', { ...base(), [what]: [term.id, other.id] });
      await make(`DELETE /${what}/${term.id}`, undefined);
      expect(namesOf((await ask(`GET /events/${event.id}`)).body[what])).toEqual([other.name]);
    });
  });
});
