import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { describe } from '../parts/states.tsx';
import { t } from './texts.ts';

interface DeleteDialogProps {
  /** Pictures. */
  count: number;
  /** Those of them that something shows; undefined while that is looked up. */
  used: number | undefined;
  /** Why that could not be looked up. */
  error?: unknown;
  onDelete: () => Promise<void>;
  onClose: () => void;
}

function consequence(used: number | undefined): string {
  if (used === undefined) return t('delete.counting');
  return used === 0 ? t('delete.unused') : t('delete.used', { count: used });
}

/** Says in numbers what deleting pictures for good does. */
export function DeleteDialog({ count, used, error, onDelete, onClose }: DeleteDialogProps) {
  const [problem, setProblem] = useState<unknown>();
  const shown = problem ?? error;
  return (
    <DialogBox
      role="alertdialog"
      title={t('delete.some', { count })}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('delete.keep')}</Button>
          <Button look="bad" isDisabled={used === undefined} onPress={() => void onDelete().catch(setProblem)}>
            {t('delete.some', { count })}
          </Button>
        </>
      }
    >
      <p role="status">{consequence(used)}</p>
      {shown !== undefined && (
        <p className="form-problem" role="alert">
          {describe(shown)}
        </p>
      )}
    </DialogBox>
  );
}
