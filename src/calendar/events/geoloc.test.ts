import { beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

const TIMES = { start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };

/** Degrees of latitude of one kilometre on a globe of 6371 km. */
const KILOMETRE = 180 / Math.PI / 6371;

const PLACES: Record<string, [lat: number, lng: number]> = {
  centre: [48.85, 2.35],
  'just inside': [48.85 + 24.9 * KILOMETRE, 2.35],
  'just outside': [48.85 + 25.1 * KILOMETRE, 2.35],
  // A degree of longitude is shorter at this latitude: 24.9 and 25.1 km to the east.
  'east inside': [48.85, 2.35 + (24.9 * KILOMETRE) / Math.cos((48.85 * Math.PI) / 180)],
  'east outside': [48.85, 2.35 + (25.1 * KILOMETRE) / Math.cos((48.85 * Math.PI) / 180)],
  'west of the date line': [-17, 179.95],
  'east of the date line': [-17, -179.95],
  'north pole': [89.95, 10],
  origin: [0, 0],
};

const NEAR: [lat: string, lng: string, found: string[]][] = [
  ['48.85', '2.35', ['centre', 'just inside', 'east inside']],
  ['-17', '180', ['west of the date line', 'east of the date line']],
  ['-17', '-180', ['west of the date line', 'east of the date line']],
  ['-17', '179.99', ['west of the date line', 'east of the date line']],
  ['89.95', '-170', ['north pole']],
  ['0', '0', ['origin']],
  ['1e-3', '-.001', ['origin']],
  ['60', '100', []],
];

describe.each(DATABASES)('events by place on %s', (kind) => {
  const server = useTestServer(kind);
  beforeAll(async () => {
    const { make } = server();
    for (const [title, [geo_lat, geo_lng]] of Object.entries(PLACES))
      await make('POST /events', {
        title,
        ...TIMES,
        venue: [{ venue: 'Nowhere' }, { venue: title, geo_lat, geo_lng }],
      });
    await make('POST /events', { title: 'no place', ...TIMES, venue: { venue: 'Nowhere' } });
    await make('POST /events', { title: 'no venue', ...TIMES });
  });
  const find = async (query: Record<string, string | boolean>) => {
    const { body, status } = await server().ask('GET /events', { query: { ...query, per_page: 50 } });
    expect(status).toBe(200);
    return body.events.map(({ title }: { title: string }) => title);
  };

  it.each(NEAR)('near %s %s are %j', async (geoloc_lat, geoloc_lng, found) => {
    expect(await find({ geoloc_lat, geoloc_lng })).toEqual(found);
    expect(await find({ geoloc: true, geoloc_lat, geoloc_lng })).toEqual(found);
  });

  it('can be filtered by whether they have coordinates', async () => {
    expect(await find({ geoloc: true })).toEqual(Object.keys(PLACES));
    expect(await find({ geoloc: false })).toEqual(['no place', 'no venue']);
  });

  it.each([
    [{ geoloc_lat: '1' }, 'geoloc_lng'],
    [{ geoloc_lng: '1', geoloc: true }, 'geoloc_lat'],
    [{ geoloc_lat: '90.1', geoloc_lng: '1' }, 'geoloc_lat'],
    [{ geoloc_lat: '1', geoloc_lng: '180.1' }, 'geoloc_lng'],
    [{ geoloc_lat: 'north', geoloc_lng: '1' }, 'geoloc_lat'],
    [{ geoloc_lat: '1', geoloc_lng: '' }, 'geoloc_lng'],
  ])('refuse %j', async (query, name) => {
    const answer = await server().ask('GET /events', { query });
    expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, [name]]);
  });

  it('follow their venue when it is moved or removed', async () => {
    const { make } = server();
    const venue = await make('POST /venues', { venue: 'Ship', geo_lat: 60, geo_lng: 100 });
    const event = await make('POST /events', { title: 'afloat', ...TIMES, venue: venue.id });
    const here = { geoloc_lat: '60', geoloc_lng: '100' };
    expect(await find(here)).toEqual(['afloat']);
    await make(`PATCH /venues/${venue.id}`, { geo_lat: 61, geo_lng: 100 });
    expect([await find(here), await find({ ...here, geoloc_lat: '61' })]).toEqual([[], ['afloat']]);
    await make(`DELETE /venues/${venue.id}`, undefined);
    expect(await find({ ...here, geoloc_lat: '61' })).toEqual([]);
    expect(await find({ geoloc: false })).toContain('afloat');
    await make(`DELETE /events/${event.id}`, { force: true });
  });
});

describe('the radius', () => {
  const server = useTestServer('sqlite', { geoRadius: 20_100 });

  it('may cover the whole world', async () => {
    const { make, ask } = server();
    await make('POST /events', { title: 'far', ...TIMES, venue: { venue: 'V', geo_lat: -89, geo_lng: 12 } });
    expect((await ask('GET /events', { query: { geoloc_lat: 89, geoloc_lng: -168 } })).body.total).toBe(1);
  });
});
