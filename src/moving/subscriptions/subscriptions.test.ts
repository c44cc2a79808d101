import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from '../../../test/attendees.ts';
import { runCommand } from '../../../test/commands.ts';
import { DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { withHooks } from '../../../test/statements.ts';
import { usualOf } from '../../../test/thoroughness.ts';
import { endpointOf } from '../../app.ts';
import { fileImportCommands } from '../../server/cli/import-files.ts';
import { readDueSubscriptions } from './subscription-job.ts';

const imageHosts: string[] = [];
let address = '';
/** Entries of the calendar; a text in its place is sent as it is. */
let content: Record<string, string[]> | string = {};
let status = 200;
let asked: (string | undefined)[] = [];

const calendarOf = (entries: Record<string, string[]>): string => {
  const lines = Object.entries(entries).flatMap(([uid, more]) => [
    ...['BEGIN:VEVENT', `UID:${uid}`, ...more, 'DURATION:PT1H', 'END:VEVENT'],
  ]);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
};

const listener = createServer((request, response) => {
  const text = typeof content === 'string' ? content : calendarOf(content);
  const etag = `"${Buffer.from(text).toString('base64').slice(-60)}-${text.length}"`;
  asked.push(request.headers['if-none-match']);
  if (status === 200 && request.headers['if-none-match'] === etag) response.writeHead(304).end();
  else response.writeHead(status, { 'content-type': 'text/calendar', etag }).end(text);
});

beforeAll(async () => {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  address = `http://127.0.0.1:${port}/calendar.ics`;
  imageHosts.push(`127.0.0.1:${port}`);
});
afterAll(() => {
  listener.closeAllConnections();
  listener.close();
});

const TALK = ['SUMMARY:Talk', 'DTSTART:20270301T180000Z'];
const WALK = ['SUMMARY:Walk', 'DTSTART:20270302T180000Z'];
const CLASS = ['SUMMARY:Class', 'DTSTART:20270303T180000Z', 'RRULE:FREQ=WEEKLY;COUNT=3'];
const PAST = ['SUMMARY:Past', 'DTSTART:20260101T180000Z'];

describe.each(DATABASES)('subscriptions of calendars on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { imageHosts }, { isFreshEachTime: true });
  beforeEach(() => {
    content = { talk: TALK, walk: WALK, class: CLASS, past: PAST };
    status = 200;
    asked = [];
  });
  afterEach(() => {
    server().clock.now = NOON;
  });
  const run = (name: string, ...args: string[]) =>
    runCommand(
      fileImportCommands.find((one) => one.name === name),
      server().context,
      args,
    );
  const subscribe = (...args: string[]) => run('import ical', address, '--subscribe', ...args);
  /** Moves the clock by hours, and runs the job. */
  const later = (hours: number) => {
    server().clock.now = new Date(server().clock.now.getTime() + hours * 3_600_000);
    return readDueSubscriptions(server().context, endpointOf);
  };
  const statuses = async () => {
    const { query } = server().context.db;
    const rows = await query.selectFrom('events').select(['title', 'status']).orderBy('utc_start_date').execute();
    return rows.map(({ title, status: one }) => `${title} ${one}`);
  };
  const state = () => server().context.db.query.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow();
  const ALL = ['Past publish', 'Talk publish', 'Walk publish', 'Class publish', 'Class publish', 'Class publish'];

  it('are read when they are due, once by two processes, and follow changes', async () => {
    const first = await subscribe('--categories', 'Guests', '--hours', '2');
    expect(first).toMatchObject({
      status: 0,
      out: ['Subscription 1 is read every 2 hours.', 'created: 1 category, 4 event'],
    });
    expect(await statuses()).toEqual(ALL);
    expect(await later(1)).toBe(0);
    content = { talk: [...TALK, 'LOCATION:Hall'], walk: WALK, class: CLASS, past: PAST };
    asked = [];
    expect(await Promise.all([later(1.1), readDueSubscriptions(server().context, endpointOf)])).toContain(1);
    expect(asked).toHaveLength(1);
    const { body } = await server().ask('GET /events', { query: { search: 'Talk' } });
    expect(body.events[0]).toMatchObject({ venue: { venue: 'Hall' }, categories: [{ name: 'Guests' }] });
    const listed = await run('import subscriptions');
    expect(listed.out).toEqual([
      `1  ${address}`,
      '    every 2 hours, new events: publish',
      '    last read: 2026-11-21 19:06:00, last success: 2026-11-21 19:06:00 (UTC)',
      '    created: 1 venue',
      '    changed: 1 event',
      '    same: 2 event, 1 series',
    ]);
    asked = [];
    await later(2);
    expect([asked[0]?.length ?? 0, (await state()).failures]).toEqual([expect.any(Number), 0]);
    expect(asked[0]).toMatch(/^"/);
  });

  it('make drafts of coming events that two complete reads do not have, and bring them back', async () => {
    await subscribe();
    content = { walk: WALK };
    await later(4);
    expect(await statuses()).toEqual(ALL);
    asked = [];
    await later(4);
    // A response without content confirms the one before.
    expect(asked[0]).toMatch(/^"/);
    expect(await statuses()).toEqual([
      ...['Past publish', 'Talk draft', 'Walk publish', 'Class draft', 'Class draft', 'Class draft'],
    ]);
    content = { talk: TALK, walk: WALK, class: CLASS, past: PAST };
    await later(4);
    expect(await statuses()).toEqual(ALL);
  });

  it('keep events with tickets, and those that were changed here', async () => {
    await subscribe();
    const { query } = server().context.db;
    const idOf = async (title: string) =>
      (await query.selectFrom('events').select('id').where('title', '=', title).executeTakeFirstOrThrow()).id;
    await makeAttendee(server(), await makeSeat(server(), await idOf('Talk'), 5));
    await server().ask(`PATCH /events/${await idOf('Walk')}`, { as: 'editor', body: { excerpt: 'Ours' } });
    for (const note of ['a', 'b', 'c']) {
      content = { class: [...CLASS, `DESCRIPTION:${note}`] };
      await later(4);
    }
    expect(await statuses()).toEqual(ALL);
    expect(JSON.parse((await state()).counts)).toMatchObject({ sold: { event: 1 } });
  });

  interface Spoilt {
    status?: number;
    content?: typeof content;
  }
  it.each<[string, Spoilt, string, number]>([
    ['an error', { status: 500 }, 'The calendar responded with status 500.', 1],
    [
      ...(['a page', { content: '<html>Sign in</html>' }] as const),
      ...(['This is not a calendar: it does not begin with BEGIN:VCALENDAR.', 1] as const),
    ],
    [
      ...(['an empty calendar', { content: {} }] as const),
      ...(['The calendar has no events any more. Those of earlier reads stay.', 0] as const),
    ],
    [
      ...(['half a calendar', { content: calendarOf({ walk: WALK }).slice(0, -20) }] as const),
      ...(['The calendar is cut off, or has too many events. Those that it has were imported.', 0] as const),
    ],
  ])('lose nothing by %s, and say so', async (_name, spoilt, problem, failures) => {
    await subscribe();
    status = spoilt.status ?? 200;
    content = spoilt.content ?? content;
    for (let times = 0; times < 3; times++) await later(30);
    expect(await statuses()).toEqual(ALL);
    const found = await state();
    expect([found.problem, found.failures]).toEqual([problem, failures * 3]);
    expect((await run('import subscriptions')).out).toContain(`    ${problem}`);
    status = 200;
    content = { talk: TALK, walk: WALK, class: CLASS, past: PAST };
    await later(30);
    expect(await state()).toMatchObject({ problem: '', failures: 0 });
  });

  usually('are read later after each failure', async () => {
    await subscribe();
    status = 503;
    const waits: number[] = [];
    for (let times = 0; times < 5; times++) {
      await later(30);
      waits.push((Date.parse(`${(await state()).due_utc}Z`) - server().clock.now.getTime()) / 3_600_000);
    }
    expect(waits).toEqual([4, 8, 16, 24, 24]);
  });

  usually('end with their events kept, or in the trash', async () => {
    await subscribe();
    expect((await run('import unsubscribe', '1')).status).toBe(0);
    expect(await statuses()).toEqual(ALL);
    expect((await run('import subscriptions')).out).toEqual(['There are no subscriptions.']);
    await subscribe();
    const ended = await run('import unsubscribe', '2', '--trash');
    expect(ended.out.at(-1)).toBe('Moved to the trash: 3. Kept for their tickets: 0.');
    expect(await statuses()).toEqual([
      ...['Past publish', 'Talk trash', 'Walk trash', 'Class trash', 'Class trash', 'Class trash'],
    ]);
    expect((await run('import unsubscribe', '2')).errors).toEqual(['There is no subscription "2".']);
  });

  it('are paused if ending them fails, and end at the next request', async () => {
    await subscribe();
    const { context } = server();
    const before = (statement: string) => {
      if (/^update "events"/.test(statement)) throw new Error('the database is gone');
    };
    const weak = { ...context, db: withHooks(context.db, { before }) };
    const end = (at: typeof context) =>
      runCommand(
        fileImportCommands.find(({ name }) => name === 'import unsubscribe'),
        at,
        ['1', '--trash'],
      );
    await expect(end(weak)).rejects.toThrow('the database is gone');
    expect(await statuses()).toEqual(ALL);
    expect(await state()).toMatchObject({ is_paused: 1 });
    content = { talk: [...TALK, 'LOCATION:Hall'] };
    expect(await later(24)).toBe(0);
    expect((await end(context)).out.at(-1)).toBe('Moved to the trash: 3. Kept for their tickets: 0.');
    expect((await run('import subscriptions')).out).toEqual(['There are no subscriptions.']);
  });

  usually('take only known choices', async () => {
    expect((await subscribe('--hours', '0')).errors).toEqual(['--hours takes a number from 1 to 168.']);
    expect((await subscribe('--status', 'trash')).errors).toEqual([
      '--status takes one of publish, pending, draft, private.',
    ]);
    expect((await run('import ical', 'file.ics', '--subscribe')).errors).toEqual([
      'This is not the web address of a calendar: file.ics',
    ]);
  });

  it('are created, changed, paused and ended through the API', async () => {
    const ask = (call: string, body?: object) => server().ask(call, { as: 'administrator', ...(body && { body }) });
    const path = 'admin:/imports/subscriptions';
    for (const wrong of ['ftp://a.example', 'https://a:b@a.example', 'x'.repeat(3000)])
      expect((await ask(`POST ${path}`, { address: wrong })).body.data.params).toHaveProperty('address');
    for (const wrong of [{ hours: 0 }, { hours: 169 }, { status: 'x' }, { categories: ['x'.repeat(101)] }])
      expect((await ask(`POST ${path}`, { address, ...wrong })).body.data.params).toHaveProperty(Object.keys(wrong));
    const made = await Promise.all([1, 2].map(() => ask(`POST ${path}`, { address, categories: ['Guests'] })));
    expect(made.map(({ status: code }) => code).sort()).toEqual([201, 409]);
    const { id, ...defaults } = made.find(({ status: code }) => code === 201)?.body ?? {};
    expect(defaults).toMatchObject({ hours: 4, status: 'publish', paused: false, checked_utc: null });
    expect((await ask(`PATCH ${path}/${id}`, { paused: true, hours: 12 })).body).toMatchObject({
      paused: true,
      hours: 12,
    });
    await later(13);
    expect(await statuses()).toEqual([]);
    expect((await ask(`GET ${path}?paused=false`)).body.total).toBe(0);
    await ask(`PATCH ${path}/${id}`, { paused: false, categories: null });
    await later(0);
    expect((await ask(`GET ${path}`)).body.subscriptions).toMatchObject([
      { id, categories: [], failures: 0, problem: '', counts: { created: { event: 4 } } },
    ]);
    const ended = await ask(`DELETE ${path}/${id}?trash=true`);
    expect(ended.body).toMatchObject({ id, trashed: 3, kept: 0 });
    // Its address may have a secret.
    expect(ended.headers.get('cache-control')).toBe('private, no-store');
    expect(await statuses()).toContain('Past publish');
    for (const call of ['PATCH', 'DELETE'])
      expect((await ask(`${call} ${path}/${id}`, {})).body.code).toBe('subscription-not-found');
    const { rows } = await sql<{
      text: string;
    }>`SELECT title || fields AS text FROM audit WHERE kind = 'subscription'`.execute(server().context.db.query);
    expect(rows.length).toBeGreaterThan(3);
    expect(JSON.stringify(rows)).not.toContain('calendar.ics');
  });
});
