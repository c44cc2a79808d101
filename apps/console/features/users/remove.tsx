import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { useMe } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { useGo } from '../../shared/screen/screen.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

const MOST = 100;

/** Removes an account. If it owns records, the user chooses who takes them over. */
export function Remove({ user: { id, username }, onClose }: { user: User; onClose: () => void }) {
  const me = useMe();
  const go = useGo();
  const [newOwner, setNewOwner] = useState(String(me.id));
  const [ownsRecords, setOwnsRecords] = useState(false);
  const { data } = useQuery(read('GET /admin/v1/authors', { per_page: MOST }, { isOn: ownsRecords }));
  const remove = useAction(
    () => call('DELETE /admin/v1/users/{id}', { id, ...(ownsRecords && { reassign: Number(newOwner) }) }),
    {
      onSuccess: () => {
        toast(t('removed', { name: username }));
        go('/users');
        return refresh('/admin/v1/users', { gone: id });
      },
      onError: (error) => setOwnsRecords(isProblem(error, 'user-owns-records')),
    },
  );
  const newOwners = (data?.authors ?? [{ id: me.id, name: me.username }]).filter((one) => one.id !== id);
  return (
    <ConfirmDialog
      title={t('remove.title', { name: username })}
      action={t('remove')}
      error={ownsRecords ? undefined : remove.error}
      onConfirm={remove.run}
      onClose={onClose}
    >
      <p>{t('remove.text')}</p>
      {ownsRecords && (
        <>
          <p className="form-problem" role="alert">
            {t('remove.owns')}
          </p>
          <SelectField
            label={t('remove.heir')}
            value={newOwner}
            onChange={setNewOwner}
            choices={newOwners.map((one) => ({ value: String(one.id), label: one.name }))}
          />
        </>
      )}
    </ConfirmDialog>
  );
}
