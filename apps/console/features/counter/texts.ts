import { textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('counter');
