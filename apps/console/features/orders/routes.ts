import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { day, filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

/** Views of the list. */
export const ORDER_VIEWS = ['all', 'open', 'paid', 'returned', 'lapsed'] as const;
export type OrderView = (typeof ORDER_VIEWS)[number];

export const t = textsOf<typeof en>('orders');

export const ordersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orders',
  validateSearch: filters({
    view: oneOf(...ORDER_VIEWS),
    search: text,
    event: whole,
    gateway: text,
    after: day,
    before: day,
    page: whole,
  }),
  ...screen('orders', () => import('./order-list.tsx')),
});

export const orderRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orders/$id',
  ...screen('orders', () => import('./order.tsx')),
});
