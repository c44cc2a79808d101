import { textsOf } from '../texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('confirmation');
