import { lazy } from 'react';
import { loadTexts, textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('second-factor');

/** The parts of setting up a second factor, which few need and so are loaded when they are shown. */
const loadText = () => loadTexts('second-factor');

export const SecondFactorSetUp = lazy(async () => {
  const [{ SetUp: component }] = await Promise.all([import('./set-up.tsx'), loadText()]);
  return { default: component };
});

export const RecoveryCodes = lazy(async () => {
  const [{ RecoveryCodes: component }] = await Promise.all([import('./set-up.tsx'), loadText()]);
  return { default: component };
});

/** The way in for accounts that have to set one up first. */
export const SecondFactorGate = lazy(async () => {
  const [{ SecondFactorGate: component }] = await Promise.all([import('./set-up.tsx'), loadText()]);
  return { default: component };
});
