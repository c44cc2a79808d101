import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

/** Steps of the set-up, in order. The current one is in the address, so that a reload keeps it. */
export const STEPS = ['password', 'site', 'venue', 'event', 'done'] as const;
export type Step = (typeof STEPS)[number];

export const stepAfter = (step: Step): Step => STEPS[STEPS.indexOf(step) + 1] ?? 'done';

export const t = textsOf<typeof en>('set-up');

export const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  validateSearch: filters({ step: oneOf(...STEPS) }),
  ...screen(() => import('./set-up.tsx')),
});
