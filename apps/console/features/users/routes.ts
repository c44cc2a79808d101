import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

/** Roles, from the most rights to the fewest. */
export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber', 'door', 'box_office'] as const;
export type Role = (typeof ROLES)[number];

export const t = textsOf<typeof en>('users');

export const usersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users',
  validateSearch: filters({ role: oneOf(...ROLES), search: text, page: whole }),
  ...screen(() => import('./user-list.tsx')),
});

export const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users/$id',
  ...screen(() => import('./user.tsx')),
});
