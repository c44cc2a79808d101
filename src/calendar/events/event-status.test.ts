import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import { EVENING, makeTicket } from '../../../test/tickets.ts';

const TRIBE = { prefix: '/wp-json/tribe' } as const;
const MEMBERS = ['event_status', 'event_status_reason', 'previous_start_date'];
const CANCELLED = { event_status: 'cancelled', event_status_reason: 'The hall is flooded.' };
const SCHEMA = 'https://schema.org/';

type Event = Answer['body'];

const statusOf = (event: Event): Event =>
  Object.fromEntries(MEMBERS.flatMap((name) => (name in event ? [[name, event[name]]] : [])));

describe.each(DATABASES)('the status of events on %s', (kind) => {
  const server = useTestServer(kind);
  const add = (fields: object): Promise<Event> => server().make('POST /events', { ...EVENING, ...fields });
  const change = (id: number, fields: object): Promise<Event> => server().make(`PATCH /events/${id}`, fields);
  const read = async (id: number, asking: Asking = {}): Promise<Event> =>
    (await server().ask(`GET /events/${id}`, asking)).body;

  it('is shown to clients of the reference only where an event does not take place as announced', async () => {
    const usual = await add({});
    const cancelled = await add(CANCELLED);
    expect(statusOf(await read(usual.id))).toEqual({
      ...{ event_status: 'scheduled', event_status_reason: '', previous_start_date: null },
    });
    expect(statusOf(await read(cancelled.id))).toEqual({ ...CANCELLED, previous_start_date: null });
    expect(statusOf(await read(usual.id, TRIBE))).toEqual({});
    expect(statusOf(await read(cancelled.id, TRIBE))).toEqual(CANCELLED);
    const { body } = await server().ask('GET /events', {
      ...TRIBE,
      query: { include: `${usual.id},${cancelled.id}` },
    });
    expect(body.events.map(statusOf)).toEqual([{}, CANCELLED]);
  });

  it('keeps fields that a write does not name, and takes the reason as plain text', async () => {
    const { id } = await add({ event_status: 'postponed', event_status_reason: '<b>Storm</b>\n warning & rain' });
    const renamed = await change(id, { title: 'Night' });
    expect(statusOf(renamed)).toEqual({
      ...{ event_status: 'postponed', event_status_reason: 'Storm warning & rain', previous_start_date: null },
    });
  });

  it.each([
    ['an event is moved', {}, { start_date: '2027-03-06 19:30' }, null],
    ['it is moved and rescheduled', {}, { event_status: 'rescheduled', start_date: '2027-03-06 19:30' }, '18:30:00'],
    ['a rescheduled one is moved', { event_status: 'rescheduled' }, { start_date: '2027-03-06 17:30' }, '18:30:00'],
    ['it keeps its start', { event_status: 'rescheduled' }, { end_date: '2027-03-06 23:00' }, null],
    ['the same start is sent', { event_status: 'rescheduled' }, { start_date: EVENING.start_date }, null],
    ['its time zone changes', { event_status: 'rescheduled' }, { timezone: 'America/Chicago' }, '17:30:00'],
    [
      'another one is sent',
      { event_status: 'rescheduled' },
      { start_date: '2027-03-06 19:30', previous_start_date: '2027-03-06 12:00' },
      '12:00:00',
    ],
    ['it is sent with an offset', {}, { previous_start_date: '2027-03-06T12:00:00Z' }, '07:00:00'],
    [
      'it is cleared',
      { event_status: 'rescheduled' },
      { start_date: '2027-03-06 19:30', previous_start_date: null },
      null,
    ],
  ])('has a previous start as expected when %s', async (_when, before, write, time) => {
    const { id } = await add(before);
    const { previous_start_date } = await change(id, { end_date: '2027-03-06 23:30', ...write });
    expect(previous_start_date).toBe(time && `2027-03-06 ${time}`);
  });

  it('includes an open sale only while it is set, and never for clients of the reference', async () => {
    const { id } = await add({ event_status: 'postponed' });
    expect(await read(id)).not.toHaveProperty('sale_stays_open');
    expect(await change(id, { sale_stays_open: true })).toHaveProperty('sale_stays_open', true);
    expect(await change(id, { title: 'Night' })).toHaveProperty('sale_stays_open', true);
    expect(await read(id, TRIBE)).not.toHaveProperty('sale_stays_open');
    const { body } = await server().ask('GET /events', { query: { include: id } });
    expect(body.events).toEqual([expect.objectContaining({ sale_stays_open: true })]);
    const copy = await server().make(`POST admin:/events/${id}/duplicate`, {});
    expect(copy).not.toHaveProperty('sale_stays_open');
    expect(await change(id, { sale_stays_open: null })).not.toHaveProperty('sale_stays_open');
  });

  it('remembers the start before the last move', async () => {
    const { id } = await add({ event_status: 'rescheduled' });
    for (const start_date of ['2027-03-06 19:00', '2027-03-06 20:00']) await change(id, { start_date });
    await change(id, { title: 'Night' });
    expect((await read(id)).previous_start_date).toBe('2027-03-06 19:00:00');
  });

  it.each([
    ['scheduled', 'EventScheduled', 'Offline', undefined],
    ['cancelled', 'EventCancelled', 'Offline', '2027-03-05T18:30:00-05:00'],
    ['postponed', 'EventPostponed', 'Offline', '2027-03-05T18:30:00-05:00'],
    ['rescheduled', 'EventRescheduled', 'Offline', '2027-03-05T18:30:00-05:00'],
    ['moved_online', 'EventMovedOnline', 'Online', '2027-03-05T18:30:00-05:00'],
  ])('%s is told to search engines', async (event_status, name, mode, previousStartDate) => {
    const { id } = await add({ event_status, previous_start_date: '2027-03-05 18:30', venue: { venue: 'Old mill' } });
    const { json_ld } = await read(id);
    expect(json_ld).toMatchObject({
      eventStatus: SCHEMA + name,
      eventAttendanceMode: `${SCHEMA}${mode}EventAttendanceMode`,
      location: { '@type': event_status === 'moved_online' ? 'VirtualLocation' : 'Place' },
    });
    expect(json_ld.previousStartDate).toBe(previousStartDate);
  });

  it('offers nothing for sale to search engines when its status closes the sale', async () => {
    const { id } = await add({});
    await makeTicket(server(), id, { ticket: { mode: 'own', capacity: 5 } });
    const availability = async () => (await read(id)).json_ld.offers[0].availability;
    expect(await availability()).toBe(`${SCHEMA}InStock`);
    await change(id, { event_status: 'postponed' });
    expect(await availability()).toBe(`${SCHEMA}SoldOut`);
    await change(id, { sale_stays_open: true });
    expect(await availability()).toBe(`${SCHEMA}InStock`);
    await change(id, { event_status: 'cancelled' });
    expect(await availability()).toBe(`${SCHEMA}SoldOut`);
  });

  describe('as a filter', () => {
    beforeAll(() => server().make('POST /tags', { name: 'filtered' }));
    const tagged = (query: object) => server().ask('GET /events', { query: { tags: 'filtered', ...query } });

    it('finds events with any of some statuses, also together with words, and says so in links', async () => {
      for (const event_status of ['scheduled', 'cancelled', 'postponed', 'moved_online'])
        await add({ title: `Lantern ${event_status}`, event_status, tags: ['filtered'] });
      const found = async (query: object) =>
        (await tagged(query)).body.events.map(({ event_status }: Event) => event_status);
      expect(await found({ event_status: 'cancelled' })).toEqual(['cancelled']);
      expect(await found({ event_status: 'cancelled,moved_online' })).toEqual(['cancelled', 'moved_online']);
      expect(await found({ event_status: 'scheduled,postponed', search: 'lantern' })).toEqual([
        ...['scheduled', 'postponed'],
      ]);
      const { body } = await tagged({ event_status: 'cancelled,scheduled', per_page: 1 });
      expect(new URL(body.next_rest_url).searchParams.get('event_status')).toBe('cancelled,scheduled');
    });

    it.each(['', 'canceled', 'cancelled,publish', 'CANCELLED'])('refuses %j', async (event_status) => {
      const { status, body } = await tagged({ event_status });
      expect([status, Object.keys(body.data.params)]).toEqual([400, ['event_status']]);
    });

    it('finds an event with a password, which hides the reason only', async () => {
      const { id } = await add({ ...CANCELLED, title: 'Locked', post_password: 'sesame', tags: ['hidden'] });
      for (const asking of [{}, TRIBE]) {
        const { body } = await server().ask('GET /events', {
          ...asking,
          query: { event_status: 'cancelled', per_page: 100 },
        });
        const event = body.events.find((one: Event) => one.id === id);
        expect(event).toMatchObject({ event_status: 'cancelled', featured: null });
        expect(event.event_status_reason ?? '').toBe('');
      }
    });
  });
});
