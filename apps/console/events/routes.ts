import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/root-route.tsx';
import { screen } from '../frame/screen.tsx';
import { filters, oneOf, text, whole } from '../search-params.ts';
import { EVENT_VIEWS } from './views.ts';

export const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: filters({ view: oneOf(...EVENT_VIEWS), search: text, page: whole }),
  ...screen('events', () => import('./event-list.tsx')),
});

export const eventRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id',
  ...screen('events', () => import('./event-editor.tsx')),
});
