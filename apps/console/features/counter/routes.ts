import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, rootRoute, screen, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('counter');

export const counterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/counter',
  validateSearch: filters({ event: whole }),
  ...screen(() => import('./counter.tsx')),
});
