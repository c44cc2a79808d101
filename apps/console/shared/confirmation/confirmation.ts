import { lazy } from 'react';
import { textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('confirmation');

/** The form and the dialog that ask for a password or a code are loaded when they are shown, since few users need them. */

export const ProofForm = lazy(async () => ({ default: (await import('./proof-form.tsx')).ProofForm }));

export const ConfirmationDialog = lazy(async () => ({
  default: (await import('./proof-form.tsx')).ConfirmationDialog,
}));
