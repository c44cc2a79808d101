import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { t } from '../i18n/texts.ts';
import { useGo } from '../shared/screen/screen.tsx';
import { listenForShortcuts, useShortcut } from '../ui/shortcuts.ts';
import type { RailEntry } from './rail.ts';
import { useRailEntries } from './rail-links.tsx';

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx').then((module) => ({ default: module.ShortcutHelp })));

let isOpen = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

/** Lists all shortcuts. */
export const showShortcuts = (): void => set(true);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Listens for shortcuts, and has those that go to screens. */
export function ShortcutHost() {
  const shown = useSyncExternalStore(subscribe, () => isOpen);
  const entries = useRailEntries().filter(({ key }) => key !== undefined);
  useEffect(listenForShortcuts, []);
  useShortcut('?', t('shortcuts.title'), showShortcuts);
  return (
    <>
      {entries.map((entry) => (
        <GoTo key={entry.to} entry={entry} />
      ))}
      {shown && (
        <Suspense fallback={null}>
          <ShortcutHelp onClose={() => set(false)} />
        </Suspense>
      )}
    </>
  );
}

function GoTo({ entry: { to, label, key } }: { entry: RailEntry }) {
  const go = useGo();
  useShortcut(`g ${key}`, t(label), () => go(to));
  return null;
}
