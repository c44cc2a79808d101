import { lazy } from 'react';
import { textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('credentials');

/** Credentials of programs that sign in to an account; loaded when shown. */
export const Credentials = lazy(async () => ({ default: (await import('./credential-lists.tsx')).Credentials }));
