import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, rootRoute, screen, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('keys');

export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: filters({ page: whole }),
  ...screen(() => import('./check-in-keys.tsx')),
});
