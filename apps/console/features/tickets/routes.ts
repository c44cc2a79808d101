import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, rootRoute, screen, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('tickets');

export const eventTicketsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/tickets',
  validateSearch: filters({ open: whole }),
  ...screen(() => import('./event-tickets.tsx')),
});

export const eventCapacityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/capacity',
  ...screen(() => import('./capacity.tsx')),
});
