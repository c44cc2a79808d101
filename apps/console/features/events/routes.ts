import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

/** Views of the list. */
export const EVENT_VIEWS = ['upcoming', 'past', 'drafts', 'trash'] as const;
/** Views of users who see only published events. */
export const PUBLIC_VIEWS = ['upcoming', 'past'] as const;
export type EventView = (typeof EVENT_VIEWS)[number];

export const t = textsOf<typeof en>('events');

export const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: filters({
    view: oneOf(...EVENT_VIEWS),
    search: text,
    category: whole,
    author: whole,
    missing: text,
    page: whole,
  }),
  ...screen('events', () => import('./list/event-list.tsx')),
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
  ...screen('events', () => import('./new-event/new-event.tsx')),
});

export const calendarRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calendar',
  validateSearch: filters({ month: reads(/^[12]\d{3}-(?:0[1-9]|1[0-2])$/), week: existingDay }),
  ...screen('events', () => import('./calendar/calendar.tsx')),
});

export const eventRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id',
  ...screen('events', () => import('./editor/event-editor.tsx')),
});
