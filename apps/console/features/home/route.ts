import { createRoute } from '@tanstack/react-router';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  ...screen('home', () => import('./home.tsx')),
});
