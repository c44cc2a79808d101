import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { day, filters, oneOf, text, whole } from '../../shared/screen/search-params.ts';
import type en from './locales/en.json';
import { ORDER_VIEWS } from './views.ts';

export const t = textsOf<typeof en>('orders');

export const ordersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orders',
  validateSearch: filters({
    ...{ view: oneOf(...ORDER_VIEWS), search: text, event: whole, gateway: text, after: day, before: day },
    page: whole,
  }),
  ...screen('orders', () => import('./order-list.tsx')),
});

export const orderRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orders/$id',
  ...screen('orders', () => import('./order.tsx')),
});
