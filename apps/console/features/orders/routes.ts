import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { day, filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

/** Views of the list. */
export const ORDER_VIEWS = ['all', 'open', 'paid', 'returned', 'lapsed', 'owed'] as const;
export type OrderView = (typeof ORDER_VIEWS)[number];

/** Views of the list of invoices. */
export const INVOICE_VIEWS = ['all', 'invoice', 'credit'] as const;

export const t = textsOf<typeof en>('orders');

const validateSearch = filters({
  view: oneOf(...ORDER_VIEWS),
  search: text,
  event: whole,
  gateway: text,
  after: day,
  before: day,
  page: whole,
});

export const ordersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orders',
  validateSearch,
  ...screen(() => import('./order-list.tsx')),
});

export const eventOrdersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/orders',
  validateSearch,
  ...screen(() => import('./order-list.tsx'), 'EventOrders'),
});

/** Statuses of findings of the reconciliation. */
export const FINDING_STATUSES = ['open', 'closed', 'gone'] as const;

export const findingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orders/findings',
  validateSearch: filters({ status: oneOf(...FINDING_STATUSES), page: whole }),
  ...screen(() => import('./findings.tsx')),
});

export const orderRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orders/$id',
  ...screen(() => import('./order.tsx')),
});

export const invoicesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invoices',
  validateSearch: filters({ view: oneOf(...INVOICE_VIEWS), after: day, before: day, page: whole }),
  ...screen(() => import('./invoice-list.tsx')),
});
