import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { useMe } from '../../data/account.ts';
import { read, refresh } from '../../data/queries.ts';
import { useGo } from '../../shared/screen/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { describe } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

const MOST = 100;

/** Removes an account. Who takes over its records is asked if it has any. */
export function Remove({ user: { id, username }, onClose }: { user: User; onClose: () => void }) {
  const me = useMe();
  const go = useGo();
  const [error, setError] = useState<unknown>();
  const [heir, setHeir] = useState(String(me.id));
  const ownsRecords = isProblem(error, 'user-owns-records');
  const { data } = useQuery(read('GET /admin/v1/authors', { per_page: MOST }, { isOn: ownsRecords }));
  const remove = async () => {
    try {
      await call('DELETE /admin/v1/users/{id}', { id, ...(ownsRecords && { reassign: Number(heir) }) });
      toast(t('removed', { name: username }));
      go('/users');
      await refresh('/admin/v1/users', { gone: id });
    } catch (caught) {
      setError(caught);
    }
  };
  const heirs = (data?.authors ?? [{ id: me.id, name: me.username }]).filter((one) => one.id !== id);
  return (
    <DialogBox
      title={t('remove.title', { name: username })}
      onClose={onClose}
      actions={
        <Button look="bad" onPress={() => void remove()}>
          {t('remove')}
        </Button>
      }
    >
      <p>{t('remove.text')}</p>
      {error !== undefined && (
        <p className="form-problem" role="alert">
          {ownsRecords ? t('remove.owns') : describe(error)}
        </p>
      )}
      {ownsRecords && (
        <SelectField
          label={t('remove.heir')}
          value={heir}
          onChange={setHeir}
          choices={heirs.map((one) => ({ value: String(one.id), label: one.name }))}
        />
      )}
    </DialogBox>
  );
}
