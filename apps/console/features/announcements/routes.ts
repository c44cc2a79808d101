import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, rootRoute, screen, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('announcements');

export const eventAnnouncementsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/announcements',
  validateSearch: filters({ page: whole }),
  ...screen(() => import('./announcements.tsx')),
});
