import { createRoute } from '@tanstack/react-router';
import type { ColorName } from '../../../../src/lib/theme.ts';
import { textsOf } from '../../i18n/texts.ts';
import { filters, oneOf, rootRoute, screen, text, whole } from '../../shared/screen/screen.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('settings');

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
  ...screen(() => import('./settings-page.tsx'), 'SettingsOverview'),
});

const siteSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/site',
  ...screen(() => import('./site.tsx')),
});

const lookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/look',
  ...screen(() => import('./look/look.tsx')),
});

const calendarSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/calendar',
  ...screen(() => import('./calendar.tsx')),
});

const saleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/sale',
  ...screen(() => import('./sale.tsx')),
});

const pricesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/prices',
  ...screen(() => import('./prices/prices.tsx')),
});

const signInSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/sign-in',
  ...screen(() => import('./sign-in.tsx')),
});

const languagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/languages',
  ...screen(() => import('./languages.tsx')),
});

const embedsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/embeds',
  ...screen(() => import('./embeds/embeds.tsx')),
});

/** States of background jobs. */
export const JOB_STATES = ['ready', 'running', 'dead'] as const;

const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/jobs',
  validateSearch: filters({ state: oneOf(...JOB_STATES), kind: text, page: whole }),
  ...screen(() => import('./jobs/jobs.tsx')),
});

const mailsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/mails',
  ...screen(() => import('./mails/mails.tsx')),
});

const systemRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/system',
  ...screen(() => import('./system/system.tsx')),
});

export const settingsRoutes = [
  settingsRoute,
  siteSettingsRoute,
  lookRoute,
  calendarSettingsRoute,
  saleRoute,
  pricesRoute,
  signInSettingsRoute,
  languagesRoute,
  embedsRoute,
  mailsRoute,
  jobsRoute,
  systemRoute,
];
