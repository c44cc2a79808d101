import { lazy } from 'react';
import { loadTexts, textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('confirmation');

/** The form and the dialog that ask for a password or a code are loaded when they are shown, since few users need them. */
const loadText = () => loadTexts('confirmation');

export const ProofForm = lazy(async () => {
  const [{ ProofForm: component }] = await Promise.all([import('./proof-form.tsx'), loadText()]);
  return { default: component };
});

export const ConfirmationDialog = lazy(async () => {
  const [{ ConfirmationDialog: component }] = await Promise.all([import('./proof-form.tsx'), loadText()]);
  return { default: component };
});
