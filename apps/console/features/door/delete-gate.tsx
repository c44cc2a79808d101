import type { Gate } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

/** Deletes a gate for good, after saying how many devices stop. */
export function DeleteGate({ gate: { id, name, devices }, onClose }: { gate: Gate; onClose: () => void }) {
  const remove = useAction(() => call('DELETE /admin/v1/door/gates/{id}', { id }), {
    onSuccess: () => {
      toast(t('deleted', { name }));
      onClose();
    },
    // The list of its devices is shown for another moment.
    onSettled: () => refresh('/admin/v1/door', { gone: id }),
  });
  return (
    <ConfirmDialog
      title={t('delete_of', { name })}
      action={t('delete')}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={remove.run}
      onClose={onClose}
    >
      <p>{t('delete.text', { count: devices })}</p>
    </ConfirmDialog>
  );
}
