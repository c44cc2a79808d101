import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../frame/root-route.tsx';
import { screen } from '../frame/screen.tsx';

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  ...screen('settings', () => import('./overview.tsx')),
});

export const siteSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/site',
  ...screen('settings', () => import('./site.tsx')),
});

export const lookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/look',
  ...screen('settings', () => import('./look.tsx')),
});

export const calendarSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/calendar',
  ...screen('settings', () => import('./calendar.tsx')),
});

export const saleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/sale',
  ...screen('settings', () => import('./sale.tsx')),
});

export const signInSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/sign-in',
  ...screen('settings', () => import('./sign-in.tsx')),
});

export const languagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/languages',
  ...screen('settings', () => import('./languages.tsx')),
});

export const embedsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/embeds',
  ...screen('settings', () => import('./embeds.tsx')),
});

export const systemRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/system',
  ...screen('settings', () => import('./system.tsx')),
});
