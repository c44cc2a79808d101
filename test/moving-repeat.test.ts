import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endpointOf } from '../src/app.ts';
import { type Following, followSite } from '../src/moving/follow-site.ts';
import { openSource, SourceError } from '../src/moving/source.ts';
import { administratorContext } from '../src/platform/users/in-process-context.ts';
import { importCommands } from '../src/server/cli/import.ts';
import { runCommand } from './commands.ts';
import { commandProcess } from './marquee-process.ts';
import { listed, type OldSite, siteWith } from './old-sites.ts';
import { DATABASES, useTestServer } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { dumpOf } from './wordpress-files.ts';

/** Following a site until the day of the move. */

const DATES = {
  ...{ author: '2', status: 'publish', date: '2026-05-01 10:00:00', date_utc: '2026-05-01 08:00:00' },
  ...{ modified: '2026-05-02 10:00:00', modified_utc: '2026-05-02 08:00:00' },
};
const EVENT = {
  ...DATES,
  ...{ slug: '', description: '', excerpt: '', website: '', all_day: false, timezone: 'Europe/Berlin' },
  ...{ start_date: '2027-02-03 19:00:00', end_date: '2027-02-03 21:00:00' },
  ...{ utc_start_date: '2027-02-03 18:00:00', utc_end_date: '2027-02-03 20:00:00' },
  ...{ show_map: true, show_map_link: false, hide_from_listings: false, sticky: false, featured: false },
  ...{ cost: '', cost_details: {}, image: false, ticketed: [], categories: [], tags: [], venue: [], organizer: [] },
};
const V1 = 'tribe/events/v1';

