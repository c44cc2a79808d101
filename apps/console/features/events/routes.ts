import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { day, filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

/** Views of the list. */
export const EVENT_VIEWS = ['upcoming', 'past', 'drafts', 'trash'] as const;
/** Views of users who see only published events. */
export const PUBLIC_VIEWS = ['upcoming', 'past'] as const;
export type EventView = (typeof EVENT_VIEWS)[number];

const PUBLICATION = ['publish', 'draft', 'pending', 'future', 'private'] as const;
export const TAKING_PLACE = ['cancelled', 'postponed', 'rescheduled', 'moved_online'] as const;

/** Statuses that the list can be filtered by. */
export const EVENT_STATUSES = [...PUBLICATION, ...TAKING_PLACE] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

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
