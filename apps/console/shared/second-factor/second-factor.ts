import { lazy } from 'react';
import { textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('second-factor');

/** The parts of the set-up are loaded when they are shown, since few users need them. */

export const SecondFactorSetUp = lazy(async () => ({ default: (await import('./set-up.tsx')).SetUp }));

export const RecoveryCodes = lazy(async () => ({ default: (await import('./set-up.tsx')).RecoveryCodes }));

/** Shown instead of the console until the account has a required second factor. */
export const SecondFactorGate = lazy(async () => ({ default: (await import('./set-up.tsx')).SecondFactorGate }));
