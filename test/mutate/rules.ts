/**
 * The rules that `npm run mutate` changes, each with its tests: files without their ending, or folders, of which the
 * quick tests run.
 */
export const RULES: Readonly<Record<string, readonly string[]>> = {
  'src/ticketing/seats/seats.ts': ['src/ticketing/tickets', 'src/ticketing/cart', 'src/ticketing/orders/staff/orders'],
  'src/ticketing/seats/seat-counters.ts': [
    'src/ticketing/tickets',
    'src/ticketing/cart',
    'src/ticketing/orders/staff/counter',
  ],
  'src/ticketing/reports/availability.ts': ['src/ticketing/tickets', 'src/ticketing/cart'],
  'src/ticketing/tickets/sale-window.ts': ['src/ticketing/tickets', 'src/ticketing/cart'],
  'src/ticketing/seats/capacity.ts': ['src/ticketing/tickets'],
  'src/ticketing/orders/unpaid-expiry.ts': ['src/ticketing/tickets', 'src/ticketing/cart', 'src/ticketing/orders'],
  'src/ticketing/orders/seat-limits.ts': ['src/ticketing/cart', 'src/ticketing/orders', 'src/ticketing/rsvp'],
  'src/ticketing/orders/change-status.ts': ['src/ticketing/orders', 'src/ticketing/cart'],
  'src/ticketing/orders/cancellation.ts': ['src/ticketing/orders'],
  'src/ticketing/orders/statuses.ts': ['src/ticketing/orders', 'src/ticketing/attendees'],
  'src/platform/site/cancellation.ts': ['src/platform/site/cancellation', 'src/ticketing/orders'],
  'src/ticketing/attendees/check-in.ts': ['src/ticketing/attendees', 'src/ticketing/qr'],
  'src/calendar/library/undo-merge.ts': ['src/calendar/library'],
  'src/db/guarded-update.ts': ['src/db/database', 'test/revisions', 'src/calendar/library'],
  'src/http/core/auth.ts': [
    'src/http/core/auth',
    'src/calendar/posts',
    'test/sessions',
    'test/hidden-ids',
    'src/ticketing/qr',
  ],
  'src/http/core/cookies.ts': ['src/http/core/cookies', 'test/sessions', 'src/ticketing/cart'],
  'src/http/cache/response-cache.ts': ['test/response-keys', 'test/response-cache', 'test/nginx'],
  'src/http/cache/cache-key.ts': ['test/response-keys', 'test/sessions', 'src/http/pipeline/serve'],
  'src/http/cache/response-store.ts': ['src/http/cache/response-store', 'test/response-keys'],
  'src/http/pipeline/pipeline.ts': ['test/response-cache', 'test/overload', 'src/base/request-id'],
  'src/calendar/posts/visibility.ts': [
    ...['src/calendar/posts', 'src/calendar/events/lists/list', 'src/calendar/linked-posts', 'src/ticketing/attendees'],
  ],
  'src/platform/users/sign-in/session-store.ts': ['test/sessions', 'src/server/cli/accounts'],
  'src/platform/users/sign-in/sign-in.ts': ['test/sessions', 'test/secret-limits'],
  'src/platform/users/sign-in/rights.ts': ['src/platform/users', 'test/sessions'],
  'src/platform/users/sign-in/second-factor.ts': ['test/sessions', 'test/secret-limits', 'src/server/cli/accounts'],
  'src/lib/dates/dates.ts': [
    'src/lib/dates/dates',
    'src/lib/dates/zones',
    'src/calendar/events/times',
    'src/ticketing/tickets/list',
  ],
  'src/lib/dates/local-time.ts': [
    'src/lib/dates/local-time',
    'src/lib/dates/zones',
    'src/lib/dates/dates',
    'src/lib/dates/month',
  ],
  'src/lib/dates/date-resolver.ts': ['src/lib/dates/dates', 'src/lib/dates/zones', 'src/http/input/date-param'],
  'src/lib/dates/date-parser.ts': ['src/lib/dates/dates', 'src/lib/dates/zones', 'src/http/input/date-param'],
  'src/calendar/events/times.ts': [
    'src/calendar/events/times',
    'src/calendar/events/endpoints/events',
    'test/feed-times',
  ],
  'src/calendar/events/lists/date-filters.ts': [
    'src/calendar/events/lists/date-filters',
    'src/calendar/events/lists/list',
  ],
  'src/calendar/events/event-status.ts': ['src/calendar/events/event-status', 'src/calendar/events/lists/list'],
  'src/web/feeds/ical.ts': ['src/web/feeds', 'test/feed-times', 'test/feeds-hostile'],
};
