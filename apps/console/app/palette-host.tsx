import { lazy, Suspense } from 'react';
import { t } from '../i18n/texts.ts';
import { useShortcut } from '../ui/shortcuts.ts';
import { createStore } from '../ui/store.ts';

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })));

const isOpen = createStore(false);

export const openPalette = (): void => isOpen.set(true);

/** Shows the palette; its code is loaded when it opens. */
export function PaletteHost() {
  const shown = isOpen.use();
  useShortcut('Mod+k', t('palette.title'), openPalette);
  useShortcut('/', t('palette.title'), openPalette, { isFallback: true });
  return shown ? (
    <Suspense fallback={null}>
      <Palette onClose={() => isOpen.set(false)} />
    </Suspense>
  ) : null;
}
