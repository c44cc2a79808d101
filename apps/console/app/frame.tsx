import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { nextAttempt, subscribeToWaits } from '../../client/waits.ts';
import { useAction } from '../data/actions.ts';
import { t } from '../i18n/texts.ts';
import { Icon } from '../ui/icon.tsx';
import { Toasts, toast, toastProblem, type UndoableToast } from '../ui/toast.tsx';
import { ConfirmationHost } from './confirmation-host.tsx';
import { PaletteHost } from './palette-host.tsx';
import { Rail, Tabs } from './rail-links.tsx';
import { ShortcutHost } from './shortcut-host.tsx';
import { TopBar } from './top-bar.tsx';

/** Layout shared by all screens. */
export function Frame() {
  const main = useRef<HTMLElement>(null);
  useFocusOfNewScreens(main);
  const undo = useAction((toast: UndoableToast) => toast.undo(), {
    onSuccess: () => toast(t('undone')),
    onError: toastProblem,
  });
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <Rail />
      <div className="frame-content">
        <TopBar />
        <Connection />
        <main id="main" ref={main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Tabs />
      <Toasts onUndo={undo.run} />
      <PaletteHost />
      <ConfirmationHost />
      <ShortcutHost />
    </div>
  );
}

/**
 * Focuses a new screen, as browsers do with a new page, unless one of its fields has the focus. Filters change only the
 * query, so they do not move it.
 */
function useFocusOfNewScreens(main: React.RefObject<HTMLElement | null>) {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const last = useRef(path);
  useEffect(() => {
    const isNew = last.current !== undefined && last.current !== path;
    if (isNew && !main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    last.current = path;
  }, [path, main]);
}

const subscribe = (listener: () => void) => {
  for (const event of ['online', 'offline']) addEventListener(event, listener);
  return () => {
    for (const event of ['online', 'offline']) removeEventListener(event, listener);
  };
};

const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Says below the top bar that there is no network, or that a call waits for another attempt. */
function Connection() {
  const isOnline = useOnline();
  const next = useSyncExternalStore(subscribeToWaits, nextAttempt);
  const seconds = next === undefined ? 0 : Math.max(1, Math.ceil((next - Date.now()) / 1000));
  return (
    <div role="status" className="connection">
      {!isOnline && (
        <p className="banner">
          <Icon name="offline" />
          {t('offline.banner')}
        </p>
      )}
      {isOnline && next !== undefined && (
        <p className="banner">
          <Icon name="warning" />
          {t('waiting.banner', { count: seconds })}
        </p>
      )}
    </div>
  );
}
