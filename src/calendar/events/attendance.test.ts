import { describe, expect, it } from 'vitest';
import { type Answer, type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import { EVENING } from '../../../test/tickets.ts';

const MEMBERS = ['attendance_mode', 'online_access', 'online_url', 'door_time', 'accessibility'];
const STREAM = 'https://stream.example/room?key=s3cret';
const ONLINE = {
  attendance_mode: 'online',
  online_url: STREAM,
  door_time: '18:00',
  accessibility: 'Live captions.',
};

type Event = Answer['body'];

const attendanceOf = (event: Event): Event =>
  Object.fromEntries(MEMBERS.flatMap((name) => (name in event ? [[name, event[name]]] : [])));

describe.each(DATABASES)('the attendance of events on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'] });
  const add = (fields: object): Promise<Event> => server().make('POST /events', { ...EVENING, ...fields });
  const change = (id: number, fields: object): Promise<Event> => server().make(`PATCH /events/${id}`, fields);
  const read = async (id: number, asking: Asking = {}): Promise<Event> =>
    (await server().ask(`GET /events/${id}`, asking)).body;

  it('is absent while all fields have their defaults', async () => {
    const { id } = await add({ attendance_mode: 'on_site', online_access: 'holders', online_url: '' });
    expect(attendanceOf(await read(id, { as: 'editor' }))).toEqual({});
  });

  it('keeps fields that a write does not name, and is cleared with null', async () => {
    const { id } = await add({ ...ONLINE, online_access: 'everyone' });
    const renamed = await change(id, { title: 'Night' });
    expect(attendanceOf(renamed)).toEqual({ ...ONLINE, online_access: 'everyone' });
    const cleared = await change(id, Object.fromEntries(MEMBERS.map((name) => [name, null])));
    expect(attendanceOf(cleared)).toEqual({});
  });

  it('is absent for clients of the reference, whose writes keep it', async () => {
    const { id } = await add(ONLINE);
    const asking = { as: 'administrator', prefix: '/wp-json/tribe' } as const;
    const shown = await read(id, asking);
    expect(attendanceOf(shown)).toEqual({});
    await server().ask(`POST /events/${id}`, { ...asking, body: { ...shown, title: 'Night' } });
    expect(attendanceOf(await read(id, { as: 'editor' }))).toEqual(ONLINE);
  });

  it('translates the accessibility only', async () => {
    const { id } = await add(ONLINE);
    const fr = { query: { i18n_language: 'fr' } };
    await server().ask(`PATCH /events/${id}`, { as: 'editor', body: { accessibility: 'Sous-titres.' }, ...fr });
    expect((await read(id, fr)).accessibility).toBe('Sous-titres.');
    expect((await read(id)).accessibility).toBe('Live captions.');
  });

  it('shows the address to everyone or to editors of the event', async () => {
    const secret = await add(ONLINE);
    const open = await add({ ...ONLINE, online_access: 'everyone' });
    const seen = async (id: number, asking?: Asking) => 'online_url' in (await read(id, asking));
    const listed = async (asking: Asking = {}) => {
      const { body } = await server().ask('GET /events', { query: { include: `${secret.id},${open.id}` }, ...asking });
      return body.events.map((event: Event) => 'online_url' in event);
    };
    for (const asking of [{}, { as: 'subscriber' }, { as: 'door' }] satisfies Asking[]) {
      expect([await seen(secret.id, asking), await seen(open.id, asking)]).toEqual([false, true]);
      expect(await listed(asking)).toEqual([false, true]);
    }
    expect(await listed({ as: 'editor' })).toEqual([true, true]);
    // Neither response may be cached for the other reader.
    expect(await listed()).toEqual([false, true]);
  });

  it('shows no address once the event is on site only', async () => {
    const { make, ask } = server();
    const online = { attendance_mode: 'online', online_access: 'everyone', online_url: 'https://stream.example/a' };
    const { id } = await make('POST /events', { ...EVENING, ...online });
    expect((await ask(`GET /events/${id}`)).body.online_url).toBe(online.online_url);
    await make(`PATCH /events/${id}`, { attendance_mode: null });
    expect((await ask(`GET /events/${id}`)).body).not.toHaveProperty('online_url');
    expect((await ask(`GET /events/${id}`, { as: 'editor' })).body.online_url).toBe(online.online_url);
  });

  it('is hidden by a password, except the mode and the time at which doors open', async () => {
    const { id } = await add({ ...ONLINE, online_access: 'everyone', post_password: 'sesame' });
    const { body } = await server().ask('GET /events', { query: { include: id } });
    const { attendance_mode, door_time } = ONLINE;
    expect(attendanceOf(body.events[0])).toEqual({ attendance_mode, online_access: 'everyone', door_time });
    const unlocked = await read(id, { query: { password: 'sesame' } });
    expect(attendanceOf(unlocked)).toEqual({ ...ONLINE, online_access: 'everyone' });
  });

  it('never shows the address for holders to others', async () => {
    const { id, slug } = await add({ ...ONLINE, title: 'Hidden stream', cost: '$5' });
    const paths = [
      ...['GET /events?search=s3cret', 'GET /events?search=stream', `GET /events/${id}`, `GET /events/by-slug/${slug}`],
      ...[`GET wp:/tribe_events/${id}`, 'GET wp:/tribe_events'],
    ];
    for (const path of paths) {
      const [call = '', query = ''] = path.split('?');
      const { text } = await server().ask(call, { query: Object.fromEntries(new URLSearchParams(query)) });
      expect([path, text.includes('stream.example')]).toEqual([path, false]);
    }
    const found = await server().ask('GET /events', { query: { search: 's3cret' }, as: 'administrator' });
    expect(found.body.total).toBe(0);
    const log = await server().ask('GET admin:/audit', { as: 'administrator', query: { kind: 'event', id } });
    expect([log.status, log.text.includes('stream.example')]).toEqual([200, false]);
  });

  it('copies everything but the address', async () => {
    const { id } = await add({ ...ONLINE, online_access: 'everyone' });
    const copy = await server().make(`POST admin:/events/${id}/duplicate`, {});
    const { online_url: _address, ...others } = ONLINE;
    expect(attendanceOf(copy)).toEqual({ ...others, online_access: 'everyone' });
  });

  const PLACE = expect.objectContaining({ '@type': 'Place', name: 'Hall' });
  const virtual = (url: string) => ({ '@type': 'VirtualLocation', url });
  it.each([
    ['on site', {}, 'Offline', () => PLACE],
    ['online for holders', { ...ONLINE }, 'Online', virtual],
    ['online for everyone', { ...ONLINE, online_access: 'everyone' }, 'Online', () => virtual(STREAM)],
    ['mixed', { attendance_mode: 'mixed' }, 'Mixed', (url: string) => [PLACE, virtual(url)]],
    ['moved online', { event_status: 'moved_online' }, 'Online', virtual],
  ])('is %s in structured data', async (_mode, fields, mode, location) => {
    const { id, url } = await add({ ...fields, venue: { venue: 'Hall' } });
    const { json_ld } = await read(id);
    expect(json_ld.eventAttendanceMode).toBe(`https://schema.org/${mode}EventAttendanceMode`);
    expect(json_ld.location).toEqual(location(url));
  });

  it.each([
    ['before the start', { door_time: '18:00' }, '2027-03-06T18:00:00-05:00'],
    ['with the start', { door_time: '18:30' }, '2027-03-06T18:30:00-05:00'],
    ['the evening before', { door_time: '23:30', start_date: '2027-03-06 00:15' }, '2027-03-05T23:30:00-05:00'],
    ['of an all-day event', { door_time: '10:00:00', all_day: true }, '2027-03-06T10:00:00-05:00'],
  ])('has doors %s in structured data', async (_when, fields, doorTime) => {
    const { id } = await add(fields);
    expect((await read(id)).json_ld.doorTime).toBe(doorTime);
  });
});
