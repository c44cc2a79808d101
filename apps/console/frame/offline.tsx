import { useSyncExternalStore } from 'react';
import { Icon } from '../parts/icon.tsx';
import { t } from './texts.ts';

const subscribe = (listener: () => void) => {
  for (const event of ['online', 'offline']) addEventListener(event, listener);
  return () => {
    for (const event of ['online', 'offline']) removeEventListener(event, listener);
  };
};

const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Says that there is no network, and what that means for what is typed. */
export function Offline() {
  const isOnline = useOnline();
  return (
    <div role="status">
      {!isOnline && (
        <p className="banner">
          <Icon name="offline" />
          {t('offline.banner')}
        </p>
      )}
    </div>
  );
}
