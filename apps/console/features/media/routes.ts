import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

/** Which pictures the library shows. */
export const MEDIA_VIEWS = ['all', 'unused', 'without_alt'] as const;
export type MediaView = (typeof MEDIA_VIEWS)[number];

export const t = textsOf<typeof en>('media');

export const mediaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/media',
  validateSearch: filters({ view: oneOf(...MEDIA_VIEWS), search: text, page: whole, open: whole }),
  ...screen(() => import('./media.tsx')),
});
