import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/root-route.tsx';
import { screen } from '../frame/screen.tsx';
import { filters, whole } from '../search-params.ts';

export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: filters({ page: whole }),
  ...screen('keys', () => import('./keys.tsx')),
});
