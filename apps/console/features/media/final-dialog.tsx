import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { whyRefused } from '../../shared/pictures/pictures.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { describe } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface FinalDialogProps {
  /** The action, as the title and the button name it. */
  title: string;
  /** Consequences in numbers; undefined while they are read. */
  consequence: string | undefined;
  isPossible?: boolean;
  /** Why the numbers could not be read. */
  error?: unknown;
  onRun: () => Promise<void>;
  onClose: () => void;
}

/** Asks before an action that cannot be undone, with its consequences in numbers. */
export function FinalDialog({ title, consequence, isPossible = true, error, onRun, onClose }: FinalDialogProps) {
  // After a failure, the next try starts from the current state.
  const action = useAction(onRun, { onError: () => void refresh('/admin/v1/media') });
  return (
    <ConfirmDialog
      role="alertdialog"
      title={title}
      action={title}
      cancel={t('keep')}
      isDisabled={consequence === undefined || !isPossible}
      isPending={action.isPending}
      onConfirm={action.run}
      onClose={onClose}
    >
      {error === undefined && <p role="status">{consequence ?? t('uses.counting')}</p>}
      {error !== undefined && <Problem text={describe(error)} />}
      {action.error !== undefined && <Problem text={whyRefused(action.error)} />}
    </ConfirmDialog>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <p className="form-problem" role="alert">
      {text}
    </p>
  );
}
