import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/root-route.tsx';
import { screen } from '../frame/screen.tsx';
import { filters, oneOf, text, whole } from '../search-params.ts';
import { loadTexts } from '../texts.ts';
import { MEDIA_VIEWS } from './views.ts';

export const mediaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/media',
  validateSearch: filters({ view: oneOf(...MEDIA_VIEWS), search: text, page: whole, open: whole }),
  ...screen('media', async () => {
    await loadTexts('pictures');
    return import('./media.tsx');
  }),
});
