import type { User } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

interface RemoveFactorProps {
  user: User;
  onClose: () => void;
}

/** Removes the second factor of another account, whose owner can then set up a new one. */
export function RemoveFactor({ user: { id, username }, onClose }: RemoveFactorProps) {
  const end = () => {
    onClose();
    return Promise.all([refresh('/admin/v1/users'), refresh('/admin/v1/sessions')]);
  };
  const remove = useAction(() => call('DELETE /admin/v1/users/{id}/second-factor', { id }), {
    onSuccess: () => {
      toast(t('factor.removed', { name: username }));
      return end();
    },
    // Another administrator has already removed it.
    onError: (error) => isProblem(error, 'second-factor-missing') && end(),
  });
  return (
    <ConfirmDialog
      title={t('factor.title', { name: username })}
      action={t('factor.remove')}
      role="alertdialog"
      error={remove.error}
      onConfirm={remove.run}
      onClose={onClose}
    >
      <p>{t('factor.text')}</p>
    </ConfirmDialog>
  );
}
