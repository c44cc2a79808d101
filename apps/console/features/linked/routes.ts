import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import { ORDERS, VIEWS } from './kinds.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('linked');

const listed = filters({
  view: oneOf(...VIEWS),
  search: text,
  page: whole,
  sort: oneOf(...ORDERS),
  order: oneOf('asc', 'desc'),
});

const venuesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/venues',
  validateSearch: listed,
  ...screen(() => import('./linked-list.tsx')),
});

const venueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/venues/$id',
  ...screen(() => import('./venue.tsx')),
});

const organizersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizers',
  validateSearch: listed,
  ...screen(() => import('./linked-list.tsx')),
});

const organizerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizers/$id',
  ...screen(() => import('./record.tsx')),
});

export const linkedRoutes = [venuesRoute, venueRoute, organizersRoute, organizerRoute] as const;