describe.each(DATABASES)('following a site on %s', (kind) => {
  const server = useTestServer(kind, { timezone: 'Europe/Berlin' }, { isFreshEachTime: true });
  let old: OldSite | undefined;
  afterEach(async () => {
    await old?.close();
    old = undefined;
  });

  /** A site of events, which may tell those that have changed since a time. */
  const openSite = async (titles: Map<number, string>, changed?: Set<number>) => {
    const events = () => [...titles].map(([id, title]) => ({ ...EVENT, id, title, slug: `event-${id}` }));
    const list = (ids: readonly number[]) => ids.map((id) => ({ id }));
    old = await siteWith(() => ({
      [`${V1}/categories`]: listed('categories', []),
      [`${V1}/tags`]: listed('tags', []),
      [`${V1}/venues`]: listed('venues', []),
      [`${V1}/organizers`]: listed('organizers', []),
      [`${V1}/events`]: listed('events', events()),
      ...Object.fromEntries(events().map((event) => [`${V1}/events/${event.id}`, event])),
      'tribe/tickets/v1/tickets': listed('tickets', []),
      'tribe/tickets/v1/attendees': listed('attendees', []),
      'wp/v2/tribe_venue': [],
      'wp/v2/tribe_organizer': [],
      'wp/v2/tribe_events': (query: URLSearchParams) => {
        const after = query.get('modified_after');
        if (after === null || !changed) return list([...titles.keys()]);
        return after.startsWith('2999') ? [] : list([...changed]);
      },
    }));
    return old;
  };

  /** Follows for some passes; `between` runs after each. */
  const follow = async (
    site: OldSite,
    between: ((passes: number) => Promise<void>)[],
    options: Partial<Following> = {},
  ) => {
    const stop = new AbortController();
    const log: string[] = [];
    let passes = 0;
    let clock = Date.parse('2026-11-21T17:00:00Z');
    await followSite({
      ...{ every: 60_000, signal: stop.signal },
      open: async () => ({
        source: openSource({ address: site.address, pause: async () => undefined }),
        close: () => undefined,
      }),
      contextOf: async () => ({
        ...(await administratorContext(server().context, endpointOf)),
        ...{ language: 'en', now: new Date(clock) },
      }),
      onWritten: ({ id }, { action }) => void log.push(`${action} ${id}`),
      onPass: (pass) => void log.push(pass ? `${pass.isFull ? 'all' : 'changed'} ${pass.isStopped}` : 'same'),
      onProblem: (sentence) => void log.push(sentence),
      pause: async (milliseconds) => {
        clock += milliseconds;
        await between[passes]?.(passes);
        passes += 1;
        if (passes > between.length) stop.abort();
      },
      ...options,
    });
    return log;
  };
  const titleOf = async (id: number) => (await server().ask(`GET /events/${id}`, { as: 'administrator' })).body.title;

  it('reads only changed records of a source that tells them, and respects local changes', async () => {
    const [titles, changed] = [
      new Map([
        [101, 'One'],
        [102, 'Two'],
        [103, 'Three'],
      ]),
      new Set<number>(),
    ];
    const site = await openSite(titles, changed);
    let asked = 0;
    const log = await follow(site, [
      async () => {
        titles.set(102, 'Two, later');
        changed.add(102);
        asked = site.requests.length;
      },
      async () => {
        const later = site.requests.slice(asked);
        expect(later.filter((path) => path.includes(`${V1}/events/`))).toEqual([`/wp-json/${V1}/events/102`]);
        expect(later.some((path) => path.includes(`${V1}/events?`))).toBe(false);
        const since = later.map((path) => new URL(path, 'http://x').searchParams.get('modified_after'));
        expect(since).toContain('2026-11-20T15:00:00.000Z');
        await server().ask('PATCH /events/103', { as: 'administrator', body: { title: 'Ours' } });
        for (const id of [101, 103]) titles.set(id, 'Theirs');
        changed.add(101).add(103);
      },
      async () => undefined,
    ]);
    expect(log).toEqual([
      ...['create 101', 'create 102', 'create 103', 'all false', 'change 102', 'changed false'],
      ...['change 101', 'conflict 103', 'changed false', 'conflict 103', 'changed false'],
    ]);
    expect(await Promise.all([101, 102, 103].map(titleOf))).toEqual(['Theirs', 'Two, later', 'Ours']);
  });

  it('reads everything of other sources, and once a day', async () => {
    const titles = new Map([[101, 'One']]);
    const plain = await openSite(titles);
    expect(await follow(plain, [async () => void titles.set(101, 'Two')])).toEqual([
      ...['create 101', 'all false', 'change 101', 'all false'],
    ]);
    await plain.close();
    const site = await openSite(titles, new Set());
    const passes = await follow(site, [async () => undefined, async () => undefined], { every: 13 * 3_600_000 });
    expect(passes.filter((line) => !line.includes('101'))).toEqual(['all false', 'changed false', 'all false']);
  });

  it('goes on after faults of the source, but not if it never responded', async () => {
    const titles = new Map([[101, 'One']]);
    const site = await openSite(titles);
    const source = openSource({ address: site.address, pause: async () => undefined });
    let faults = 0;
    const log = await follow(site, [async () => void faults++, async () => void faults++], {
      open: async () => ({
        source: faults === 1 ? openSource({ address: 'http://127.0.0.1:1', pause: async () => undefined }) : source,
        close: () => undefined,
      }),
    });
    expect(log).toEqual([
      ...['create 101', 'all false', expect.stringMatching(/^The source does not respond/), 'all false'],
    ]);
    const away = { ...site, address: 'http://127.0.0.1:1' };
    await expect(follow(away, [])).rejects.toThrow('does not respond');
  });

  it('reads a file again once it is another one, or if a pass over it failed', async () => {
    const titles = new Map([[101, 'One']]);
    const site = await openSite(titles);
    const source = openSource({ address: site.address, pause: async () => undefined });
    const versions = ['a', 'a', 'b', 'b', 'b'];
    let passes = 0;
    const log = await follow(
      site,
      versions.slice(1).map((_version, index) => async () => {
        titles.set(101, `Title ${index}`);
        passes += 1;
      }),
      {
        versionOf: async () => versions[passes] ?? '',
        open: async () => {
          if (passes === 2) throw new SourceError('The dump breaks off.');
          return { source, close: () => undefined };
        },
      },
    );
    expect(log).toEqual([
      ...['create 101', 'all false', 'same', 'The dump breaks off.', 'change 101', 'all false', 'same'],
    ]);
    expect(await titleOf(101)).toBe('Title 2');
  });

  it('ends after the page in progress, and goes on there', async () => {
    const titles = new Map(Array.from({ length: 3 }, (_none, index) => [101 + index, `Event ${index}`]));
    const site = await openSite(titles);
    const stop = new AbortController();
    const stopped = await follow(site, [], {
      signal: stop.signal,
      onPage: (step) => {
        if (step === 'events') stop.abort();
      },
    });
    expect(stopped).toEqual(['create 101', 'create 102', 'create 103', 'all true']);
    const asked = site.requests.length;
    expect(await follow(site, [])).toEqual(['all false']);
    expect(site.requests.slice(asked).some((path) => path.includes('/venues'))).toBe(false);
    expect(await server().context.db.query.selectFrom('imports').select('id').execute()).toHaveLength(1);
  });

  it('reads everything once more after it has gone on, and goes on with no import before the last one', async () => {
    const titles = new Map([[101, 'One']]);
    const site = await openSite(titles, new Set());
    const stopAt = async (between: ((passes: number) => Promise<void>)[], pass: number) => {
      const stop = new AbortController();
      let passes = 0;
      return follow(site, between, {
        signal: stop.signal,
        every: 25 * 3_600_000,
        onPage: (step) => {
          if (step === 'events' && ++passes === pass) stop.abort();
        },
      });
    };
    await stopAt([], 1);
    // Changed before the place where it goes on.
    titles.set(101, 'Two');
    const log = await follow(site, [async () => undefined, async () => undefined]);
    expect(log).toEqual(['all false', 'change 101', 'all false', 'changed false']);
    expect(await titleOf(101)).toBe('Two');
    await stopAt([async () => undefined], 2);
    const command = importCommands.find(({ name }) => name === 'import wordpress');
    expect((await runCommand(command, server().context, [site.address])).status).toBe(0);
    const asked = site.requests.length;
    expect(await follow(site, [])).toEqual(['all false']);
    expect(site.requests.slice(asked).some((path) => path.includes('/venues'))).toBe(true);
    const { errors } = await runCommand(command, server().context, [site.address, '--resume']);
    expect(errors).toEqual(['There is no unfinished import of this address. Leave out --resume.']);
  });

  it('is refused with other options, and for times that make no sense', async () => {
    const command = importCommands.find(({ name }) => name === 'import wordpress');
    const run = async (...args: string[]) => (await runCommand(command, server().context, args)).errors.join('\n');
    expect(await run('http://127.0.0.1:1', '--repeat', '--dry-run')).toMatch(/exclude each other/);
    expect(await run('http://127.0.0.1:1', '--every', '4h')).toBe('--every belongs to --repeat.');
    for (const every of ['0m', '15', '169h', '-1m', 'soon'])
      expect(await run('http://127.0.0.1:1', '--repeat', `--every=${every}`)).toMatch(
        /^--every takes minutes or hours/,
      );
    expect(await run('ftp://old.example', '--repeat')).toBe('"ftp://old.example" is not a web address.');
  });
});

describe('the command that follows a dump', () => {
  it('prints what a pass over it did, and ends with success when it is told to', async () => {
    const folder = await temporaryFolder('repeat');
    const sql = join(folder, 'site.sql');
    const dump = (title: string) =>
      dumpOf({
        ...{ home: 'https://old.example', options: {}, users: [], posts: [] },
        terms: [{ id: 4, taxonomy: 'tribe_events_cat', name: title, slug: 'folk' }],
      });
    await writeFile(sql, dump('Folk'));
    const args = ['import', 'wordpress', '--sql', sql, '--repeat', '--every', '1m'];
    const following = commandProcess(args, { MARQUEE_DATA: join(folder, 'data') });
    const read = () => following.output().filter((line) => line.includes('all records were read'));
    await vi.waitFor(() => expect(read()).toHaveLength(1), 30_000);
    following.signal('SIGTERM');
    const { code, err } = await following.ended;
    expect({ code, err }).toEqual({ code: 0, err: [] });
    expect(following.output()).toContain('  created: 1 category');
  });
});
