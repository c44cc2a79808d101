import { lazy } from 'react';
import { loadTexts } from '../../i18n/texts.ts';

/** The credentials of an account's programs, with their texts. */
export const Credentials = lazy(async () => {
  const [{ Credentials: component }] = await Promise.all([import('./credentials.tsx'), loadTexts('credentials')]);
  return { default: component };
});
