import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DATABASES, type TestServer, useTestServer } from '../../test/server.ts';
import { findWrongCounters } from '../jobs/recount.ts';
import { findBookErrors } from '../ticketing/books/check-books.ts';
import { languagesOfTexts } from './translations.ts';

/** Milliseconds: drawing the posters keeps several cores busy. */
const timeout = 60_000;
const TABLES = ['events', 'linked_posts', 'terms', 'media', 'tickets', 'orders', 'attendees', 'audit'] as const;

const make = ({ ask }: TestServer, body: object = {}, headers: Record<string, string> = {}) =>
  ask('POST admin:/examples', { as: 'administrator', body, headers });

async function sizesOf({ context }: TestServer): Promise<Record<string, number>> {
  const sizes: [string, number][] = [];
  for (const table of TABLES) {
    const { count } = await context.db.query
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    sizes.push([table, Number(count)]);
  }
  return Object.fromEntries(sizes);
}

async function filesOf({ context }: TestServer): Promise<string[]> {
  const entries = await readdir(join(context.config.data, 'uploads'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe.each(DATABASES)('examples on %s', { timeout }, (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });

  it('fill a calendar that has only a venue with the announced records, once for two requests, as one action', async () => {
    const { ask, context, make: made, userId } = server();
    await made('POST /venues', { venue: 'Great Hall' });
    const site = (await ask('GET admin:/site')).body;
    const before = await sizesOf(server());
    const announced = await make(server(), { dry_run: true });
    expect(announced).toMatchObject({ status: 200, body: { dry_run: true, is_possible: true } });
    expect(await sizesOf(server())).toEqual(before);

    const key = { 'Idempotency-Key': 'one-set-up' };
    const answers = await Promise.all([make(server(), {}, key), make(server())]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const body = answers.find(({ status }) => status === 200)?.body;
    expect(body).toEqual({ ...announced.body, dry_run: false });
    const { events, venues, organizers, categories, tags, images, tickets, attendees } = body;
    expect(events).toBeGreaterThan(40);
    const [sizes, files] = [await sizesOf(server()), await filesOf(server())];
    expect(sizes).toMatchObject({
      ...{ events, tickets, attendees, media: images },
      linked_posts: 1 + venues + organizers,
      terms: categories + tags,
      audit: (before.audit ?? 0) + 1,
    });
    const [entry] = (await ask('GET admin:/audit', { as: 'administrator' })).body.audit;
    expect(entry).toMatchObject({ user: { id: userId('administrator') }, kind: 'site', fields: ['demo'] });
    const authors = await context.db.query.selectFrom('events').select('author_id').distinct().execute();
    expect(authors).toEqual([{ author_id: userId('administrator') }]);
    expect((await ask('GET admin:/site')).body).toEqual(site);
    expect(await findWrongCounters(context.db)).toEqual([]);
    expect(await findBookErrors(context.db)).toEqual([]);

    const again = await make(server(), {}, key);
    expect([again.status, again.body.code]).toEqual(
      answers[0]?.status === 200 ? [200, undefined] : [409, 'calendar-not-empty'],
    );
    expect((await make(server())).body.code).toBe('calendar-not-empty');
    expect((await make(server(), { dry_run: true })).body.is_possible).toBe(false);
    expect([await sizesOf(server()), await filesOf(server())]).toEqual([sizes, files]);
  });
});

it.each([
  [
    ['en', 'fr', 'de', 'it'],
    ['en', 'fr', 'de'],
  ],
  [
    ['de', 'fr'],
    ['de', 'fr'],
  ],
  [['it'], ['en']],
])('examples for a site in %j have texts in %j', (site, texts) => {
  expect(languagesOfTexts(site)).toEqual(texts);
});

describe('examples', { timeout }, () => {
  const server = useTestServer('sqlite', {}, { isFreshEachTime: true });

  it.each([
    ['an event in the trash', 'POST /events', { title: 'A', start_date: '2027-05-01', status: 'trash' }],
    ['an organizer', 'POST /organizers', { organizer: 'A' }],
    ['a tag', 'POST /tags', { name: 'A' }],
  ])('do not mix with %s', async (_what, call, body) => {
    await server().make(call, { ...body, ...('start_date' in body && { end_date: '2027-05-01', all_day: true }) });
    const before = await sizesOf(server());
    expect(await make(server())).toMatchObject({ status: 409, body: { code: 'calendar-not-empty' } });
    expect([await sizesOf(server()), await filesOf(server())]).toEqual([before, []]);
  });
});

describe('making examples', { timeout }, () => {
  let turns = 0;
  let inserts = 0;
  let fails = false;
  const seen = new Set<number>();
  const hooks = {
    before(sql: string) {
      if (/^insert into "attendees"/.test(sql) && fails) throw new Error('the disk is full');
      if (!/^insert into "(events|attendees)"/.test(sql)) return;
      inserts += 1;
      seen.add(turns);
      // Other requests are served before the next record only if this runs before it.
      setImmediate(() => {
        turns++;
      });
    },
  };
  const server = useTestServer('sqlite', {}, { hooks });

  it('leaves nothing behind when it fails on the way, also of files', async () => {
    fails = true;
    const before = await sizesOf(server());
    expect((await make(server())).status).toBe(500);
    expect((await make(server(), {}, { 'Idempotency-Key': 'that fails' })).status).toBe(500);
    expect([await sizesOf(server()), await filesOf(server())]).toEqual([before, []]);
  });

  it('lets the server do other things after each record', async () => {
    fails = false;
    seen.clear();
    inserts = 0;
    const { status, body } = await make(server());
    expect(status).toBe(200);
    expect(inserts).toBeGreaterThan(body.events);
    expect(seen.size).toBe(inserts);
  });
});
