import { createRoute } from '@tanstack/react-router';
import type { ColorName } from '../../../../src/lib/theme.ts';
import { textsOf } from '../../i18n/texts.ts';
import { rootRoute, screen } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('settings');

/** Name of a colour of the site. */
export function colorLabel(name: ColorName): string {
  if (name === 'lamp') return t('color.lamp');
  const [color, dark] = name.split('_');
  // The others are these colours in either scheme.
  const text = t(`color.${color as 'paper' | 'panel' | 'ink' | 'accent' | 'sign'}`);
  return t(dark ? 'color.in_dark' : 'color.in_light', { color: text });
}

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  ...screen('settings', () => import('./settings-page.tsx'), 'SettingsOverview'),
});

const siteSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/site',
  ...screen('settings', () => import('./site.tsx')),
});

const lookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/look',
  ...screen('settings', () => import('./look/look.tsx')),
});

const calendarSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/calendar',
  ...screen('settings', () => import('./calendar.tsx')),
});

const saleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/sale',
  ...screen('settings', () => import('./sale.tsx')),
});

const signInSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/sign-in',
  ...screen('settings', () => import('./sign-in.tsx')),
});

const languagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/languages',
  ...screen('settings', () => import('./languages.tsx')),
});

const embedsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/embeds',
  ...screen('settings', () => import('./embeds/embeds.tsx')),
});

const systemRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/system',
  ...screen('settings', () => import('./system/system.tsx')),
});

export const settingsRoutes = [
  settingsRoute,
  siteSettingsRoute,
  lookRoute,
  calendarSettingsRoute,
  saleRoute,
  signInSettingsRoute,
  languagesRoute,
  embedsRoute,
  systemRoute,
];
