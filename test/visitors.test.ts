import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import { namesOf } from './fuzz/interface-requests.ts';
import { listen, type TestListener } from './listen.ts';
import { DATABASES, pathOfNamespace, useTestServer } from './server.ts';
import { casesOn } from './thoroughness.ts';
import { EVENING, makeTicket } from './tickets.ts';

/** Requests that no program of ours sends: visitors must not reach an error of the server with them. */

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';
const partOf = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`;

/** Days that are in no calendar, and the first and last ones of ours. */
const DATES = [
  ...['0000-00-00', '0000-01-01', '0000-12-31 23:59:59', '0001-01-01', '9999-12-31', '10000-01-01', '-2027-01-01'],
  ...['-0001-01-01', '2027-13-01', '2027-00-10', '2027-02-30', '2027-01-32', '2027-1-1', '2027-01-01T25:61:61'],
  ...['+275760-09-13', '@-62167219200', '@99999999999999999999', '0', '-1', 'NaN', '1e309', '2027-01-01\0', ' '],
];
/** Of pages, and those that only the interface has. */
const DATE_FILTERS = ['start_date', 'end_date'];
const FURTHER_FILTERS = ['starts_before', 'starts_after', 'ends_before', 'ends_after'];
const DATED_PAGES = [
  ...['/events/', '/events/past/', '/events/photo/', '/events/places/', '/events/month/', '/events/week/'],
  ...['/events/today/', '/events/list/page/2/', '/events/ical/', '/events/feed/', '/events/feed/atom/'],
  ...['/events/feed/json/', '/embed/events/', '/venue/harbour-hall/', '/organizer/lantern-club/', '/tag/family/'],
  ...['/events/category/walks/', '/fr/events/', '/calendar/events/v1/events', '/wp-json/wp/v2/tribe_events'],
];
/** Path segments that may name a day or a month. */
const DATED_PATHS = ['/events/', '/events/month/', '/events/week/', '/events/day/', '/venue/harbour-hall/month/'];

/** Objects in place of texts, as forms send them. */
const OBJECTS = ['[b]=1', '[b][c][d]=1', '[0][b]=1', '[][b]=1', '[toString]=1', '[__proto__][x]=1', '[b][0][c]=1'];

const ADMINISTRATOR = `Basic ${Buffer.from('administrator:administrator-password').toString('base64')}`;
const isNoFault = (status: number) => status < 500;

describe.each(DATABASES)('a visitor on %s', (kind) => {
  const server = useTestServer(kind, { languages: ['en', 'fr'] });
  let listener: TestListener;
  let ticket: number;
  beforeAll(async () => {
    const links = { venue: { venue: 'Harbour Hall' }, organizer: { organizer: 'Lantern Club' } };
    const event = await server().make('POST /events', {
      ...EVENING,
      ...links,
      categories: ['Walks'],
      tags: ['family'],
    });
    ticket = (await makeTicket(server(), event.id, { price: '0', ticket: { mode: 'own', capacity: 500 } })).id;
    listener = await listen(server().context);
  });
  afterAll(() => listener?.close());

  /** The token of a new cart with a ticket. */
  async function cartToken(): Promise<string> {
    const body = { provider: 'tc', tickets: [{ ticket_id: ticket, quantity: 1 }] };
    return (await server().ask('POST tickets:/cart', { body })).headers.get('x-cart-token') ?? '';
  }

  it.each([
    '/',
    '/events/',
    '/my-tickets/',
    '/venue/harbour-hall/',
    '/sitemap.xml',
    '/robots.txt',
    '/assets/none.css',
    '/uploads/none.png',
    '/oembed',
    '/docs',
    '/docs/guide',
    '/console/',
    '/healthz',
    '/metrics',
    '/embed.js',
    '/nothing/at/all',
    '/fr/',
  ])('is told that no form can be posted to %s', async (path) => {
    for (const [type, body] of [
      [FORM, 'a=1'],
      [FORM, 'a[b][0][c]=1&_method=DELETE'],
      [MULTIPART, partOf('a', '1')],
      [MULTIPART, 'no parts'],
      ['text/plain', 'a=1'],
      ['application/json', '{"a":1}'],
    ] as const) {
      for (const accept of ['*/*', 'text/html']) {
        // A body is read differently without a connection.
        const headers = { 'content-type': type, accept };
        const { status } = await fetch(`${listener.address}${path}`, { method: 'POST', body, headers });
        expect([type, status]).toEqual([type, expect.toSatisfy((code: number) => code >= 400 && code < 500)]);
      }
    }
  });

  it.each(DATED_PAGES)('may name any day at %s', async (path) => {
    for (const name of [...DATE_FILTERS, ...(path.includes('/v1/') ? FURTHER_FILTERS : [])])
      for (const date of DATES) {
        const { status } = await server().request(`${path}?${new URLSearchParams({ [name]: date })}`);
        expect([name, date, status]).toEqual([name, date, expect.toSatisfy(isNoFault)]);
      }
  });

  it.each(DATED_PATHS)('may name any day below %s', async (path) => {
    for (const date of DATES) {
      for (const more of ['', 'ical/', 'feed/']) {
        const { status } = await server().request(`${path}${encodeURIComponent(date)}/${more}`);
        expect([date, more, status]).toEqual([date, more, expect.toSatisfy(isNoFault)]);
      }
    }
  });

  it.each([
    ...['', 'reply/', 'transfer/', 'ical/', 'ticket.png', 'code.png'].map((part) => `/ticket/ATTENDEE/x/${part}`),
    ...['/order/ORDER/x/', '/order/ORDER/x/cancel/'],
  ])('without its code finds nothing at %s', async (template) => {
    const headers = { 'x-cart-token': await cartToken() };
    const purchaser = { name: 'Ada', email: 'ada@example.test' };
    const { body } = await server().ask('POST tickets:/cart/checkout', { headers, body: { purchaser } });
    const path = template.replace('ATTENDEE', body.attendees[0].id).replace('ORDER', body.order.id);
    for (const method of ['GET', 'HEAD']) {
      const { status } = await server().request(path, { method, headers: { accept: 'text/html' } });
      expect([method, status]).toEqual([method, 404]);
    }
  });

  it.each(casesOn(kind, OBJECTS))('may send an object in place of every text: %s', async (suffix) => {
    for (const item of endpoints) {
      const names = namesOf(item);
      const path = `${pathOfNamespace(item.namespace)}${item.path.replace(/\{\w+\}/g, '999999')}`;
      const isRead = item.methods[0] === 'GET' || item.methods[0] === 'DELETE';
      // One level at a time: an object is not read further if its own value is wrong.
      for (const level of Object.values(Object.groupBy(names, (name) => name.split('[').length))) {
        const form = new URLSearchParams(level?.map((name) => `${name}${suffix}`).join('&'));
        const { status } = await server().request(isRead ? `${path}?${form}` : path, {
          method: item.methods[0],
          headers: { authorization: ADMINISTRATOR },
          ...(!isRead && { body: form }),
        });
        expect([item.name, `${form}`, status]).toEqual([item.name, `${form}`, expect.toSatisfy(isNoFault)]);
      }
    }
  });

  /** Members of a request that hold texts, and the fields that the request needs besides. */
  it.each<[string, string, string]>([
    ['users', 'email', 'username=walker&password=long+enough&role=subscriber'],
    ['users', 'username', 'email=walker%40example.test&password=long+enough&role=subscriber'],
    ['users', 'password', 'username=walker&email=walker%40example.test&role=subscriber'],
    ['users', 'role', 'username=walker&email=walker%40example.test&password=long+enough'],
  ])('sending an object in place of a text to %s as %s is told so', async (resource, name, others) => {
    for (const suffix of OBJECTS) {
      const form = new URLSearchParams(`${others}&${name}${suffix}`);
      const { status, body } = await server().ask(`POST admin:/${resource}`, { as: 'administrator', form });
      expect([suffix, status, body.code]).toEqual([suffix, 400, 'rest_invalid_param']);
    }
  });

  it.each([
    'attendees[0][optout]',
    'attendees[0][full_name]',
    'attendees[0][email]',
    'attendees[0][ticket_id]',
    'attendees[0][information]',
    'attendees[0][information][a]',
    'attendees[0]',
    'attendees',
    'purchaser[name]',
    'purchaser[email]',
    'purchaser',
  ])('may send an object as %s at the checkout', async (name) => {
    for (const suffix of OBJECTS) {
      const headers = { 'x-cart-token': await cartToken() };
      const form = new URLSearchParams('purchaser[name]=Ada&purchaser[email]=ada@example.test');
      form.set('attendees[0][ticket_id]', `${ticket}`);
      for (const key of [...form.keys()].filter((known) => known.startsWith(name))) form.delete(key);
      for (const [key, value] of new URLSearchParams(`${name}${suffix}`)) form.append(key, value);
      const answer = await server().ask('POST tickets:/cart/checkout', { form, headers });
      expect([suffix, answer.status, answer.text]).toEqual([suffix, expect.toBeOneOf([201, 400]), expect.anything()]);
    }
  });
});
