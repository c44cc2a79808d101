import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import type { AnyEndpoint } from '../src/http/core/endpoint.ts';
import { makeAttendee, makeSeat } from './attendees.ts';
import { type Everything, makeEverything } from './fixtures.ts';
import { addImport } from './imports.ts';
import { type Answer, type Asking, DATABASES, useTestServer } from './server.ts';
import { effort } from './thoroughness.ts';

/** Every filter of every list, alone, in pairs and together with a search. */

const LISTS: readonly AnyEndpoint[] = endpoints.filter(
  ({ methods, name }) => methods.includes('GET') && name.endsWith('.list'),
);

interface World extends Everything {
  ticket: number;
  attendee: number;
  user: number;
  series: number;
  imported: number;
}

type Query = Record<string, string>;
type Value = string | number | boolean | Query | ((world: World) => string | number);

const DAY = '2027-02-01';
const event = (world: World) => world.event;
const ticket = (world: World) => world.ticket;
/** A single coordinate is refused. */
const POINT = { geoloc_lat: '42.5', geoloc_lng: '-70.9' };

/** A valid value of each parameter. */
const VALUES: Record<string, Value> = {
  start_date: DAY,
  end_date: '2027-02-03',
  starts_before: DAY,
  starts_after: '2027-01-01',
  ends_before: '2027-02-03',
  ends_after: 'now',
  strict_dates: true,
  categories: 'walks',
  tags: 'family',
  tribe_events_cat: (world) => world.category,
  venue: (world) => world.venue,
  organizer: (world) => world.organizer,
  featured: true,
  event_status: 'cancelled,scheduled',
  missing_language: 'fr',
  geoloc: false,
  geoloc_lat: POINT,
  geoloc_lng: POINT,
  post_parent: event,
  series: (world) => world.series,
  collapse: 'series',
  ticketed: true,
  free: true,
  password: 'secret',
  promotion: 'PRESALE',
  requires_code: true,
  event,
  post: event,
  post_id: event,
  include_post: event,
  exclude_post: event,
  ticket_id: ticket,
  include_ticket: ticket,
  exclude_ticket: ticket,
  has_events: true,
  only_with_upcoming: true,
  hide_empty: true,
  slug: 'lantern-walk',
  order: 'desc',
  orderby: 'slug',
  parent: (world) => world.parent,
  offset: 0,
  is_available: true,
  provider: 'tribe-commerce,tc',
  after: '2020-01-01',
  before: '2030-01-01',
  attendees_min: 0,
  attendees_max: 9,
  checkedin_min: 0,
  checkedin_max: 9,
  capacity_min: 0,
  capacity_max: 999,
  available_from: '2020-01-01',
  available_until: '2030-01-01',
  post_status: 'any',
  status: 'publish,draft',
  currency: 'USD',
  attendee_information_available: true,
  price_min: 0,
  price_max: 999,
  order_status: 'any',
  order_id: 1,
  checkedin: false,
  rsvp_going_status: 'yes',
  name: 'ada',
  email: 'ada',
  role: 'editor',
  user_id: (world) => world.user,
  upcoming: true,
  include: (world) => world.event,
  exclude: 999_999,
  context: 'view',
  media_type: 'image',
  mime_type: 'image/png',
  kind: 'event',
  user: (world) => world.user,
  action: 'changed',
  from: '2020-01-01',
  to: '2030-01-01',
  gateway: 'manual,free',
  total_min: 0,
  total_max: 999,
  money_owed: true,
  unused: false,
  without_alt: 'fr',
  open: true,
  event_id: event,
  author: (world) => world.user,
  author_exclude: (world) => world.user,
  _embed: 1,
};

/** Lists in which the parameter of this name takes other values. */
const VALUES_OF: Record<string, Record<string, Value>> = {
  'categories.list': { include: (world) => world.category, exclude: (world) => world.parent },
  'tags.list': { include: (world) => world.tag, exclude: (world) => world.tag },
  'orders.list': { status: 'completed' },
  'payments.list': { status: 'paid', order: 1 },
  'invoices.list': { kind: 'credit', order: 1 },
  'findings.list': { status: 'closed' },
  'mail_texts.list': { kind: 'tickets', language: 'en', event: (world) => world.event },
  'mails.list': { status: 'queued', kind: 'tickets', order: 1, event: 1, attendee: 1, to: 'ada@party.test' },
  'jobs.list': { state: 'dead' },
  'imports.list': { state: 'planned', kind: 'csv' },
  'import_plans.list': { action: 'cannot', kind: 'event', noted: true },
  'import_findings.list': { kind: 'line', code: 'no-start' },
  'subscriptions.list': { paused: false },
  'media.list': { orderby: 'title', include: (world) => world.media },
  'wp_media.list': { orderby: 'title' },
  'attendees.list': { order: 'DESC', include: (world) => world.attendee },
  'tickets.list': { order: 'DESC', include: ticket },
};

/** Parameters that do not restrict a list, or that this test sends separately. */
const PAGING = ['page', 'per_page', 'search', 'id'];

