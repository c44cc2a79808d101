import type { Gate } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { RemovalDialog } from '../../shared/record/removal-dialog.tsx';
import { t } from './routes.ts';

/** Deletes a gate for good, after saying how many devices stop. */
export function DeleteGate({ gate: { id, name, devices }, onClose }: { gate: Gate; onClose: () => void }) {
  return (
    <RemovalDialog
      title={t('delete_of', { name })}
      action={t('delete')}
      done={t('deleted', { name })}
      remove={() => call('DELETE /admin/v1/door/gates/{id}', { id })}
      path="/admin/v1/door"
      gone={id}
      onClose={onClose}
    >
      <p>{t('delete.text', { count: devices })}</p>
    </RemovalDialog>
  );
}
