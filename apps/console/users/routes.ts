import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/root-route.tsx';
import { screen } from '../frame/screen.tsx';
import { filters, oneOf, text, whole } from '../search-params.ts';
import { ROLES } from './roles.ts';

export const usersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users',
  validateSearch: filters({ role: oneOf(...ROLES), search: text, page: whole }),
  ...screen('users', () => import('./user-list.tsx')),
});

export const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users/$id',
  ...screen('users', () => import('./user.tsx')),
});
