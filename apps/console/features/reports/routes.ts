import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { day, filters, oneOf, whole } from '../../shared/screen/search-params.ts';
import { GROUPINGS, KINDS } from './choices.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('reports');

export const reportsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reports',
  validateSearch: filters({
    ...{ kind: oneOf(...KINDS), by: oneOf(...GROUPINGS), event: whole, compare: whole },
    ...{ from: day, to: day },
  }),
  ...screen('reports', () => import('./reports.tsx')),
});
