import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('account');

export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  ...screen(() => import('./account.tsx')),
});
