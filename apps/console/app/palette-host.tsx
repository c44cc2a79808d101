import { lazy, Suspense, useSyncExternalStore } from 'react';
import { t } from '../i18n/texts.ts';
import { useShortcut } from '../ui/shortcuts.ts';

const Palette = lazy(() => import('./palette.tsx').then((module) => ({ default: module.Palette })));

let isOpen = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

export const openPalette = (): void => set(true);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Shows the palette, whose code is loaded when it is first opened. */
export function PaletteHost() {
  const shown = useSyncExternalStore(subscribe, () => isOpen);
  useShortcut('Mod+k', t('palette.title'), openPalette);
  useShortcut('/', t('palette.title'), openPalette, { isFallback: true });
  return shown ? (
    <Suspense fallback={null}>
      <Palette onClose={() => set(false)} />
    </Suspense>
  ) : null;
}
