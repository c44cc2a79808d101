import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/root-route.tsx';
import { screen } from '../frame/screen.tsx';
import { day, filters, oneOf, whole } from '../search-params.ts';
import { GROUPINGS, KINDS } from './choices.ts';

export const reportsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports',
  validateSearch: filters({
    ...{ kind: oneOf(...KINDS), by: oneOf(...GROUPINGS), event: whole, compare: whole },
    ...{ from: day, to: day },
  }),
  ...screen('reports', () => import('./reports.tsx')),
});
