import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, rootRoute, screen, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('door');

export const doorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/door',
  validateSearch: filters({ page: whole }),
  ...screen(() => import('./door.tsx')),
});

export const eventDoorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/door',
  ...screen(() => import('./event-door.tsx')),
});
