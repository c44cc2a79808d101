import { useQuery } from '@tanstack/react-query';
import type { Merge, Term } from '../../../../packages/client/src/marquee-client.ts';
import type { MergeField } from '../../shared/merging/merge-choices.ts';
import { MergeDialog } from '../../shared/merging/merge-dialog.tsx';
import { merge, previewMerge, toMerge } from '../../shared/merging/merging.ts';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { t } from './routes.ts';
import { readTerms, readTree, type Taxonomy } from './terms.ts';
import { placeOf } from './tree.ts';

const fieldOf = (name: 'name' | 'slug' | 'description' | 'color'): MergeField<Term> => ({
  name,
  label: t(name),
  valueOf: (term) => ({ [name]: term[name] ?? null }),
  show: (term) => term[name] ?? '',
});

interface MergeTermsProps {
  taxonomy: Taxonomy;
  /** Two or more. */
  ids: readonly number[];
  onMerged: () => void;
  onClose: () => void;
}

/** Merges terms; the one with the most events is proposed to stay. */
export function MergeTerms({ taxonomy, ids, onMerged, onClose }: MergeTermsProps) {
  const { data, error, refetch } = useQuery(toMerge(readTerms(taxonomy, ids)));
  const { data: tree } = useQuery(readTree(taxonomy === 'categories'));
  const terms = (data as { categories?: Term[]; tags?: Term[] } | undefined)?.[taxonomy] ?? [];
  const action = t(`merge.${taxonomy}`, { count: ids.length });
  if (!data)
    return (
      <DialogBox title={action} onClose={onClose}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <RowsLoading rows={3} />}
      </DialogBox>
    );
  return (
    <MergeDialog
      action={action}
      records={terms.toSorted((one, other) => other.count - one.count || one.id - other.id)}
      nameOf={({ name }) => name}
      detailOf={({ id, slug, count }) =>
        [placeOf(id, tree?.rows ?? []), slug, t('published.count', { count })].filter(Boolean).join(' · ')
      }
      fields={[
        fieldOf('name'),
        fieldOf('slug'),
        fieldOf('description'),
        ...(taxonomy === 'categories' ? [fieldOf('color')] : []),
      ]}
      preview={previewMerge(taxonomy)}
      consequences={(counted, { name }) => consequencesOf(taxonomy, counted, name)}
      onMerge={async (request) => {
        const { name } = { ...request.survivor, ...request.fields };
        await merge(taxonomy, request, () => t(`merged.${taxonomy}`, { count: terms.length, name }));
        onMerged();
      }}
      onClose={onClose}
    />
  );
}

function consequencesOf(taxonomy: Taxonomy, { events, merged }: Merge, name: string): string[] {
  const children = merged.reduce((sum, one) => sum + one.children, 0);
  return [
    ...(events > 0 ? [t('merge.events', { count: events, name })] : []),
    ...(children > 0 ? [t('merge.children', { count: children, name })] : []),
    t(`merge.deletes.${taxonomy}`, { count: merged.length, name }),
  ];
}
