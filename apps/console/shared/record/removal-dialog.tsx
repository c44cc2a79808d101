import type { ReactNode } from 'react';
import { useAction } from '../../data/actions.ts';
import { refresh } from '../../data/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';

interface RemovalDialogProps {
  title: string;
  /** Label of the button. */
  action: string;
  /** Message after it. */
  done: string;
  remove: () => Promise<unknown>;
  /** Path of the lists that it changes. */
  path: string;
  /** Id of a record whose own lists are shown for another moment, and must not be read again. */
  gone?: number;
  onClose: () => void;
  children: ReactNode;
}

/** Deletes or revokes a record for good, after stating the consequences. */
export function RemovalDialog({ title, action, done, remove, path, gone, onClose, children }: RemovalDialogProps) {
  const removal = useAction(remove, {
    onSuccess: () => {
      toast(done);
      onClose();
    },
    // After a failure too: it may have been removed elsewhere.
    onSettled: () => refresh(path, gone === undefined ? {} : { gone }),
  });
  return (
    <ConfirmDialog
      title={title}
      action={action}
      isPending={removal.isPending}
      error={removal.error}
      onConfirm={removal.run}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
