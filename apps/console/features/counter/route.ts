import { createRoute } from '@tanstack/react-router';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { filters, whole } from '../../shared/screen/search-params.ts';

export const counterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/counter',
  validateSearch: filters({ event: whole }),
  ...screen('counter', () => import('./counter.tsx')),
});
