import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import { ACTIONS, KINDS } from './kinds.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('log');

export const logRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/log',
  validateSearch: filters({
    kind: oneOf(...KINDS),
    record: whole,
    action: oneOf(...ACTIONS),
    user: whole,
    from: text,
    to: text,
    entry: whole,
    page: whole,
  }),
  ...screen('log', () => import('./log.tsx')),
});

/** What is open of a history. */
const opened = filters({ entry: whole, page: whole });

export const eventHistoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/history',
  validateSearch: opened,
  ...screen('log', () => import('./event-history.tsx')),
});

/** For records that have no tabs of their own. */
export const historyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/history/$kind/$id',
  validateSearch: opened,
  ...screen('log', () => import('./record-history.tsx')),
});
