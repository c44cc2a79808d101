import { lazy } from 'react';
import { loadTexts, textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('credentials');

/** The credentials of an account's programs, with their texts. */
export const Credentials = lazy(async () => {
  const [{ Credentials: component }] = await Promise.all([import('./credentials.tsx'), loadTexts('credentials')]);
  return { default: component };
});
