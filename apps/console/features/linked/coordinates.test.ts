import { expect, it } from 'vitest';
import { coordinatesText, readCoordinates } from './coordinates.ts';

const BERN = { lat: 46.948, lng: 7.4474 };

it.each([
  ['46.948, 7.4474'],
  [' 46.948 7.4474 '],
  ['46.948;7.4474'],
  ['46,948 7,4474'],
  ['46,948; 7,4474'],
  ['46.94800000001,7.44739999999'],
  ['geo:46.948,7.4474'],
  ['GEO:46.948,7.4474,540;crs=wgs84;u=35'],
  ['geo:46.948,7.4474?z=17'],
  ['geo:0,0?q=46.948,7.4474(Town%20hall)'],
  ['geo:0,0?q=46.948%2C7.4474'],
  ['https://www.openstreetmap.org/?mlat=46.948&mlon=7.4474#map=17/1.5/2.5'],
  ['https://www.openstreetmap.org/node/240109189#map=17/46.948/7.4474'],
  ['https://osm.org/#layers=N&map=12.5/46.948/7.4474'],
  ['https://www.google.com/maps/@46.948,7.4474,17z'],
  ['https://www.google.ch/maps/place/Bern/@1.5,2.5,17z/data=!4m6!3m5!1s0x0:0x0!8m2!3d46.948!4d7.4474!16zL20'],
  ['https://maps.google.co.uk/?q=46.948,7.4474'],
  ['https://www.google.com/maps/search/?api=1&query=46.948%2C7.4474'],
  ['https://www.google.com/maps/dir/?api=1&destination=46.948,7.4474'],
  ['https://maps.apple.com/?ll=46.948,7.4474&q=Bern'],
  ['https://maps.apple.com/place?coordinate=46.948,7.4474&name=Bern'],
])('reads %s', (text) => {
  expect(readCoordinates(text)).toEqual(BERN);
});

it.each([
  ['-33.8568, 151.2153', { lat: -33.8568, lng: 151.2153 }],
  [`47°22'36.8"N 8°32'30.1"E`, { lat: 47.376889, lng: 8.541694 }],
  ['33° 51′ 24″ S, 70° 30′ 0″ W', { lat: -33.856667, lng: -70.5 }],
  ['0, 0', { lat: 0, lng: 0 }],
  ['-0, -0.0000001', { lat: 0, lng: 0 }],
  ['90 -180', { lat: 90, lng: -180 }],
])('reads %s as what it says', (text, expected) => {
  expect(readCoordinates(text)).toEqual(expected);
});

it.each([
  [''],
  ['Bern'],
  ['46.948'],
  ['46.948, 7.4474, 540'],
  ['46,948'],
  ['90.1, 0'],
  ['0, 180.1'],
  ['1e1, 2'],
  ['0x10, 2'],
  ['Infinity, 2'],
  [`47°61'0"N 8°32'30"E`],
  [`47°22'0"N 8°32'30"O`],
  ['geo:'],
  ['geo:91,0'],
  ['geo:0,0?q=Town+hall'],
  // Not the hosts that they look like.
  ['https://www.google.com.evil.example/maps/@46.948,7.4474,17z'],
  ['https://www.google.com@evil.example/maps/@46.948,7.4474,17z'],
  ['https://evil.example/?mlat=46.948&mlon=7.4474'],
  ['https://notopenstreetmap.org/?mlat=46.948&mlon=7.4474'],
  ['https://maps.apple.com.evil.example/?ll=46.948,7.4474'],
  ['javascript:alert(1)//46.948,7.4474'],
  ['data:text/html,46.948,7.4474'],
  ['ftp://www.openstreetmap.org/?mlat=46.948&mlon=7.4474'],
  ['https://www.google.com/maps/place/Bern'],
  ['https://www.openstreetmap.org/?mlat=460.948&mlon=7.4474'],
  ['https://'],
  [`46.948, 7.4474${' '.repeat(10)}<script>`],
  [`https://www.google.com/maps/@46.948,7.4474?${'a'.repeat(2000)}`],
])('refuses %s', (text) => {
  expect(readCoordinates(text)).toBe('unreadable');
});

it('knows links that it cannot follow', () => {
  expect(readCoordinates('https://maps.app.goo.gl/abcDEF123')).toBe('short_link');
});

it('shows a point as it is read again', () => {
  expect(readCoordinates(coordinatesText(BERN))).toEqual(BERN);
});
