import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('overview');

export const eventOverviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/overview',
  ...screen(() => import('./overview.tsx')),
});
