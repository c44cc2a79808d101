import { lazy } from 'react';
import { loadTexts, textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('confirmation');

/** The form that asks for a password or a code, and the dialog that the server's refusals open; few need them. */
const loadText = () => loadTexts('confirmation');

export const ProofForm = lazy(async () => {
  const [{ ProofForm: component }] = await Promise.all([import('./proof-form.tsx'), loadText()]);
  return { default: component };
});

export const ConfirmationDialog = lazy(async () => {
  const [{ ConfirmationDialog: component }] = await Promise.all([import('./proof-form.tsx'), loadText()]);
  return { default: component };
});
