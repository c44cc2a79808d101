import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { filters, oneOf } from '../../shared/screen/search-params.ts';
import type en from './locales/en.json';
import { STEPS } from './steps.ts';

export const t = textsOf<typeof en>('set-up');

export const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  validateSearch: filters({ step: oneOf(...STEPS) }),
  ...screen('set-up', () => import('./set-up.tsx')),
});
