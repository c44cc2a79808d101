import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { filters, whole } from '../../shared/screen/search-params.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('keys');

export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: filters({ page: whole }),
  ...screen('keys', () => import('./keys.tsx')),
});
