import { lazy, Suspense, useEffect } from 'react';
import { t } from '../i18n/texts.ts';
import { useGo } from '../shared/screen/screen.tsx';
import { listenForShortcuts, useShortcut } from '../ui/shortcuts.ts';
import { createStore } from '../ui/store.ts';
import type { RailEntry } from './rail.ts';
import { useRailEntries } from './rail-links.tsx';

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx').then((module) => ({ default: module.ShortcutHelp })));

const isOpen = createStore(false);

/** Opens the list of shortcuts. */
export const showShortcuts = (): void => isOpen.set(true);

/** Handles shortcuts, and registers those that open screens. */
export function ShortcutHost() {
  const shown = isOpen.use();
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
          <ShortcutHelp onClose={() => isOpen.set(false)} />
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
