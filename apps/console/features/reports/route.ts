import { createRoute } from '@tanstack/react-router';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { day, filters, oneOf, whole } from '../../shared/screen/search-params.ts';
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
