import { createRoute } from '@tanstack/react-router';
import { loadTexts, textsOf } from '../../i18n/texts.ts';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import { filters, oneOf, text, whole } from '../../shared/screen/search-params.ts';
import type en from './locales/en.json';
import { MEDIA_VIEWS } from './views.ts';

export const t = textsOf<typeof en>('media');

export const mediaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/media',
  validateSearch: filters({ view: oneOf(...MEDIA_VIEWS), search: text, page: whole, open: whole }),
  ...screen('media', async () => {
    await loadTexts('pictures');
    return import('./media.tsx');
  }),
});