/** A rare word, found by the word index, and a frequent one. */
const RARE = 'moonless';
const FREQUENT = 'lantern';

const BATCH = 25;

async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH) await Promise.all(items.slice(at, at + BATCH).map(work));
}

const pairsOf = (filters: readonly Query[]): Query[] =>
  filters.flatMap((one, at) => filters.slice(at + 1).map((other) => ({ ...one, ...other })));

interface Request {
  as: Asking['as'];
  query: Query;
  language: string;
}

describe.each(DATABASES)('the lists on %s', (kind) => {
  const server = useTestServer(kind);
  let world: World;

  beforeAll(async () => {
    const made = await makeEverything(server());
    const walk = { start_date: '2027-02-02 10:00', end_date: '2027-02-02 11:00' };
    for (const title of ['Lantern fair', 'Lantern song', 'Lantern class', 'A moonless night'])
      await server().make('POST /events', { ...walk, title, categories: [made.category], tags: [made.tag] });
    const translate = (path: string, body: object) => server().make(`POST ${path}?i18n_language=fr`, body);
    await translate(`/events/${made.event}`, { title: 'Marche aux lanternes moonless', description: 'lantern' });
    await translate(`/venues/${made.venue}`, { venue: 'Salle lantern' });
    const seat = await makeSeat(server(), made.event);
    const { id: attendee } = await makeAttendee(server(), seat);
    const recurrence = { rrule: 'FREQ=DAILY;COUNT=2' };
    const series = await server().make('POST /series', { event: { ...walk, title: 'Lantern week' }, recurrence });
    const presale = { code: 'presale', kind: 'access', value: 0, event_id: made.event };
    await server().make('POST admin:/promotions', presale);
    world = {
      ...made,
      ticket: seat,
      attendee,
      user: server().userId('author'),
      series: series.id,
      imported: await addImport(server().context, 'finished'),
    };
  });

  const queryOf = ({ name }: AnyEndpoint, parameter: string): Query => {
    const value = VALUES_OF[name]?.[parameter] ?? VALUES[parameter];
    if (typeof value === 'object') return value;
    return { [parameter]: String(typeof value === 'function' ? value(world) : value) };
  };

  const idFor = (path: string): number => {
    if (path.startsWith('/events/')) return world.event;
    return path.startsWith('/imports/') ? world.imported : world.user;
  };
  const ask = ({ namespace, path }: AnyEndpoint, asking: Asking): Promise<Answer> =>
    server().ask(`GET ${namespace}:${path.replace('{id}', String(idFor(path)))}`, asking);

  describe.each(LISTS)('$name', (list) => {
    const names = Object.keys(list.input ?? {});
    it('has a value for every filter in this test', () => {
      const known = { ...VALUES, ...VALUES_OF[list.name] };
      expect(names.filter((name) => !PAGING.includes(name) && !Object.hasOwn(known, name))).toEqual([]);
    });

    it('returns the right records for every filter and every pair of them, with and without a search, in each language', async () => {
      const filters = names.filter((name) => !PAGING.includes(name)).map((name) => queryOf(list, name));
      const hasSearch = names.includes('search');
      const failures: string[] = [];
      const { languages } = server().context.config;
      const check = async ({ as, query, language }: Request, isGood: (status: number) => boolean) => {
        const { status } = await ask(list, { as, query, headers: { 'accept-language': language } });
        if (!isGood(status)) failures.push(`${status} to ${as} in ${language}: ${JSON.stringify(query)}`);
      };
      const inLanguages = (query: Query) => languages.map((language) => ({ query, language }));
      const searched = (query: Query, search: string) => (hasSearch ? [{ ...query, search }] : []);

      const alone = [{}, ...filters].flatMap((query) => [
        query,
        ...searched(query, RARE),
        ...searched(query, FREQUENT),
      ]);
      /** All when thorough, otherwise one of them: another for the next item and on the other database. */
      const someOf = <T>(items: readonly T[], at: number) =>
        effort(
          items,
          items.filter(
            (_item, index) => index === (at + Math.floor(at / items.length) + DATABASES.indexOf(kind)) % items.length,
          ),
        );
      /** When not thorough, each pair on one of the databases. */
      const isHere = (at: number) => effort(true, at % DATABASES.length === DATABASES.indexOf(kind));
      const pairs = pairsOf(filters).flatMap((query, at) =>
        isHere(at) ? someOf([query, ...searched(query, RARE)].flatMap(inLanguages), at) : [],
      );
      const requests = [...alone.flatMap(inLanguages), ...pairs];
      await inBatches(requests, (request) => check({ ...request, as: 'administrator' }, (status) => status === 200));
      // Queries are larger for viewers who see their own records.
      const own = alone.flatMap((query, at) => someOf(inLanguages(query), at));
      await inBatches(own, (request) => check({ ...request, as: 'author' }, (status) => status < 500));
      expect(failures).toEqual([]);
    });
  });
});
