import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';
import { TERM_ORDERS } from './terms.ts';

export const t = textsOf<typeof en>('terms');

/** `open` is the id of the term in the panel at the side. */
const shared = { search: text, sort: oneOf(...TERM_ORDERS), open: whole };

export const categoriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/categories',
  validateSearch: filters(shared),
  ...screen(() => import('./categories.tsx')),
});

export const tagsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tags',
  validateSearch: filters({ ...shared, order: oneOf('asc', 'desc'), page: whole }),
  ...screen(() => import('./tags.tsx')),
});
