import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { DialogBox } from './dialog-box.tsx';
import { FormProblem } from './states.tsx';

interface ConfirmDialogProps {
  title: string;
  /** Label of the button. */
  action: string;
  onConfirm: () => void;
  onClose: () => void;
  /** Label of a button that closes the dialog, which also has one in its corner. */
  cancel?: string;
  role?: 'dialog' | 'alertdialog';
  isPending?: boolean;
  isDisabled?: boolean;
  /** Why the action failed. */
  error?: unknown;
  children: ReactNode;
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, onConfirm, onClose, cancel, role = 'dialog', isPending = false, isDisabled = false } = props;
  return (
    <DialogBox
      title={title}
      role={role}
      onClose={onClose}
      actions={
        <>
          {cancel !== undefined && <Button onPress={onClose}>{cancel}</Button>}
          <Button look="bad" isPending={isPending} isDisabled={isDisabled} onPress={() => onConfirm()}>
            {action}
          </Button>
        </>
      }
    >
      {props.children}
      <FormProblem error={props.error} />
    </DialogBox>
  );
}
