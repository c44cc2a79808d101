import { createRoute } from '@tanstack/react-router';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';

export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  ...screen('account', () => import('./account.tsx')),
});
