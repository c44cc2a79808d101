import { Link } from '@tanstack/react-router';
import type { Term } from '../../../../packages/client/src/marquee-client.ts';
import { ConflictDialog } from '../../shared/record/conflict-dialog.tsx';
import { UnsavedBar } from '../../shared/record/unsaved-bar.tsx';
import { type EditedRecord, useRecord } from '../../shared/record/use-record.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { ColorChoice } from './color-choice.tsx';
import { ParentPicker } from './parent-picker.tsx';
import { t } from './routes.ts';
import { type TermFields, termKinds } from './term-kind.ts';
import type { Taxonomy } from './terms.ts';

const labelOf = (name: string): string => t(name as 'name' | 'slug' | 'parent' | 'description' | 'color');

interface TermPanelProps {
  taxonomy: Taxonomy;
  id: number;
  onDelete: (term: Term) => void;
  /** Adds a category below this one. */
  onAdd: (() => void) | undefined;
  onClose: () => void;
}

/** One term at the side of its list. */
export function TermPanel({ taxonomy, id, onDelete, onAdd, onClose }: TermPanelProps) {
  const { data, error, retry } = useRecord(termKinds[taxonomy], id);
  return (
    <DialogBox
      title={data?.record.name ?? t(`one.${taxonomy}`)}
      onClose={onClose}
      isPanel
      actions={
        data && (
          <>
            <Button icon="trash" look="plain" onPress={() => onDelete(data.record)}>
              {t('delete')}
            </Button>
            {onAdd && (
              <Button icon="plus" onPress={onAdd}>
                {t('categories.new_below')}
              </Button>
            )}
          </>
        )
      }
    >
      {error ? <Failure error={error} onRetry={retry} /> : undefined}
      {!data && !error && <RowsLoading rows={3} />}
      {data && <TermForm taxonomy={taxonomy} edited={data} />}
    </DialogBox>
  );
}

function TermForm({ taxonomy, edited }: { taxonomy: Taxonomy; edited: EditedRecord<Term, TermFields> }) {
  const { field, record } = edited;
  return (
    <>
      <p className="term-facts">
        <span className="soft">{t('published.count', { count: record.count })}</span>
        {taxonomy === 'categories' && (
          <Link to="/events" search={{ category: record.id }}>
            {t('upcoming.show')}
          </Link>
        )}
        <a href={record.url} target="_blank" rel="noreferrer">
          {t('page')}
        </a>
      </p>
      <TextField label={labelOf('name')} {...field('name')} isRequired />
      <TextField label={labelOf('slug')} {...field('slug')} hint={t('slug.hint')} isRequired />
      {taxonomy === 'categories' && <ParentPicker {...field('parent')} child={record.id} />}
      <TextField label={labelOf('description')} {...field('description')} rows={4} hint={t('description.hint')} />
      {taxonomy === 'categories' && <ColorChoice {...field('color')} />}
      <UnsavedBar edited={edited} />
      <ConflictDialog edited={edited} labelOf={labelOf} />
    </>
  );
}
