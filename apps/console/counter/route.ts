import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/root-route.tsx';
import { screen } from '../frame/screen.tsx';
import { filters, whole } from '../search-params.ts';

export const counterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/counter',
  validateSearch: filters({ event: whole }),
  ...screen('counter', () => import('./counter.tsx')),
});
