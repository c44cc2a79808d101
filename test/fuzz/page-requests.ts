import fc from 'fast-check';
import { BROKEN_QUERIES, brokenJson, type Callers, contentOf, wrongType } from './interface-requests.ts';
import { type Content, type FuzzRequest, type Pairs, queryOf } from './request.ts';
import {
  GLOBALS,
  junkCookie,
  junkDate,
  junkHeaders,
  junkLanguage,
  junkText,
  LONG,
  METHODS,
  mostly,
  suffix,
} from './values.ts';

/** Requests of everything that is not the REST interface: pages, feeds, files, documentation. */

const VIEWS = ['', 'list/', 'month/', 'week/', 'today/', 'photo/', 'places/', 'past/', 'featured/', 'list/page/2/'];
const FEEDS = ['', 'ical/', 'feed/', 'feed/atom/', 'feed/json/', 'feed/rdf/'];
const SUBJECTS = ['/events/', '/events/category/walks/', '/tag/family/', '/venue/lantern-hall/', '/organizer/x/'];

const PATHS = [
  ...['/', '/index.php', '/?p=$id1', '/feed/', '/event/', '/embed/events/', '/cart/', '/checkout/', '/my-tickets/'],
  ...['', 'ical/', 'feed/', 'embed/', 'picture.png', 'sale/$ticket/ical/', 'x/'].map((part) => `/event/$slug/${part}`),
  ...['/embed/event/$slug/', '/events/$slug/', '/$slug/', '/event/lantern-walk/', '/oembed'],
  ...['$order', '$ordercancel/', '$held', '$heldreply/', '$heldtransfer/', '$heldical/', '$heldticket.png'],
  ...['$heldcode.png', '/order/$id1/x/', '/ticket/$id1/x/', '/robots.txt', '/sitemap.xml', '/sitemap-event-1.xml'],
  ...['/sitemap-pages-1.xml', '/sitemap-tags-1.xml', '/wp-sitemap.xml', '/docs', '/docs/', '/docs/guide', '/console/'],
  ...['/console/x', '/healthz', '/metrics', '/embed.js', '/assets/x.css', '/theme.css', '/uploads/x.png', '/imprint/'],
  ...['/wp-json/', '/wp-json/oembed/1.0/embed', '/wp-admin/', '/.env', '/favicon.ico'],
];

const JUNK_PARTS = ['%00', '%ff', '..%2f', '%E2%82', '//', '%2e%2e/', encodeURIComponent(LONG.slice(0, 900)), '٣', '-'];

const calendarPath = fc
  .tuple(
    fc.constantFrom(...SUBJECTS),
    fc.oneof(
      fc.constantFrom(...VIEWS),
      fc.tuple(fc.constantFrom('', 'month/', 'week/', 'day/'), junkDate).map(([view, date]) => `${view}${date}/`),
    ),
    fc.constantFrom(...FEEDS),
  )
  .map((parts) => encodeURI(parts.join('')));

const path = fc
  .tuple(
    mostly(fc.constant(''), fc.constantFrom('/fr', '/de', '/xx', '/')),
    fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...PATHS) }, calendarPath),
    mostly(fc.constant(''), fc.constantFrom(...JUNK_PARTS)),
  )
  .map((parts) => parts.join(''));

const QUERY_NAMES = [
  ...['search', 'city', 'start_date', 'end_date', 'categories', 'tags', 'venue', 'organizer', 'featured', 'ticketed'],
  ...[
    'free',
    'p',
    'include',
    'limit',
    'url',
    'maxwidth',
    'maxheight',
    'format',
    'rest_route',
    'v',
    'post_type',
    'ical',
  ],
  ...[
    's',
    'tag',
    'tribe_events',
    'tribe_events_cat',
    'tribe-bar-date',
    'tribe-bar-search',
    'eventDate',
    'eventDisplay',
  ],
  ...['paged', 'tribe_paged', 'event_ids', 'event_qr_code', 'ticket_id', 'security_code', 'event_id', 'outlook-ical'],
];
const FORM_NAMES = [
  ...['event', 'ticket-$ticket', 'remove', 'take', 'update', 'key', 'name', 'email', 'places', 'total', 'terms'],
  ...['payment', 'guest-$ticket-1', 'full_name', 'password', 'reply_to', 'reply-$ticket-name', 'reply-$ticket-email'],
  ...['answer', 'show', 'next', 'website_address'],
];

const pairsOf = (names: readonly string[], maxLength: number): fc.Arbitrary<Pairs> =>
  fc.array(
    fc
      .tuple(mostly(fc.constantFrom(...names), fc.constantFrom(...GLOBALS)), suffix, fc.oneof(junkText, junkDate))
      .map(([name, rest, value]) => [`${name}${rest}`, value] as const),
    { minLength: 1, maxLength },
  );

/** Valid values of the fields of forms, so that the server carries them out. */
const FILLED: readonly Pairs[] = [
  [
    ['event', '$slug'],
    ['ticket-$ticket', '1'],
  ],
  [
    ['name', 'Ada'],
    ['email', 'ada@example.test'],
    ['key', 'fuzzed'],
    ['places', '$ticket:1'],
  ],
  [
    ['full_name', 'Ben'],
    ['email', 'ben@example.test'],
  ],
  [['answer', 'no']],
  [['password', 'sesame']],
];

const body: fc.Arbitrary<Content> = fc.oneof(
  fc.constant<Content>({ headers: {} }),
  { weight: 6, arbitrary: contentOf(pairsOf(FORM_NAMES, 5)) },
  {
    weight: 3,
    arbitrary: contentOf(
      fc.tuple(fc.constantFrom(...FILLED), pairsOf(FORM_NAMES, 2)).map(([filled, more]) => [...filled, ...more]),
    ),
  },
  { weight: 2, arbitrary: contentOf(fc.constantFrom(...FILLED)) },
  brokenJson,
  wrongType,
);

const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 6, arbitrary: pairsOf(QUERY_NAMES, 4).map(queryOf) },
  fc.constantFrom(...BROKEN_QUERIES),
);

export const pageRequests = ({ roles }: Callers): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      role: fc.constantFrom(undefined, undefined, ...roles),
      method: fc.oneof(fc.constantFrom('GET', 'POST'), fc.constantFrom(...METHODS)),
      path,
      query,
      content: body,
      headers: junkHeaders,
      accept: fc.constantFrom('text/html', '*/*', 'application/json', 'text/calendar;q=x, */*'),
      cookie: fc.option(fc.oneof(junkCookie, fc.constant('marquee-cart=$cart')), { freq: 2, nil: undefined }),
      language: fc.option(junkLanguage, { freq: 3, nil: undefined }),
    })
    .map(({ role, method, path: address, query: search, content, headers, accept, cookie, language }) => ({
      ...{ role, method },
      path: search === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${search}`,
      headers: {
        accept,
        ...headers,
        ...content.headers,
        ...(cookie !== undefined && { cookie }),
        ...(language !== undefined && { 'accept-language': language }),
      },
      ...(method !== 'GET' && method !== 'HEAD' && { body: content.body }),
    }));
