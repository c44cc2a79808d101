import { createRoute } from '@tanstack/react-router';
import { AUDIT_KINDS } from '../../../../src/lib/audit-kinds.ts';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('log');

/** Kinds of records in the log. */
export const KINDS = AUDIT_KINDS;
export type Kind = (typeof KINDS)[number];

export const ACTIONS = ['created', 'changed', 'published', 'trashed', 'restored', 'deleted'] as const;

export const logRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/log',
  validateSearch: filters({
    kind: oneOf(...KINDS),
    record: whole,
    action: oneOf(...ACTIONS),
    user: whole,
    search: text,
    from: text,
    to: text,
    entry: whole,
    page: whole,
  }),
  ...screen(() => import('./log.tsx')),
});

/** Page and open entry of a history. */
const opened = filters({ entry: whole, page: whole });

export const eventHistoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/history',
  validateSearch: opened,
  ...screen(() => import('./history.tsx'), 'EventHistory'),
});

/** History of records without tabs. */
export const historyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/history/$kind/$id',
  validateSearch: opened,
  ...screen(() => import('./history.tsx'), 'RecordHistoryScreen'),
});
