import { afterEach, describe, expect, it } from 'vitest';
import { png, upload } from '../../../../test/fixtures.ts';
import { runJobs } from '../../../../test/jobs.ts';
import { DATABASES, NOON, useTestServer } from '../../../../test/server.ts';
import { usualOf } from '../../../../test/thoroughness.ts';
import { extendSeries } from './series-job.ts';

const MONDAY = { title: 'Pottery', start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };
const DAY = 86_400_000;

describe.each(DATABASES)('fields that a series shares on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind);
  afterEach(() => {
    server().clock.now = NOON;
  });
  const begin = (event: object = {}, rrule = 'FREQ=WEEKLY;COUNT=4') =>
    server().make('POST /series', { event: { ...MONDAY, ...event }, recurrence: { rrule } });
  const idsOf = async (series: number): Promise<number[]> => {
    const { body } = await server().ask(`GET /series/${series}/occurrences`, {
      as: 'editor',
      query: { per_page: 100 },
    });
    return body.occurrences.map(({ id }: { id: number }) => id);
  };
  const patch = (id: number | undefined, body: object, query = {}) =>
    server().ask(`PATCH /events/${id}`, { as: 'editor', body, query });
  const read = async (id: number | undefined, query = {}) =>
    (await server().ask(`GET /events/${id}`, { as: 'editor', query })).body;
  /** Two months later, all of the work of the series is done. */
  const extend = async () => {
    server().clock.now = new Date(server().clock.now.getTime() + 70 * DAY);
    await extendSeries(server().context);
    await runJobs(server().context);
  };

  it('leave out the parent, which may be an occurrence or be deleted', async () => {
    const { make, ask } = server();
    const festival = await make('POST /events', { ...MONDAY, title: 'Festival' });
    const series = await begin({ post_parent: festival.id }, 'FREQ=MONTHLY');
    const [first, second] = await idsOf(series.id);
    const { query } = server().context.db;
    const parents = async () =>
      (await query.selectFrom('events').select('parent_id').where('series_id', '=', series.id).execute()).flatMap(
        ({ parent_id }) => parent_id ?? [],
      );
    expect(await parents()).toEqual([festival.id]);
    expect((await patch(second, { post_parent: first, scope: 'all' })).status).toBe(200);
    expect(await parents()).toEqual([festival.id, first]);
    await ask(`DELETE /events/${festival.id}`, { as: 'editor', query: { force: true } });
    expect((await patch(second, { title: 'Clay', scope: 'all' })).status).toBe(200);
    await extend();
    const last = (await idsOf(series.id)).at(-1);
    expect((await read(last)).title).toBe('Clay');
  });

  it('are written only if they changed, so that a merge or a deletion is not undone', async () => {
    const { make, ask } = server();
    const old = await make('POST /venues', { venue: 'Old kiln' });
    const survivor = await make('POST /venues', { venue: 'New kiln' });
    const { id: tag } = await make('POST /tags', { name: 'Clay' });
    const image = (await ask('POST admin:/media', { as: 'editor', form: upload(await png(4, 4)) })).body;
    const series = await begin({ venue: old.id, tags: [tag], image: image.id });
    const [first, second] = await idsOf(series.id);
    await make(`POST admin:/venues/${survivor.id}/merge`, { from: [old.id] });
    await ask(`DELETE /tags/${tag}`, { as: 'administrator' });
    await ask(`DELETE admin:/media/${image.id}`, { as: 'administrator', query: { force: true } });
    const { query } = server().context.db;
    await query.deleteFrom('merged_records').execute();
    await query.updateTable('events').set({ image_id: null }).where('image_id', '=', image.id).execute();
    // A statement of its own, as by a command.
    await query
      .updateTable('events')
      .set({ website: 'https://clay.test/' })
      .where('id', '=', second ?? 0)
      .execute();
    expect((await patch(first, { title: 'Clay', scope: 'all' })).status).toBe(200);
    expect(await read(second)).toMatchObject({
      ...{ title: 'Clay', website: 'https://clay.test/', venue: { id: survivor.id }, tags: [], image: false },
    });
  });

  it('reach an event that missed several changes', async () => {
    const { make, ask } = server();
    const series = await begin();
    const [first, second] = await idsOf(series.id);
    await ask(`DELETE /events/${second}`, { as: 'editor' });
    await patch(first, { title: 'Clay', scope: 'all' });
    await patch(first, { website: 'https://clay.test/', scope: 'all' });
    await make(`PATCH /events/${second}`, { status: 'publish' });
    await runJobs(server().context);
    expect(await read(second)).toMatchObject({ title: 'Clay', website: 'https://clay.test/' });
  });

  it('are texts of one language', async () => {
    const series = await begin({}, 'FREQ=MONTHLY');
    const [first, second, third] = await idsOf(series.id);
    const french = { i18n_language: 'fr' };
    await patch(first, { title: 'First evening' });
    await patch(third, { title: 'Soirée' }, french);
    expect((await patch(first, { title: 'Poterie', scope: 'all' }, french)).status).toBe(200);
    expect([await read(first), await read(second), await read(third)]).toMatchObject([
      { title: 'First evening', series: { own_fields: ['title'] } },
      { title: 'Pottery', series: { own_fields: [] } },
      { title: 'Pottery', series: { own_fields: ['title@fr'] } },
    ]);
    expect([await read(first, french), await read(second, french), await read(third, french)]).toMatchObject([
      ...[{ title: 'Poterie' }, { title: 'Poterie' }, { title: 'Soirée' }],
    ]);
    expect((await patch(third, { title: 'Clay', scope: 'all' })).status).toBe(200);
    await extend();
    const last = (await idsOf(series.id)).at(-1);
    expect([(await read(last)).title, (await read(last, french)).title]).toEqual(['Clay', 'Poterie']);
    expect([(await read(first)).title, (await read(third, french)).title]).toEqual(['First evening', 'Soirée']);
  });

  it('may begin in another language, whose texts the first one borrows', async () => {
    const french = { i18n_language: 'fr' };
    const series = await begin();
    const [first, second] = await idsOf(series.id);
    await patch(first, { excerpt: 'Le soir', scope: 'all' }, french);
    await patch(first, { excerpt: 'In the evening', scope: 'all' });
    expect((await read(second)).excerpt).toContain('In the evening');
    expect((await read(second, french)).excerpt).toContain('Le soir');
  });

  usually('are only the changed parts of times, and a moved event stays on its day', async () => {
    const series = await begin();
    const [first, second] = await idsOf(series.id);
    await patch(second, { start_date: '2027-03-09 18:00', end_date: '2027-03-09 20:00' });
    const longer = { end_date: '2027-03-09 21:00', scope: 'all' };
    expect((await patch(second, longer)).status).toBe(200);
    expect(await read(first)).toMatchObject({
      ...{ start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 22:00:00' },
    });
    const later = { start_date: '2027-03-09 20:00', end_date: '2027-03-09 23:00', scope: 'all' };
    expect((await patch(second, later)).status).toBe(200);
    expect((await patch(second, { title: 'Clay', scope: 'all' })).status).toBe(200);
    expect((await patch(first, { end_date: '2027-03-01 22:30', scope: 'all' })).status).toBe(200);
    expect([await read(first), await read(second)]).toMatchObject([
      { title: 'Clay', start_date: '2027-03-01 20:00:00', end_date: '2027-03-01 22:30:00' },
      {
        ...{ start_date: '2027-03-09 20:00:00', end_date: '2027-03-09 23:00:00', series: { own_fields: ['times'] } },
      },
    ]);
  });

  it('have an author, who follows the events to another account', async () => {
    const { ask, userId } = server();
    const series = await begin({}, 'FREQ=MONTHLY');
    const [first, second] = await idsOf(series.id);
    const author = async () => (await ask(`GET /series/${series.id}`, { as: 'editor' })).body.author;
    const writer = userId('contributor');
    expect((await patch(first, { author: writer, scope: 'all' })).status).toBe(200);
    expect([await author(), (await read(second)).author]).toEqual([String(writer), String(writer)]);
    const heir = userId('author');
    const { body: guest } = await ask('POST admin:/users', {
      ...{
        as: 'administrator',
        body: {
          username: `guest-${kind}`,
          email: `guest@${kind}.test`,
          password: 'a long-enough secret',
          role: 'author',
        },
      },
    });
    expect((await patch(first, { author: guest.id, scope: 'all' })).status).toBe(200);
    const refused = await ask(`DELETE admin:/users/${guest.id}`, { as: 'administrator' });
    expect(refused.status).toBe(409);
    const gone = await ask(`DELETE admin:/users/${guest.id}`, { as: 'administrator', query: { reassign: heir } });
    expect([gone.status, await author()]).toEqual([200, String(heir)]);
    await extend();
    expect((await read((await idsOf(series.id)).at(-1))).author).toBe(String(heir));
  });

  usually('have a time of publication if they are scheduled', async () => {
    const series = await begin();
    const [first, second] = await idsOf(series.id);
    const status = async () => {
      const { status: now, date } = await read(second);
      return [now, date];
    };
    const schedule = { status: 'future', date: '2026-12-01 10:00:00', scope: 'all' };
    expect((await patch(first, schedule)).status).toBe(200);
    expect(await status()).toEqual(['future', '2026-12-01 10:00:00']);
    expect((await patch(first, { date: '2026-12-02 10:00:00', scope: 'all' })).status).toBe(200);
    expect(await status()).toEqual(['future', '2026-12-02 10:00:00']);
    const publish = { status: 'publish', date: '2026-11-20 10:00:00', scope: 'all' };
    expect((await patch(first, publish)).status).toBe(200);
    expect(await status()).toEqual(['publish', '2026-11-20 10:00:00']);
  });

  describe('are taken again by an event that has its own', () => {
    const OWN = { title: 'Clay', start_date: '2027-03-09 20:00:00', end_date: '2027-03-09 22:00:00', sticky: true };
    /** A series whose second event has changed some fields. */
    async function beginWithOwn() {
      const { id: venue } = await server().make('POST /venues', { venue: 'Kiln' });
      const series = await begin({ venue });
      const [, second] = await idsOf(series.id);
      expect((await patch(second, { ...OWN, venue: [] })).status).toBe(200);
      return { series: series.id as number, second, venue };
    }
    const ownOf = async (id: number | undefined) => (await read(id)).series.own_fields;

    it('and follow the series then', async () => {
      const { series, second, venue } = await beginWithOwn();
      expect(await ownOf(second)).toEqual(['sticky', 'times', 'title', 'venue']);
      const { revision } = await read(second);
      const answer = await patch(second, { own_fields: ['sticky', 'title'] });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        ...{ title: 'Clay', sticky: true, revision: revision + 1, venue: { id: venue } },
        ...{ start_date: '2027-03-08 19:00:00', end_date: '2027-03-08 21:00:00' },
      });
      expect(await ownOf(second)).toEqual(['sticky', 'title']);
      const [first] = await idsOf(series);
      await patch(first, { title: 'Raku', end_date: '2027-03-01 21:30:00', scope: 'all' });
      expect(await read(second)).toMatchObject({ title: 'Clay', end_date: '2027-03-08 21:30:00' });
      expect((await patch(second, { own_fields: [] })).body).toMatchObject({ title: 'Raku', sticky: false });
      expect(await ownOf(second)).toEqual([]);
      // Once more, nothing changes.
      const last = (await read(second)).revision;
      expect((await patch(second, { own_fields: [] })).body.revision).toBe(last);
    });

    it('after the other changes of the request, in its language, and with an entry in the log', async () => {
      const { second } = await beginWithOwn();
      await patch(second, { title: 'Argile' }, { i18n_language: 'fr' });
      expect(await ownOf(second)).toContain('title@fr');
      const kept = ['sticky', 'times', 'title', 'venue', 'website'];
      const body = { website: 'https://kiln.example/', own_fields: kept };
      expect((await patch(second, body)).body).toMatchObject({ title: 'Clay', website: 'https://kiln.example/' });
      expect(await ownOf(second)).toEqual(kept);
      expect((await read(second, { i18n_language: 'fr' })).title).toBe('Clay');
      const as = 'administrator';
      const { audit } = (await server().ask('GET admin:/audit', { as, query: { kind: 'event', id: second ?? 0 } }))
        .body;
      const { text } = await server().ask(`GET admin:/audit/${audit[0].id}`, { as });
      expect(text).toContain('Argile');
    });

    usually('but only fields of its own, alone, by an editor of the series, and unless it was edited', async () => {
      const { series, second } = await beginWithOwn();
      const [first] = await idsOf(series);
      const refused = async (body: object, id = second, headers = {}) =>
        (await server().ask(`PATCH /events/${id}`, { as: 'editor', body, headers })).status;
      expect(await refused({ own_fields: ['website'] })).toBe(400);
      expect(await refused({ own_fields: 'title' })).toBe(400);
      expect(await refused({ own_fields: [7] })).toBe(400);
      expect(await refused({ own_fields: [], scope: 'all' })).toBe(400);
      expect(await refused({ own_fields: [], website: 'https://a.example/' }, second, { 'If-Match': '"r0"' })).toBe(
        412,
      );
      const single = await server().make('POST /events', MONDAY);
      expect(await refused({ own_fields: [] }, single.id)).toBe(400);
      expect(await refused({ own_fields: [] }, first)).toBe(200);
      const author = server().userId('author');
      await patch(second, { author });
      const asAuthor = await server().ask(`PATCH /events/${second}`, {
        as: 'author',
        body: { own_fields: ['author_id'] },
      });
      expect(asAuthor.status).toBe(403);
      expect((await read(second)).title).toBe('Clay');
      await patch(second, { status: 'trash' });
      expect(await refused({ own_fields: [] })).toBe(410);
    });

    usually('not by clients of the reference', async () => {
      const { second } = await beginWithOwn();
      const old = { as: 'editor', prefix: '/wp-json/tribe' } as const;
      expect(
        (await server().ask(`PATCH /events/${second}`, { ...old, body: { own_fields: [], title: 'Mud' } })).status,
      ).toBe(200);
      expect(await read(second)).toMatchObject({ title: 'Mud', sticky: true });
    });
  });
});
