import { createRoute } from '@tanstack/react-router';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { filters, oneOf } from '../../shared/screen/search-params.ts';
import { STEPS } from './steps.ts';

export const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  validateSearch: filters({ step: oneOf(...STEPS) }),
  ...screen('set-up', () => import('./set-up.tsx')),
});
