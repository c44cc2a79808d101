import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/root-route.tsx';
import { screen } from '../frame/screen.tsx';
import { filters, oneOf } from '../search-params.ts';
import { STEPS } from './steps.ts';

export const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  validateSearch: filters({ step: oneOf(...STEPS) }),
  ...screen('set-up', () => import('./set-up.tsx')),
});
