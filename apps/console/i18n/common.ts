import type en from './locales/en.json';
import { textsOf } from './texts.ts';

/** Texts of the frame and of the parts that all screens use. */
export const t = textsOf<typeof en>('i18n');
export type FrameText = keyof typeof en;
