import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('imports');

/** Planned actions on a record. */
export const ACTIONS = ['create', 'change', 'same', 'conflict', 'cannot'] as const;

export const importsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports',
  validateSearch: filters({ page: whole }),
  ...screen(() => import('./imports.tsx')),
});

export const importRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/imports/$id',
  validateSearch: filters({ action: oneOf(...ACTIONS), kind: text, page: whole, code: text, found: whole }),
  ...screen(() => import('./import.tsx')),
});
