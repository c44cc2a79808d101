import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../test/server.ts';
import { publishScheduled } from './publish-scheduled.ts';

const BASE = { title: 'Lantern Night', start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };
const NOON = new Date('2026-11-21T17:00:00Z');
const ZERO = '0000-00-00 00:00:00';

type Row = [sent: object, status: string, date: string, dateUtc: string];

/** The fields sent for a new event, and the resulting publication. The site is in New York, where it is noon. */
const CREATED: Row[] = [
  [{}, 'publish', '2026-11-21 12:00:00', '2026-11-21 17:00:00'],
  [{ date: '2026-11-21 12:00:00' }, 'publish', '2026-11-21 12:00:00', '2026-11-21 17:00:00'],
  [{ date: '2026-11-21 12:00:01' }, 'future', '2026-11-21 12:00:01', '2026-11-21 17:00:01'],
  [{ date: '2026-07-04 09:00' }, 'publish', '2026-07-04 09:00:00', '2026-07-04 13:00:00'],
  [{ date: 'tomorrow 9am' }, 'future', '2026-11-22 09:00:00', '2026-11-22 14:00:00'],
  [{ date_utc: 'tomorrow 9am' }, 'future', '2026-11-22 04:00:00', '2026-11-22 09:00:00'],
  [{ date: '2026-11-21T18:00:00+01:00' }, 'publish', '2026-11-21 12:00:00', '2026-11-21 17:00:00'],
  [{ date_utc: '2026-11-21T18:00:00+01:00' }, 'publish', '2026-11-21 12:00:00', '2026-11-21 17:00:00'],
  [{ date_utc: '2026-11-21 17:00:01' }, 'future', '2026-11-21 12:00:01', '2026-11-21 17:00:01'],
  // A number of seconds is read as local time, as it appears in UTC.
  [{ date: '1795262400' }, 'publish', '2026-11-21 12:00:00', '2026-11-21 17:00:00'],
  [{ date_utc: '1795262400' }, 'publish', '2026-11-21 07:00:00', '2026-11-21 12:00:00'],
  [
    { date: '2026-01-02 03:04:05', date_utc: '2025-01-02 03:04:05' },
    'publish',
    '2026-01-02 03:04:05',
    '2025-01-02 03:04:05',
  ],
  [
    { date: '2026-01-02 03:04:05', date_utc: '2030-01-02 03:04:05' },
    'future',
    '2026-01-02 03:04:05',
    '2030-01-02 03:04:05',
  ],
  [{ status: 'future' }, 'publish', '2026-11-21 12:00:00', '2026-11-21 17:00:00'],
  [{ status: 'future', date: '2026-11-20' }, 'publish', '2026-11-20 00:00:00', '2026-11-20 05:00:00'],
  [{ status: 'future', date: '2026-12-24' }, 'future', '2026-12-24 00:00:00', '2026-12-24 05:00:00'],
  [{ status: 'publish', date: '2026-12-24' }, 'future', '2026-12-24 00:00:00', '2026-12-24 05:00:00'],
  [{ status: 'private', date: '2026-12-24' }, 'private', '2026-12-24 00:00:00', '2026-12-24 05:00:00'],
  [{ status: 'draft' }, 'draft', '2026-11-21 12:00:00', ZERO],
  [{ status: 'pending' }, 'pending', '2026-11-21 12:00:00', ZERO],
  [{ status: 'draft', date: '2026-12-24' }, 'draft', '2026-12-24 00:00:00', ZERO],
  [{ status: 'draft', date_utc: '2026-12-24' }, 'draft', '2026-12-23 19:00:00', '2026-12-24 00:00:00'],
];

/** The fields sent to events of each kind a day later, and the resulting publication. */
const CHANGED: [first: object, then: object, ...(Row extends [object, ...infer R] ? R : never)][] = [
  [{}, { title: 'x' }, 'publish', '2026-11-21 12:00:00', '2026-11-21 17:00:00'],
  [{ date: '2026-12-24' }, { title: 'x' }, 'future', '2026-12-24 00:00:00', '2026-12-24 05:00:00'],
  [{ date: '2026-12-24' }, { status: 'publish' }, 'future', '2026-12-24 00:00:00', '2026-12-24 05:00:00'],
  [{ date: '2026-12-24' }, { date: '2026-11-01' }, 'publish', '2026-11-01 00:00:00', '2026-11-01 04:00:00'],
  [{}, { date: '2026-12-24' }, 'future', '2026-12-24 00:00:00', '2026-12-24 05:00:00'],
  [{}, { status: 'future', date: '2026-12-24' }, 'future', '2026-12-24 00:00:00', '2026-12-24 05:00:00'],
  // Due, though the publishing job has not run yet.
  [{ date: '2026-11-22 10:00' }, { title: 'x' }, 'publish', '2026-11-22 10:00:00', '2026-11-22 15:00:00'],
  [{}, { status: 'draft' }, 'draft', '2026-11-21 12:00:00', '2026-11-21 17:00:00'],
  [{ status: 'draft' }, { title: 'x' }, 'draft', '2026-11-21 12:00:00', ZERO],
  [{ status: 'draft' }, { status: 'pending' }, 'pending', '2026-11-21 12:00:00', ZERO],
  [{ status: 'draft' }, { status: 'publish' }, 'publish', '2026-11-22 12:00:00', '2026-11-22 17:00:00'],
  [{ status: 'draft' }, { status: 'private' }, 'private', '2026-11-22 12:00:00', '2026-11-22 17:00:00'],
  [{ status: 'draft' }, { status: 'future' }, 'publish', '2026-11-22 12:00:00', '2026-11-22 17:00:00'],
  [
    { status: 'draft', date: '2026-12-24' },
    { status: 'publish' },
    'future',
    '2026-12-24 00:00:00',
    '2026-12-24 05:00:00',
  ],
  [
    { status: 'draft', date: '2026-12-24' },
    { status: 'future' },
    'future',
    '2026-12-24 00:00:00',
    '2026-12-24 05:00:00',
  ],
  [
    { status: 'draft', date: '2026-11-01' },
    { status: 'publish' },
    'publish',
    '2026-11-22 12:00:00',
    '2026-11-22 17:00:00',
  ],
  [
    { status: 'draft' },
    { status: 'publish', date: '2026-11-01' },
    'publish',
    '2026-11-01 00:00:00',
    '2026-11-01 04:00:00',
  ],
  [
    { status: 'draft' },
    { status: 'future', date: '2026-12-24' },
    'future',
    '2026-12-24 00:00:00',
    '2026-12-24 05:00:00',
  ],
  [{ status: 'trash' }, { status: 'publish' }, 'publish', '2026-11-21 12:00:00', '2026-11-21 17:00:00'],
];

