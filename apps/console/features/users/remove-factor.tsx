import { useRef, useState } from 'react';
import type { User } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

interface RemoveFactorProps {
  user: User;
  onClose: () => void;
}

/** Removes the second factor of somebody else, who can then set up another one. */
export function RemoveFactor({ user: { id, username }, onClose }: RemoveFactorProps) {
  const [error, setError] = useState<unknown>();
  // Two presses within a moment send it once.
  const isBusy = useRef(false);
  const remove = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await call('DELETE /admin/v1/users/{id}/second-factor', { id });
      toast(t('factor.removed', { name: username }));
    } catch (caught) {
      isBusy.current = false;
      // Somebody else was faster.
      if (!isProblem(caught, 'second-factor-missing')) return setError(caught);
    }
    onClose();
    await Promise.all([refresh('/admin/v1/users'), refresh('/admin/v1/sessions')]);
  };
  return (
    <DialogBox
      title={t('factor.title', { name: username })}
      role="alertdialog"
      onClose={onClose}
      actions={
        <Button look="bad" onPress={() => void remove()}>
          {t('factor.remove')}
        </Button>
      }
    >
      <p>{t('factor.text')}</p>
      {error !== undefined && <FormProblem error={error} />}
    </DialogBox>
  );
}
