import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { day, filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

/** Kinds of reports, and groupings of their rows. */
export const KINDS = ['sales', 'attendance', 'money'] as const;
export type Kind = (typeof KINDS)[number];
export const GROUPINGS = ['day', 'hour', 'ticket', 'event'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const t = textsOf<typeof en>('reports');

export const reportsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports',
  validateSearch: filters({
    kind: oneOf(...KINDS),
    by: oneOf(...GROUPINGS),
    event: whole,
    compare: whole,
    from: day,
    to: day,
  }),
  ...screen(() => import('./reports.tsx')),
});

export const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports/compare',
  validateSearch: filters({ events: text }),
  ...screen(() => import('./compare.tsx')),
});
