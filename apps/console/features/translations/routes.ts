import { createRoute } from '@tanstack/react-router';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import { KINDS } from './kinds.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('translations');

/** Label of a text; labels that other screens use too are in the shared texts. */
export function labelOf(name: string): string {
  const key = `text.${name as 'title'}` as const;
  const own = t(key);
  return own === key ? t(`field.${name as 'excerpt'}`) : own;
}

export const translationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/translations',
  validateSearch: filters({ kind: oneOf(...KINDS), language: text, page: whole }),
  ...screen(() => import('./translations.tsx')),
});

export const translationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/translations/$kind/$id',
  validateSearch: filters({ language: text }),
  ...screen(() => import('./translation.tsx')),
});

export const eventTranslationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events/$id/translations',
  ...screen(() => import('./event-translations.tsx')),
});