describe.each(DATABASES)('publication of events on %s', (kind) => {
  const server = useTestServer(kind);

  it.each(CREATED)('created with %j is %s at %s', async (sent, status, date, date_utc) => {
    const made = await server().make('POST /events', { ...BASE, ...sent });
    expect(made).toMatchObject({ status, date, date_utc });
    const { body } = await server().ask(`GET /events/${made.id}`, { as: 'editor' });
    expect(body).toMatchObject({ status, date, date_utc });
  });

  it.each(CHANGED)('created with %j and changed by %j is %s at %s', async (first, then, status, date, date_utc) => {
    const { make, clock } = server();
    clock.now = NOON;
    const made = await make('POST /events', { ...BASE, ...first });
    clock.now = new Date(NOON.getTime() + 86_400_000);
    const changed = await make(`PATCH /events/${made.id}`, then);
    clock.now = NOON;
    // A write that changes nothing is no edit.
    const modified_utc = changed.revision === made.revision ? '2026-11-21 17:00:00' : '2026-11-22 17:00:00';
    expect(changed).toMatchObject({ status, date, date_utc, modified_utc });
  });

  it('reads relative dates in the time zone that is sent with them', async () => {
    const made = await server().make('POST /events', { ...BASE, date: 'today 23:00', timezone: 'Pacific/Kiritimati' });
    expect(made).toMatchObject({ date: '2026-11-22 23:00:00', status: 'future' });
  });

  it('happens at its time, once, and counts for terms from then on', async () => {
    const { context, make, ask, clock } = server();
    const links = { categories: ['Scheduled'], tags: ['later'], venue: { venue: 'Later Hall' } };
    const made = await make('POST /events', { ...BASE, ...links, date: '2026-11-23 10:00' });
    const venue = await make('POST /venues', { venue: 'Due Hall', date: '2026-11-23 10:00' });
    const state = async () => [
      (await ask(`GET /events/${made.id}`)).status,
      (await ask('GET /events', { query: { include: made.id } })).body.total,
      (await ask('GET /events', { query: { tags: 'later' } })).body.total,
      (await ask(`GET /categories/${made.categories[0].id}`)).body.count,
      (await ask(`GET /tags/${made.tags[0].id}`)).body.count,
      (await ask(`GET /venues/${venue.id}`)).status,
    ];
    const waiting = [403, 0, 0, 0, 0, 403];
    expect(await state()).toEqual(waiting);
    clock.now = new Date('2026-11-23T14:59:59Z');
    await publishScheduled(context);
    expect(await state()).toEqual(waiting);
    clock.now = new Date('2026-11-23T15:00:00Z');
    const published = await Promise.all([publishScheduled(context), publishScheduled(context)]);
    expect(Math.max(...published)).toBeGreaterThanOrEqual(2);
    expect(await state()).toEqual([200, 1, 1, 1, 1, 200]);
    expect(await publishScheduled(context)).toBe(0);
    const { body } = await ask(`GET /events/${made.id}`);
    expect(body).toMatchObject({ status: 'publish', date: '2026-11-23 10:00:00', modified: made.modified });
    expect(body.url).toBe(`http://localhost/event/${made.slug}/`);
    clock.now = NOON;
  });

  it('does not happen for drafts, private events and events in the trash', async () => {
    const { context, make, ask, clock } = server();
    const ids: number[] = [];
    for (const status of ['draft', 'private', 'trash'])
      ids.push((await make('POST /events', { ...BASE, status, date: '2026-11-23 10:00' })).id);
    clock.now = new Date('2027-01-01T00:00:00Z');
    await publishScheduled(context);
    const { body } = await ask('GET /events', { query: { include: ids.join(',') } });
    clock.now = NOON;
    expect(body.total).toBe(0);
  });

  it('happens for any number of events', async () => {
    const { context, make, clock } = server();
    const { id } = await make('POST /events', { ...BASE, date: '2026-11-24' });
    const { query } = context.db;
    const row = await query.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const more = Array.from({ length: 149 }, (_, index) => ({ ...row, id: 10_000 + index, slug: `due-${index}` }));
    await query
      .insertInto('records')
      .values(more.map((event) => ({ id: event.id, kind: 'event' as const })))
      .execute();
    await query.insertInto('events').values(more).execute();
    clock.now = new Date('2026-11-25T00:00:00Z');
    let published = 0;
    for (let round = 1; round > 0; ) {
      round = await publishScheduled(context);
      published += round;
    }
    clock.now = NOON;
    expect(published).toBeGreaterThanOrEqual(150);
    const left = await query
      .selectFrom('events')
      .select('id')
      .where('status', '=', 'future')
      .where('title', '=', row.title)
      .where('date_utc', '<', '2026-11-25')
      .execute();
    expect(left).toEqual([]);
  });
});
