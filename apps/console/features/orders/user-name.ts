import { useMe } from '../../data/account.ts';
import { t } from './routes.ts';

/** Names the account that changed an order. */
export function useUserName(): (user: number) => string {
  const me = useMe();
  return (user) => {
    if (user === 0) return t('log.automatic');
    return user === me.id ? t('log.by_you') : t('log.by_user', { user: String(user) });
  };
}
