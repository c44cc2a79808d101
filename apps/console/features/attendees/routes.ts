import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import { GROUPINGS, SHEETS } from './guests.ts';
import type en from './locales/en.json';
import { ATTENDEE_VIEWS, DIRECTIONS, SORTS } from './views.ts';

export const t = textsOf<typeof en>('attendees');

const validateSearch = filters({
  view: oneOf(...ATTENDEE_VIEWS),
  search: text,
  ticket: whole,
  event: whole,
  past: oneOf('true'),
  sort: oneOf(...SORTS),
  direction: oneOf(...DIRECTIONS),
  page: whole,
  open: whole,
});

export const attendeesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/attendees',
  validateSearch,
  ...screen(() => import('./attendee-screens.tsx'), 'AllAttendees'),
});

export const guestListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/attendees/print',
  validateSearch: filters({ sheet: oneOf(...SHEETS), by: oneOf(...GROUPINGS), used: whole }),
  ...screen(() => import('./guest-list.tsx')),
});

export const eventAttendeesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/attendees',
  validateSearch,
  ...screen(() => import('./attendee-screens.tsx'), 'EventAttendees'),
});
