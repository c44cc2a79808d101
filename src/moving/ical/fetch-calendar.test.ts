import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/commands.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { fileImportCommands } from '../../server/cli/import-files.ts';
import { calendarAddress } from './fetch-calendar.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const calendarOf = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');

const command = fileImportCommands.find(({ name }) => name === 'import ical');
const imageHosts: string[] = [];
let address = '';

const answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/good.ics': (_request, response) =>
    response
      .setHeader('content-type', 'text/calendar')
      .end(
        calendarOf(
          ...['BEGIN:VEVENT', 'UID:fetched', 'SUMMARY:Fetched', 'DTSTART:20270301T180000Z'],
          ...[`IMAGE;VALUE=URI:${address}/pixel.png?size=1`, 'END:VEVENT'],
          ...['BEGIN:VEVENT', 'UID:lost', 'SUMMARY:Fetched without', 'DTSTART:20270302T180000Z'],
          ...[`ATTACH;FMTTYPE=image/png:${address}/gone.png`, 'END:VEVENT'],
        ),
      ),
  '/pixel.png': (_request, response) => response.setHeader('content-type', 'image/png').end(PIXEL),
  '/page': (_request, response) => response.setHeader('content-type', 'text/html').end('<html>Sign in</html>'),
  '/error': (_request, response) => response.writeHead(500).end(),
  '/cut': (_request, response) => {
    response.writeHead(200, { 'content-length': '100000' }).write(calendarOf().slice(0, 20));
    response.destroy();
  },
  '/private': (_request, response) => response.writeHead(302, { location: 'http://127.0.0.2/secret.ics' }).end(),
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/packed': (_request, response) => response.setHeader('content-encoding', 'gzip').end('x'),
  '/endless': (_request, response) => {
    response.write('BEGIN:VCALENDAR\r\n');
    const more = () => {
      while (!response.destroyed && response.write('X-FILL:'.padEnd(65_536, 'x')));
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  },
};

const listener = createServer((request, response) => {
  const answer = answers[new URL(request.url ?? '/', 'http://host').pathname];
  if (answer) answer(request, response);
  else response.writeHead(404).end();
});

beforeAll(async () => {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  address = `http://127.0.0.1:${port}`;
  imageHosts.push(`127.0.0.1:${port}`);
});
afterAll(() => {
  listener.closeAllConnections();
  listener.close();
});

describe.each(DATABASES)('calendars at addresses on %s', (kind) => {
  const server = useTestServer(kind, { imageHosts });
  const run = (path: string) => runCommand(command, server().context, [path.startsWith('/') ? address + path : path]);

  it('are imported with their images', async () => {
    const first = await run('/good.ics');
    expect({ status: first.status, out: first.out }).toEqual({
      status: 0,
      out: ['To check:', expect.stringContaining('image that could not be fetched'), 'created: 1 media, 2 event'],
    });
    const { query } = server().context.db;
    const events = await query.selectFrom('events').select(['title', 'image_id']).orderBy('utc_start_date').execute();
    const [image] = await query.selectFrom('media').select('id').execute();
    expect(events).toEqual([
      { title: 'Fetched', image_id: image?.id },
      { title: 'Fetched without', image_id: null },
    ]);
    expect((await run('/good.ics')).out).toEqual(['same: 2 event']);
  });

  it.each([
    ['a page', '/page', 'This is not a calendar: it does not begin with BEGIN:VCALENDAR.'],
    ['an error', '/error', 'The calendar responded with status 500.'],
    ['a broken connection', '/cut', 'The calendar does not respond, or breaks off.'],
    ['a redirect to a private address', '/private', 'The address, or one that it leads to, is not public.'],
    ['endless redirects', '/loop', 'The calendar does not respond, or breaks off.'],
    ['a compressed answer', '/packed', 'The calendar is compressed, although this was not requested.'],
    ['an endless calendar', '/endless', 'The calendar is larger than 10 MB.'],
    ['a private address', 'http://127.0.0.1:1/a.ics', 'The address, or one that it leads to, is not public.'],
    ['a password', 'https://anna:secret@cal.example/a.ics', 'Leave the password out of the address.'],
  ])('are refused for %s', async (_name, path, sentence) => {
    const { status, errors } = await run(path);
    expect([status, errors[0]?.slice(0, sentence.length)]).toEqual([1, sentence]);
    expect(errors.join()).not.toContain('secret');
  });
});

describe('the address of a calendar', () => {
  it('is a web address', () => {
    expect(calendarAddress(' webcal://cal.example/a.ics#top')).toBe('https://cal.example/a.ics');
    expect(() => calendarAddress('file:///etc/passwd')).toThrow('not the web address');
    expect(() => calendarAddress(`https://cal.example/${'a'.repeat(1000)}`)).toThrow('not the web address');
  });
});
