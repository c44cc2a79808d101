import type { Fields } from '../../../client/merge.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { describe } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import type { EditedRecord } from './use-record.ts';

/** Bar below a form with unsaved changes; drafts are saved automatically. */
export function UnsavedBar<R, F extends Fields>({ edited }: { edited: EditedRecord<R, F> }) {
  const { changed, status, isDraft, problem, discard } = edited;
  const save = async () => {
    const isSaved = await edited.save();
    const undo = edited.undoOfSave();
    if (isSaved) toast(t('record.saved'), undo && { undo });
    else focusFirstProblem();
  };
  useShortcut('Mod+s', t('record.save'), () => void save());
  if (changed.length === 0) return null;
  const isWaiting = isDraft && edited.conflicts.length === 0 && (status === 'idle' || status === 'saving');
  return (
    <section className="unsaved" aria-label={t('record.unsaved_label')}>
      <p role="status">
        {isWaiting ? t('record.saving') : t('record.unsaved', { count: changed.length })}
        {problem && Object.keys(problem.fields).length === 0 && (
          <span className="field-error"> {describe(problem)}</span>
        )}
        {problem && Object.keys(problem.fields).length > 0 && <span className="field-error"> {t('record.look')}</span>}
      </p>
      {!isWaiting && (
        <>
          <Button look="plain" onPress={discard}>
            {t('record.discard')}
          </Button>
          <Button look="primary" isPending={status === 'saving'} onPress={() => void save()}>
            {t('record.save')}
          </Button>
        </>
      )}
    </section>
  );
}

/** Focuses the first refused field once it is marked; buttons that choose a value are marked by `data-problem`. */
function focusFirstProblem(): void {
  const find = (place: string) =>
    document.querySelector<HTMLElement>(`${place} :is([aria-invalid="true"], [data-problem])`);
  requestAnimationFrame(() => (find('[role=dialog]') ?? find('main'))?.focus());
}
