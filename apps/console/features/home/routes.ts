import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('home');

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  ...screen(() => import('./home.tsx')),
});
