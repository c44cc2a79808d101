import { useQueries } from '@tanstack/react-query';
import type { Merge } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { MergeDialog } from '../../shared/merging/merge-dialog.tsx';
import { merge, previewMerge, toMerge } from '../../shared/merging/merging.ts';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import { detailOf, type Kind, type Linked, nameOf } from './kinds.ts';
import { mergeFields } from './merge-fields.ts';
import { t } from './routes.ts';

interface MergeLinkedProps {
  kind: Kind;
  /** Two or more. */
  ids: readonly number[];
  onMerged: () => void;
  onClose: () => void;
}

const filled = (record: Linked): number => Object.keys(record).length;

/** Merges records; the one with the most data is the proposed survivor. */
export function MergeLinked({ kind, ids, onMerged, onClose }: MergeLinkedProps) {
  const answers = useQueries({
    queries: ids.map((id) => toMerge(read(`GET /events/v1/${kind}/{id}`, { id }))),
  });
  const records = answers.flatMap(({ data }): Linked[] => (data ? [data] : []));
  const failed = answers.find(({ error }) => error);
  const action = t(`merge.${kind}`, { count: ids.length });
  if (records.length < ids.length)
    return (
      <DialogBox title={action} onClose={onClose}>
        {failed ? <Failure error={failed.error} onRetry={() => void failed.refetch()} /> : <RowsLoading rows={3} />}
      </DialogBox>
    );
  return (
    <MergeDialog
      action={action}
      records={records.toSorted((one, other) => filled(other) - filled(one) || one.id - other.id)}
      nameOf={nameOf}
      detailOf={(record) => detailOf(kind, record)}
      fields={mergeFields(kind)}
      preview={previewMerge(kind)}
      consequences={(counted, survivor) => consequencesOf(kind, counted, nameOf(survivor))}
      onMerge={async (request) => {
        const name = nameOf({ ...request.survivor, ...request.fields } as Linked);
        await merge(kind, request, () => t(`merged.${kind}`, { count: ids.length, name }));
        onMerged();
      }}
      onClose={onClose}
    />
  );
}

const consequencesOf = (kind: Kind, { events, merged }: Merge, name: string): string[] => [
  ...(events > 0 ? [t('merge.events', { count: events, name })] : []),
  t(`merge.trashes.${kind}`, { count: merged.length, name }),
];
