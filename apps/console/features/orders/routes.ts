import { createRoute } from '@tanstack/react-router';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { day, filters, oneOf, text, whole } from '../../shared/screen/search-params.ts';
import { ORDER_VIEWS } from './views.ts';

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
