import { lazy } from 'react';
import { loadTexts } from '../../i18n/texts.ts';

/** Chooses a picture; loaded when somebody does. */
export const Picker = lazy(async () => {
  const [{ Picker: component }] = await Promise.all([import('./picker.tsx'), loadTexts('pictures')]);
  return { default: component };
});
