import { lazy } from 'react';
import { loadTexts, textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('credentials');

/** Credentials with which programs sign in to an account; loaded with their texts when shown. */
export const Credentials = lazy(async () => {
  const [{ Credentials: component }] = await Promise.all([import('./credential-lists.tsx'), loadTexts('credentials')]);
  return { default: component };
});
