import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { filters, oneOf, text, whole } from '../../shared/screen/search-params.ts';
import type en from './locales/en.json';
import { ROLES } from './roles.ts';

export const t = textsOf<typeof en>('users');

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
