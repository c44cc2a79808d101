import { lazy } from 'react';
import { loadTexts, textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('second-factor');

/** The parts of the set-up are loaded when they are shown, since few users need them. */
const loadText = () => loadTexts('second-factor');

export const SecondFactorSetUp = lazy(async () => {
  const [{ SetUp: component }] = await Promise.all([import('./set-up.tsx'), loadText()]);
  return { default: component };
});

export const RecoveryCodes = lazy(async () => {
  const [{ RecoveryCodes: component }] = await Promise.all([import('./set-up.tsx'), loadText()]);
  return { default: component };
});

/** Shown instead of the console until the account has a required second factor. */
export const SecondFactorGate = lazy(async () => {
  const [{ SecondFactorGate: component }] = await Promise.all([import('./set-up.tsx'), loadText()]);
  return { default: component };
});
