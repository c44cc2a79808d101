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

/** Actions on an import in its current state. */
export function ImportActs({ item }: { item: Import }) {
  return (
    <>
      <Cancel item={item} />
      <UndoButton item={item} />
      <Start item={item} />
    </>
  );
}

/** Discards an import that was not begun, or stops it. */
function Cancel({ item: { id, state, is_discardable, is_stopping } }: { item: Import }) {
  const cancel = useAction(() => call('POST /admin/v1/imports/{id}/cancel', { id }), {
    onError: toastProblem,
    onSettled: refreshImports,
  });
  const isRunning = state === 'importing';
  if (!is_discardable && (!isRunning || is_stopping)) return null;
  return (
    <Button
      icon="close"
      isPending={cancel.isPending}
      onPress={() => {
        stopUpload(id);
        cancel.run();
      }}
    >
      {t(isRunning ? 'stop' : 'cancel')}
    </Button>
  );
}

function UndoButton({ item }: { item: Import }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {item.is_undoable && (
        <Button icon="undo" onPress={() => setAsking(true)}>
          {t('undo')}
        </Button>
      )}
      {isAsking && <Undo item={item} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Starts or resumes an import; asks for the password of the source, which the server has erased. */
function Start({ item: { id, state, is_startable, needs_password } }: { item: Import }) {
  const [isAsking, setAsking] = useState(false);
  const start = useAction(
    (account: { username: string; password: string } | undefined) =>
      call('POST /admin/v1/imports/{id}/start', { id, ...account }),
    {
      onSuccess: () => setAsking(false),
      onError: (error) => (needs_password ? undefined : toastProblem(error)),
      onSettled: refreshImports,
    },
  );
  return (
    <>
      {is_startable && (
        <Button
          look="primary"
          isPending={start.isPending}
          onPress={() => (needs_password ? setAsking(true) : start.run(undefined))}
        >
          {t(state === 'planned' ? 'start' : 'continue')}
        </Button>
      )}
      {isAsking && (
        <FormDialog
          title={t('continue')}
          action={t('continue')}
          isPending={start.isPending}
          onClose={() => setAsking(false)}
          onSubmit={(value) => start.run({ username: value('username').trim(), password: value('password') })}
        >
          <p>{t('continue.password')}</p>
          <AccountFields problem={fieldProblems(start.error).password} />
          <FormProblem error={start.error} fields={['password']} />
        </FormDialog>
      )}
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
