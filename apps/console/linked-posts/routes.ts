import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/root-route.tsx';
import { screen } from '../frame/screen.tsx';
import { filters, oneOf, text, whole } from '../search-params.ts';
import { SORTS, VIEWS } from './kinds.ts';

const validateSearch = filters({
  ...{ view: oneOf(...VIEWS), search: text, sort: oneOf(...SORTS), order: oneOf('asc', 'desc'), page: whole },
});

export const venuesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/venues',
  validateSearch,
  ...screen('linked-posts', () => import('./venues.tsx')),
});

export const venueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/venues/$id',
  ...screen('linked-posts', () => import('./venue.tsx')),
});

export const organizersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizers',
  validateSearch,
  ...screen('linked-posts', () => import('./organizers.tsx')),
});

export const organizerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizers/$id',
  ...screen('linked-posts', () => import('./organizer.tsx')),
});
