import { beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

describe.each(DATABASES)('venues on %s', (kind) => {
  const server = useTestServer(kind);
  let id: number;
  const change = (body: object) => server().ask(`PATCH /venues/${id}`, { as: 'editor', body });

  beforeAll(async () => {
    id = (await server().make('POST /venues', { venue: 'Harbour Hall' })).id;
  });

  it('a venue has an address, map settings and coordinates', async () => {
    const sent = {
      address: '12 Quay St',
      city: 'Boston',
      country: 'United States',
      state: 'MA',
      zip: 2110,
      phone: '+1 617',
      website: 'https://harbour.example',
      geo_lat: '42.36',
      geo_lng: -71.05,
      show_map: 'no',
      show_map_link: 0,
    };
    const made = await server().make('POST /venues', { venue: 'Full', ...sent });
    const shown = { zip: '2110', geo_lat: 42.36, geo_lng: -71.05, show_map: false, show_map_link: false };
    expect(made).toMatchObject({ ...sent, ...shown, stateprovince: 'MA' });
    const { body } = await server().ask(`GET /venues/${made.id}`);
    expect(body).toEqual({ ...made, json_ld: expect.anything() });
    expect(body.json_ld).toMatchObject({
      address: {
        '@type': 'PostalAddress',
        streetAddress: '12 Quay St',
        addressLocality: 'Boston',
        addressRegion: 'MA',
        postalCode: '2110',
        addressCountry: 'United States',
      },
      geo: { '@type': 'GeoCoordinates', latitude: 42.36, longitude: -71.05 },
      telephone: '+1 617',
      sameAs: 'https://harbour.example',
    });
  });

  it.each([
    [{ state: 'MA' }, 'MA'],
    [{ state: 'MA', country: 'US' }, 'MA'],
    [{ state: 'MA', country: 'usa' }, 'MA'],
    [{ state: 'MA', country: 'United States', province: 'ON' }, 'MA'],
    [{ province: 'ON', country: 'Canada' }, 'ON'],
    [{ state: 'XX', province: 'ON', country: 'Canada' }, 'ON'],
    [{ state: 'XX', country: 'Canada' }, undefined],
    [{ province: 'ON' }, 'ON'],
    [{ stateprovince: 'Bavaria', state: 'MA' }, 'Bavaria'],
    [{}, undefined],
  ])('a venue with %j is in the region %s', async (sent, region) => {
    const made = await server().make('POST /venues', { venue: 'Region', ...sent });
    expect(made.stateprovince).toBe(region);
  });

  it('the region follows a new state, and nothing else', async () => {
    await change({ state: 'MA', country: 'US' });
    expect((await change({ city: 'Salem' })).body).toMatchObject({ stateprovince: 'MA', city: 'Salem' });
    expect((await change({ state: 'NH' })).body.stateprovince).toBe('NH');
    expect((await change({ stateprovince: 'New England' })).body.stateprovince).toBe('New England');
    expect((await change({ state: 'MA' })).body.stateprovince).toBe('New England');
    expect((await change({ stateprovince: '' })).body.stateprovince).toBe('MA');
    expect((await change({ state: null, country: null })).body).not.toHaveProperty('stateprovince');
  });

  it('map settings stay until they are sent', async () => {
    await change({ show_map: false, show_map_link: true });
    expect((await change({ city: 'Lynn' })).body).toMatchObject({ show_map: false, show_map_link: true });
    expect((await change({ show_map: 'yes', show_map_link: 'off' })).body).toMatchObject({
      show_map: true,
      show_map_link: false,
    });
    expect((await change({ show_map: 'perhaps' })).status).toBe(400);
  });

  it('map settings are described as booleans, whatever else is accepted', async () => {
    const { Venue, VenueInput } = (await server().ask('GET /doc')).body.components.schemas;
    for (const name of ['show_map', 'show_map_link']) {
      expect(Venue.properties[name]).toMatchObject({ type: 'boolean' });
      expect(VenueInput.properties[name].type).toEqual(['boolean', 'null']);
      for (const [sent, shown] of [
        ['true', true],
        ['0', false],
        [1, true],
        ['no', false],
      ])
        expect((await change({ [name]: sent })).body[name]).toBe(shown);
    }
  });

  it('a venue has both coordinates or none', async () => {
    expect((await change({ geo_lat: 0, geo_lng: 0 })).body).toMatchObject({ geo_lat: 0, geo_lng: 0 });
    expect((await change({ city: 'Null Island' })).body).toMatchObject({ geo_lat: 0, geo_lng: 0 });
    const cleared = (await change({ geo_lat: null, geo_lng: '' })).body;
    expect(cleared).not.toHaveProperty('geo_lat');
    expect(cleared).not.toHaveProperty('geo_lng');
  });

  it.each([
    [{ geo_lat: 1 }, 'geo_lng'],
    [{ geo_lng: 1 }, 'geo_lat'],
    [{ geo_lat: null }, 'geo_lng'],
    [{ geo_lat: 1, geo_lng: null }, 'geo_lng'],
    [{ geo_lat: 91, geo_lng: 1 }, 'geo_lat'],
    [{ geo_lat: 1, geo_lng: -180.1 }, 'geo_lng'],
    [{ geo_lat: 'north', geo_lng: 1 }, 'geo_lat'],
  ])('the coordinates %j are refused', async (sent, named) => {
    const { status, body } = await change(sent);
    expect([status, Object.keys(body.data.params)]).toEqual([400, expect.arrayContaining([named])]);
  });

  it.each([
    ['london', 2],
    ['avenue TEMPLE', 1],
    ['greater london', 2],
    ['5550101', 1],
    ['EC4Y', 2],
    ['ile-de-france', 1],
  ])('searching for %j finds %i venues by their address', async (search, count) => {
    const { ask, make } = server();
    if ((await ask('GET /venues', { query: { search: 'Temple Church' } })).body.total === 0) {
      const london = { city: 'London', province: 'Greater London', zip: 'EC4Y' };
      await make('POST /venues', { venue: 'Temple Church', address: 'Temple Avenue', phone: '5550101', ...london });
      await make('POST /venues', { venue: 'Inner Hall', ...london });
      await make('POST /venues', { venue: 'Salle', city: 'Paris', province: 'Île-de-France' });
    }
    expect((await ask('GET /venues', { query: { search } })).body.total).toBe(count);
  });
});
