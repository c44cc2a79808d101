import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { day, filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import { EVENT_STATUSES, EVENT_VIEWS } from './filter-values.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('events');

export const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: filters({
    view: oneOf(...EVENT_VIEWS),
    search: text,
    category: whole,
    author: whole,
    venue: whole,
    from: day,
    to: day,
    status: oneOf(...EVENT_STATUSES),
    missing: text,
    series: whole,
    each: oneOf('series'),
    page: whole,
  }),
  ...screen(() => import('./list/event-list.tsx')),
});

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

const reads =
  (pattern: RegExp) =>
  (value: string): string | undefined =>
    pattern.test(value) ? value : undefined;

/** A valid day; weeks are counted from it. */
const existingDay = (value: string): string | undefined =>
  DAY.test(value) && !Number.isNaN(Date.parse(`${value}T00:00:00Z`)) ? value : undefined;

export const newEventRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/new',
  validateSearch: filters({ day: reads(DAY), from: oneOf('set-up') }),
  ...screen(() => import('./new-event/new-event.tsx')),
});

export const calendarRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calendar',
  validateSearch: filters({ month: reads(/^[12]\d{3}-(?:0[1-9]|1[0-2])$/), week: existingDay, each: oneOf('series') }),
  ...screen(() => import('./calendar/calendar.tsx')),
});

export const eventRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id',
  // The last action on the event.
  validateSearch: filters({ just: oneOf('publish') }),
  ...screen(() => import('./editor/event-editor.tsx')),
});
