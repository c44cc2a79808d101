import { useState } from 'react';
import type { Event, Term } from '../../../../../packages/client/src/marquee-client.ts';
import { ifUnchanged } from '../../../../client/batch.ts';
import { useBatch } from '../../../data/bulk-action.ts';
import { CategorySearch } from '../../../shared/pickers/record-picker.tsx';
import { Button } from '../../../ui/button.tsx';
import { DialogBox } from '../../../ui/dialog-box.tsx';
import { BulkReport } from '../../../ui/table/bulk-bar.tsx';
import type { RowSource, Selection } from '../../../ui/table/selection.ts';
import { toast } from '../../../ui/toast.tsx';
import { t } from '../routes.ts';
import { changeCall, settle } from './event-changes.ts';

interface CategoryDialogProps {
  selection: Selection<Event>;
  onClose: () => void;
}

const idsOf = ({ categories }: Event): number[] => categories.map(({ id }) => id);

/** Adds a category to events or removes it; other categories stay. */
export function CategoryDialog({ selection: { count, read, clear }, onClose }: CategoryDialogProps) {
  const [category, setCategory] = useState<Term>();
  const withCategory = (isAdding: boolean) => (event: Event) => {
    const others = idsOf(event).filter((id) => id !== category?.id);
    // The write replaces all categories, so the event must be unchanged.
    return ifUnchanged(
      changeCall(event.id, { categories: isAdding && category ? [...others, category.id] : others }),
      event,
    );
  };
  const give = useBatch(withCategory(true));
  const take = useBatch(withCategory(false));
  const close = () => {
    clear();
    onClose();
  };
  for (const bulk of [give, take])
    if (bulk.run) return <BulkReport bulk={bulk} nameOf={({ title }) => title} onClose={close} />;
  if (!category)
    return (
      <DialogBox title={t('category.of', { count })} onClose={onClose}>
        <CategorySearch label={t('category')} onChoose={setCategory} />
      </DialogBox>
    );
  const start = (isAdding: boolean) => {
    const needed: RowSource<Event> = async (options) =>
      (await read(options)).filter((event) => idsOf(event).includes(category.id) !== isAdding);
    return (isAdding ? give : take).start(category.name, needed, async (state) => {
      await settle('categorised', state, (row, now) =>
        ifUnchanged(changeCall(row.id, { categories: idsOf(row) }), now),
      );
      if (state.of === 0) toast(t('category.nothing'));
      if (state.changed.length === state.of) close();
    });
  };
  return (
    <DialogBox
      title={category.name}
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => void start(false)}>{t('category.take')}</Button>
          <Button look="primary" autoFocus onPress={() => void start(true)}>
            {t('category.give')}
          </Button>
        </>
      }
    >
      <p>{t('category.text', { count })}</p>
    </DialogBox>
  );
}
