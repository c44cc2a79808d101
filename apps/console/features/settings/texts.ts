import type { ColorName } from '../../../../src/lib/theme.ts';
import { textsOf } from '../../i18n/texts.ts';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('settings');

/** What one of the site's colours is called. */
export function colorLabel(name: ColorName): string {
  if (name === 'lamp') return t('color.lamp');
  const [color, dark] = name.split('_');
  // The others are one of these, in either scheme.
  const text = t(`color.${color as 'paper' | 'panel' | 'ink' | 'accent' | 'sign'}`);
  return t(dark ? 'color.in_dark' : 'color.in_light', { color: text });
}
