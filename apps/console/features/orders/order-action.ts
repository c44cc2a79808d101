import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';
import { isProblem } from '../../../client/problem.ts';
import { useMe } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { queries, read, refresh } from '../../data/queries.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

/**
 * A write whose response is the changed order: shows it at once, and reads again what depends on it. After a conflict,
 * the current order is read.
 */
export const useOrderAction = <R extends FullOrder>(
  id: number,
  write: () => Promise<R>,
  { onDone }: { onDone: (changed: R) => void },
) =>
  useAction<void, R>(write, {
    onSuccess: (changed) => {
      queries.setQueryData(read('GET /admin/v1/orders/{id}', { id }).queryKey, changed);
      void refresh('/admin/v1/');
      onDone(changed);
    },
    onError: (error) => isProblem(error, 'edit-conflict') && refresh('/admin/v1/orders'),
  });

/** An action on the money of an order, which is read again afterwards, also after a refusal. */
export const useMoneyAction = (act: () => Promise<unknown>, said: string) =>
  useAction(act, { onSuccess: () => toast(said), onSettled: () => refresh('/admin/v1/') });

/** Names the account that changed an order. */
export function useUserName(): (user: number) => string {
  const me = useMe();
  return (user) => {
    if (user === 0) return t('log.automatic');
    return user === me.id ? t('log.by_you') : t('log.by_user', { user: String(user) });
  };
}
