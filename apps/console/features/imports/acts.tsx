import { useState } from 'react';
import type { Import } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { fieldProblems } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Switch } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toastProblem } from '../../ui/toast.tsx';
import { AccountFields } from './begin.tsx';
import { t } from './routes.ts';
import { stopUpload } from './upload.ts';

const refreshImports = () => refresh('/admin/v1/imports');

/** What can be done with an import in its present state. */
export function ImportActs({ item }: { item: Import }) {
  const { id, state, is_startable, is_undoable, is_discardable, is_stopping, needs_password } = item;
  const [asked, setAsked] = useState<'password' | 'undo'>();
  const start = useAction(
    (account: { username: string; password: string } | undefined) =>
      call('POST /admin/v1/imports/{id}/start', { id, ...account }),
    {
      onSuccess: () => setAsked(undefined),
      onError: (error) => (needs_password ? undefined : toastProblem(error)),
      onSettled: refreshImports,
    },
  );
  const cancel = useAction(() => call('POST /admin/v1/imports/{id}/cancel', { id }), {
    onError: toastProblem,
    onSettled: refreshImports,
  });
  const stop = () => {
    stopUpload(id);
    cancel.run();
  };
  return (
    <>
      {(is_discardable || (state === 'importing' && !is_stopping)) && (
        <Button icon="close" isPending={cancel.isPending} onPress={stop}>
          {t(state === 'importing' ? 'stop' : 'cancel')}
        </Button>
      )}
      {is_undoable && (
        <Button icon="undo" onPress={() => setAsked('undo')}>
          {t('undo')}
        </Button>
      )}
      {is_startable && (
        <Button
          look="primary"
          isPending={start.isPending}
          onPress={() => (needs_password ? setAsked('password') : start.run(undefined))}
        >
          {t(state === 'planned' ? 'start' : 'continue')}
        </Button>
      )}
      {asked === 'password' && (
        <FormDialog
          title={t('continue')}
          action={t('continue')}
          isPending={start.isPending}
          onClose={() => setAsked(undefined)}
          onSubmit={(value) => start.run({ username: value('username').trim(), password: value('password') })}
        >
          <p>{t('continue.password')}</p>
          <AccountFields problem={fieldProblems(start.error).password} />
          <FormProblem error={start.error} fields={['password']} />
        </FormDialog>
      )}
      {asked === 'undo' && <Undo item={item} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function Undo({ item: { id, problem }, onClose }: { item: Import; onClose: () => void }) {
  const [exceptSold, setExceptSold] = useState(false);
  const undo = useAction(() => call('POST /admin/v1/imports/{id}/undo', { id, except_sold: exceptSold }), {
    onSuccess: onClose,
    onSettled: refreshImports,
  });
  return (
    <ConfirmDialog
      title={t('undo.title')}
      action={t('undo')}
      isPending={undo.isPending}
      error={undo.error}
      onConfirm={undo.run}
      onClose={onClose}
    >
      <p>{t('undo.text')}</p>
      {problem === 'undo' && (
        <Switch isSelected={exceptSold} onChange={setExceptSold}>
          {t('undo.except_sold')}
        </Switch>
      )}
    </ConfirmDialog>
  );
}
