import { createRoute } from '@tanstack/react-router';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { filters, whole } from '../../shared/screen/search-params.ts';

export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: filters({ page: whole }),
  ...screen('keys', () => import('./keys.tsx')),
});
