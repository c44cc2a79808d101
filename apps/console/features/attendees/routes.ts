import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';
import { ATTENDEE_VIEWS, DIRECTIONS, SORTS } from './views.ts';

export const t = textsOf<typeof en>('attendees');

const validateSearch = filters({
  view: oneOf(...ATTENDEE_VIEWS),
  search: text,
  ticket: whole,
  sort: oneOf(...SORTS),
  direction: oneOf(...DIRECTIONS),
  page: whole,
  open: whole,
});

export const attendeesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/attendees',
  validateSearch,
  ...screen('attendees', () => import('./attendee-screens.tsx'), 'AllAttendees'),
});

export const eventAttendeesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/attendees',
  validateSearch,
  ...screen('attendees', () => import('./attendee-screens.tsx'), 'EventAttendees'),
});
