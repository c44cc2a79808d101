import { useState } from 'react';
import { refresh } from '../../data/queries.ts';
import { whyRefused } from '../../shared/pictures/pictures.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { describe } from '../../ui/states.tsx';
import { t } from './routes.ts';

interface FinalDialogProps {
  /** What is done, as its button says it. */
  title: string;
  /** What follows, in numbers; undefined while that is looked up. */
  consequence: string | undefined;
  isPossible?: boolean;
  /** Why that could not be looked up. */
  error?: unknown;
  onRun: () => Promise<void>;
  onClose: () => void;
}

/** Says in numbers what an act does that cannot be undone. */
export function FinalDialog({ title, consequence, isPossible = true, error, onRun, onClose }: FinalDialogProps) {
  const [problem, setProblem] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    setProblem(undefined);
    try {
      await onRun();
    } catch (caught) {
      setProblem(caught);
      // Another try starts from what is there now.
      void refresh('/admin/v1/media');
      setRunning(false);
    }
  };
  return (
    <DialogBox
      role="alertdialog"
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('keep')}</Button>
          <Button
            look="bad"
            isDisabled={consequence === undefined || !isPossible}
            isPending={isRunning}
            onPress={() => void run()}
          >
            {title}
          </Button>
        </>
      }
    >
      {error === undefined && <p role="status">{consequence ?? t('uses.counting')}</p>}
      {error !== undefined && <Problem text={describe(error)} />}
      {problem !== undefined && <Problem text={whyRefused(problem)} />}
    </DialogBox>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <p className="form-problem" role="alert">
      {text}
    </p>
  );
}
