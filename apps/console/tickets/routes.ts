import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/root-route.tsx';
import { screen } from '../frame/screen.tsx';
import { filters, whole } from '../search-params.ts';

export const eventTicketsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/tickets',
  validateSearch: filters({ open: whole }),
  ...screen('tickets', () => import('./event-tickets.tsx')),
});

export const eventCapacityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/capacity',
  ...screen('tickets', () => import('./capacity.tsx')),
});
