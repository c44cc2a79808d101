import { useSyncExternalStore } from 'react';
import { t } from '../i18n/common.ts';
import { Icon } from '../ui/icon.tsx';

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
