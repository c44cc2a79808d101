import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeAttendee, makeRsvp, makeSeat } from '../../../../test/attendees.ts';
import { runJobs } from '../../../../test/jobs.ts';
import { DATABASES, NOON, useTestServer } from '../../../../test/server.ts';
import { holdOf } from '../../../../test/shopper.ts';
import { eventTickets } from '../../../ticketing/tickets/event-tickets.ts';

const MONDAY = { title: 'Pottery', start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };

interface Listed {
  id: number;
  title: string;
  status: string;
  start_date: string;
  event_status: string;
  recurrence_id: string;
  own_fields: string[];
}

describe.each(DATABASES)('the scope of a change on %s', (kind) => {
  const server = useTestServer(kind);
  afterEach(() => {
    server().clock.now = NOON;
  });
  const begin = (rrule = 'FREQ=WEEKLY;COUNT=4', event: object = {}, as: 'editor' | 'contributor' = 'editor') =>
    server().make('POST /series', { event: { ...MONDAY, ...event }, recurrence: { rrule } }, as);
  const occurrences = async (id: number): Promise<Listed[]> => {
    const answer = await server().ask(`GET /series/${id}/occurrences`, { as: 'editor', query: { per_page: 100 } });
    return answer.body.occurrences;
  };
  const at = async (id: number, index: number): Promise<Listed> => {
    const found = (await occurrences(id))[index];
    if (!found) throw new Error(`no occurrence ${index}`);
    return found;
  };
  const patch = (id: number, body: object, as: 'editor' | 'contributor' = 'editor', headers = {}) =>
    server().ask(`PATCH /events/${id}`, { as, body, headers });
  const seriesOf = async (id: number) => (await server().ask(`GET /events/${id}`, { as: 'editor' })).body.series;

  it('is this event alone by default, and its changed fields stay its own', async () => {
    const series = await begin();
    const second = await at(series.id, 1);
    await patch(second.id, { title: 'Glazing', start_date: '2027-03-09 18:00', end_date: '2027-03-09 20:00' });
    const third = await at(series.id, 2);
    expect((await patch(third.id, { title: 'Clay', cost: '7', scope: 'all' })).status).toBe(200);
    expect(await occurrences(series.id)).toMatchObject([
      { title: 'Clay', own_fields: [], start_date: '2027-03-01 19:00:00' },
      {
        title: 'Glazing',
        own_fields: ['times', 'title'],
        start_date: '2027-03-09 18:00:00',
        recurrence_id: '2027-03-08',
      },
      { title: 'Clay', own_fields: [] },
      { title: 'Clay', own_fields: [] },
    ]);
    expect((await server().ask(`GET /events/${second.id}`)).body.cost).toBe('$7');
    expect((await seriesOf(second.id)).position).toBe(2);
  });

  it('of all leaves past events, and changes time, links and texts of every language', async () => {
    const series = await begin();
    server().clock.now = new Date('2027-03-10T12:00:00Z');
    const third = await at(series.id, 2);
    await patch(third.id, {
      ...{ start_date: '2027-03-15 20:00', end_date: '2027-03-15 23:00', scope: 'all' },
      ...{ tags: ['Late'], organizer: { organizer: 'Guild' } },
    });
    await server().ask(`PATCH /events/${third.id}`, {
      ...{ as: 'editor', body: { title: 'Poterie', scope: 'all' }, query: { i18n_language: 'fr' } },
    });
    const list = await occurrences(series.id);
    expect(list.map(({ start_date }) => start_date)).toEqual([
      ...['2027-03-01 19:00:00', '2027-03-08 19:00:00', '2027-03-15 20:00:00', '2027-03-22 20:00:00'],
    ]);
    const last = await server().ask(`GET /events/${list[3]?.id}`, { query: { i18n_language: 'fr' } });
    expect(last.body).toMatchObject({
      ...{ title: 'Poterie', end_date: '2027-03-22 23:00:00', tags: [{ name: 'Late' }] },
      organizer: [{ organizer: 'Guild' }],
    });
    const first = await server().ask(`GET /events/${list[0]?.id}`, { query: { i18n_language: 'fr' } });
    expect(first.body).toMatchObject({ title: 'Pottery', tags: [] });
  });

  it('of following splits the series', async () => {
    const series = await begin('FREQ=WEEKLY;INTERVAL=2;COUNT=5');
    const third = await at(series.id, 2);
    await patch(third.id, { title: 'Advanced', scope: 'following' });
    const { id } = await seriesOf(third.id);
    expect(id).not.toBe(series.id);
    const { ask } = server();
    const [before, after] = [
      (await ask(`GET /series/${series.id}`)).body,
      (await ask(`GET /series/${id}`, { as: 'editor' })).body,
    ];
    expect(before).toMatchObject({ total: 2, recurrence: { rrule: 'FREQ=WEEKLY;INTERVAL=2;UNTIL=20270328' } });
    expect(after).toMatchObject({
      ...{ total: 3, title: 'Advanced', follows_series: series.id, pending: 0 },
      ...{ start_date: '2027-03-29 19:00:00', recurrence: { rrule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=3' } },
    });
    expect((await occurrences(id)).map(({ recurrence_id, title }) => [recurrence_id, title])).toEqual([
      ...[
        ['2027-03-29', 'Advanced'],
        ['2027-04-12', 'Advanced'],
        ['2027-04-26', 'Advanced'],
      ],
    ]);
    expect((await occurrences(series.id)).map(({ title }) => title)).toEqual(['Pottery', 'Pottery']);
    await runJobs(server().context);
    expect((await ask(`GET /series/${id}`)).body.total).toBe(3);
  });

  it('of following ends the series in its time zone', async () => {
    const tokyo = { start_date: '2027-03-27 08:00:00', end_date: '2027-03-27 09:00:00', timezone: 'Asia/Tokyo' };
    const series = await begin('FREQ=DAILY;UNTIL=20270328T230000Z', tokyo);
    const last = await at(series.id, 2);
    expect(last.recurrence_id).toBe('2027-03-29');
    await patch(last.id, { title: 'Advanced', scope: 'following' });
    const body = { recurrence: { exdates: [] }, dry_run: true };
    const preview = (await server().ask(`PATCH /series/${series.id}`, { as: 'editor', body })).body;
    expect([preview.dates, preview.added]).toEqual([['2027-03-27', '2027-03-28'], []]);
    expect((await occurrences((await seriesOf(last.id)).id)).map(({ recurrence_id }) => recurrence_id)).toEqual([
      '2027-03-29',
    ]);
  });

  it('of following is all for the first event', async () => {
    const series = await begin();
    const first = await at(series.id, 0);
    await patch(first.id, { title: 'Clay', scope: 'following' });
    expect((await seriesOf(first.id)).id).toBe(series.id);
    expect((await occurrences(series.id)).every(({ title }) => title === 'Clay')).toBe(true);
  });

  it('refuses another day, the trash, and outdated copies, and then changes nothing', async () => {
    const series = await begin();
    const second = await at(series.id, 1);
    const moved = await patch(second.id, {
      start_date: '2027-03-09 19:00',
      end_date: '2027-03-09 21:00',
      scope: 'all',
    });
    expect([moved.status, Object.keys(moved.body.data.params)]).toEqual([400, ['start_date']]);
    expect((await patch(second.id, { status: 'trash', scope: 'all' })).status).toBe(400);
    const outdated = await patch(second.id, { title: 'Clay', scope: 'all' }, 'editor', { 'If-Match': '"r99"' });
    expect(outdated.status).toBe(412);
    expect((await occurrences(series.id)).every(({ title }) => title === 'Pottery')).toBe(true);
    expect((await server().ask(`GET /series/${series.id}`)).body.revision).toBe(1);
  });

  it('asks before it moves, cancels or removes events with tickets', async () => {
    const { ask, make } = server();
    const series = await begin();
    const [first, second] = await occurrences(series.id);
    const seat = await makeSeat(server(), second?.id ?? 0);
    await makeAttendee(server(), seat);
    const cancel = { event_status: 'cancelled', scope: 'all' };
    const refused = await patch(first?.id ?? 0, cancel);
    expect([refused.status, refused.body.code]).toEqual([409, 'series-has-holders']);
    expect(refused.body.data).toMatchObject({ occurrences: 4, holders: 1, held: 0 });
    expect((await patch(first?.id ?? 0, { title: 'Clay', scope: 'all' })).status).toBe(200);
    const dates = { recurrence: { exdates: ['2027-03-08'] } };
    expect((await ask(`PATCH /series/${series.id}`, { as: 'editor', body: dates })).status).toBe(409);
    const query = { scope: 'following' };
    expect((await ask(`DELETE /events/${second?.id}`, { as: 'editor', query })).status).toBe(409);
    await make(`PATCH /events/${first?.id}`, { ...cancel, confirm_holders: true });
    expect((await occurrences(series.id)).every(({ event_status }) => event_status === 'cancelled')).toBe(true);
  });

  it('asks before events with tickets get a password or leave the listings', async () => {
    const series = await begin('FREQ=WEEKLY;COUNT=2');
    const [first, second] = await occurrences(series.id);
    await makeAttendee(server(), await makeSeat(server(), second?.id ?? 0));
    for (const change of [{ hide_from_listings: true }, { post_password: 'clay' }, { online_url: 'https://a.test/' }])
      expect([change, (await patch(first?.id ?? 0, { ...change, scope: 'all' })).status]).toEqual([change, 409]);
  });

  it('asks if carts hold places', async () => {
    const series = await begin('FREQ=WEEKLY;COUNT=2');
    const [first, second] = await occurrences(series.id);
    await holdOf(server(), await makeSeat(server(), second?.id ?? 0), 2);
    const { status, body } = await patch(first?.id ?? 0, { event_status: 'cancelled', scope: 'all' });
    expect([status, body.data]).toMatchObject([409, { occurrences: 2, holders: 0, held: 2 }]);
  });

  it('does not ask for RSVPs with no', async () => {
    const { make, context } = server();
    const series = await begin('FREQ=WEEKLY;COUNT=2');
    const [first, second] = await occurrences(series.id);
    const { id } = await makeAttendee(server(), await makeRsvp(server(), second?.id ?? 0));
    await context.db.query.updateTable('attendees').set({ attendance_status: 'no' }).where('id', '=', id).execute();
    await make(`PATCH /events/${first?.id}`, { event_status: 'cancelled', scope: 'all' });
    expect((await occurrences(series.id)).map(({ event_status }) => event_status)).toEqual(['cancelled', 'cancelled']);
  });

  it('of a deletion cannot be combined with force, and includes the named event if it is past', async () => {
    const { ask } = server();
    const series = await begin('FREQ=WEEKLY;COUNT=3');
    const [first, second] = await occurrences(series.id);
    const forced = await ask(`DELETE /events/${second?.id}`, { as: 'editor', query: { scope: 'all', force: true } });
    expect([forced.status, Object.keys(forced.body.data.params)]).toEqual([400, ['force']]);
    server().clock.now = new Date('2027-03-10T12:00:00Z');
    const gone = await ask(`DELETE /events/${second?.id}`, { as: 'editor', query: { scope: 'all' } });
    expect([gone.status, gone.body.status]).toEqual([200, 'trash']);
    expect((await occurrences(series.id)).map(({ id }) => id)).toEqual([first?.id]);
  });

  it.each([
    [{}, 'publish'],
    [{ confirm_holders: true }, 'trash'],
  ])(
    'of a deletion with %j leaves an event whose first place is sold meanwhile with status %s',
    async (sent, status) => {
      const series = await begin('FREQ=WEEKLY;COUNT=3');
      const last = await at(series.id, 2);
      await makeAttendee(server(), await makeSeat(server(), last.id));
      const count = vi.spyOn(eventTickets, 'countHolders').mockResolvedValueOnce({ holders: 0, held: 0 });
      const query = { scope: 'following', ...sent };
      const { status: code, body } = await server().ask(`DELETE /events/${last.id}`, { as: 'editor', query });
      count.mockRestore();
      expect([code, body.status]).toEqual([200, status]);
    },
  );

  it('is refused for a past event of a series in the trash', async () => {
    const series = await begin('FREQ=WEEKLY;COUNT=2');
    const first = await at(series.id, 0);
    server().clock.now = new Date('2027-03-05T12:00:00Z');
    await server().ask(`DELETE /series/${series.id}`, { as: 'editor' });
    const { status, body } = await server().ask(`DELETE /events/${first.id}`, {
      as: 'editor',
      query: { scope: 'all' },
    });
    expect([status, body.code]).toEqual([410, 'series-is-in-trash']);
  });

  it('cancels this Monday only', async () => {
    const series = await begin();
    const second = await at(series.id, 1);
    await patch(second.id, { event_status: 'cancelled', event_status_reason: 'Kiln is cold' });
    expect((await occurrences(series.id)).map(({ event_status }) => event_status)).toEqual([
      ...['scheduled', 'cancelled', 'scheduled', 'scheduled'],
    ]);
  });

  it('of a deletion is the rest of the series, or all of it, and each event can be restored', async () => {
    const { ask, make } = server();
    const series = await begin();
    const [first, , third, fourth] = await occurrences(series.id);
    const gone = await ask(`DELETE /events/${third?.id}`, { as: 'editor', query: { scope: 'following' } });
    expect([gone.status, gone.body.status]).toEqual([200, 'trash']);
    expect((await occurrences(series.id)).map(({ recurrence_id }) => recurrence_id)).toEqual([
      '2027-03-01',
      '2027-03-08',
    ]);
    await make(`PATCH /events/${fourth?.id}`, { status: 'publish' });
    await runJobs(server().context);
    expect((await occurrences(series.id)).map(({ recurrence_id }) => recurrence_id)).toEqual([
      ...['2027-03-01', '2027-03-08', '2027-03-22'],
    ]);
    await ask(`DELETE /events/${first?.id}`, { as: 'editor', query: { scope: 'all' } });
    expect(await occurrences(series.id)).toEqual([]);
    await make(`PATCH /events/${first?.id}`, { status: 'publish' });
    await runJobs(server().context);
    expect((await ask(`GET /events/${first?.id}`)).body).not.toHaveProperty('series');
  });

  it('never reaches events that the user may not edit', async () => {
    const { make } = server();
    const series = await begin('FREQ=WEEKLY;COUNT=3', {}, 'contributor');
    const [first, second] = await occurrences(series.id);
    await make(`PATCH /events/${second?.id}`, { status: 'publish' });
    const refused = await patch(first?.id ?? 0, { title: 'Mine', scope: 'all' }, 'contributor');
    expect([refused.status, refused.body.code]).toEqual([403, 'rest_forbidden']);
    expect((await occurrences(series.id)).every(({ title }) => title === 'Pottery')).toBe(true);
    expect((await patch(first?.id ?? 0, { title: 'Mine' }, 'contributor')).status).toBe(200);
  });

  it('is ignored for single events and under the prefix of the reference', async () => {
    const { make, ask } = server();
    const single = await make('POST /events', MONDAY);
    expect((await patch(single.id, { title: 'Alone', scope: 'all' })).status).toBe(200);
    const series = await begin();
    const first = await at(series.id, 0);
    await ask(`POST /events/${first.id}`, {
      ...{ as: 'editor', prefix: '/wp-json/tribe', body: { title: 'Old client', scope: 'all' } },
    });
    expect((await occurrences(series.id)).map(({ title }) => title)).toEqual([
      ...['Old client', 'Pottery', 'Pottery', 'Pottery'],
    ]);
  });

  it('changes many events in steps, completely', async () => {
    const series = await begin('FREQ=DAILY;COUNT=130');
    await runJobs(server().context);
    const first = await at(series.id, 0);
    await patch(first.id, { title: 'Daily clay', scope: 'all' });
    const { ask } = server();
    expect((await ask(`GET /series/${series.id}`, { as: 'editor' })).body.pending).toBe(79);
    await runJobs(server().context);
    expect((await ask(`GET /series/${series.id}`, { as: 'editor' })).body.pending).toBe(0);
    const listed = await ask('GET /events', { query: { search: 'Daily clay', start_date: '2027-01-01' } });
    expect(listed.body.total).toBe(130);
  });

  it('copies the tickets of the first event, with places of their own and sales before each start', async () => {
    const { make, ask } = server();
    const event = await make('POST /events', MONDAY);
    const sale = { start_date: '2027-02-22', end_date: '2027-03-01', end_time: '19:00:00' };
    const seat = await makeSeat(server(), event.id, 5, sale);
    await makeAttendee(server(), seat);
    const series = await make('POST /series', { event_id: event.id, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } });
    const last = await at(series.id, 2);
    const { body } = await ask('GET tickets:/tickets', { as: 'editor', query: { include_post: last.id } });
    expect(body.tickets).toMatchObject([
      {
        post_id: last.id,
        ...{ capacity: 5, capacity_details: { available: 5 } },
        ...{ available_from: '2027-03-08', available_until: '2027-03-15 19:00:00' },
      },
    ]);
    const author = await ask('POST /series', {
      ...{ as: 'contributor', body: { event_id: last.id, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } } },
    });
    expect(author.status).toBe(403);
  });
});
