import { useQuery } from '@tanstack/react-query';
import { call } from '../../client/call.ts';
import { DialogBox } from '../parts/dialog-box.tsx';
import type { MergeField } from '../parts/merge-choices.ts';
import { MergeDialog } from '../parts/merge-dialog.tsx';
import { Failure, RowsLoading } from '../parts/states.tsx';
import { merge, previewMerge } from '../record/merging.ts';
import { KINDS, type Kind } from './kinds.ts';
import { detailOf, type LinkedPost, nameOf, textOf } from './linked-post.ts';
import { t } from './texts.ts';

const textField = (name: string, label: string): MergeField<LinkedPost> => ({
  ...{ name, label },
  valueOf: (record) => ({ [name]: textOf(record, name) }),
  show: (record) => textOf(record, name),
});

/** A picture and a place are taken as a whole. */
const picture = (): MergeField<LinkedPost> => ({
  ...{ name: 'image', label: t('field.image') },
  valueOf: ({ image }) => ({ image: image ? String(image.id) : null }),
  show: ({ image }) => (image ? (image.alt ?? `#${image.id}`) : ''),
});

const coordinates = (): MergeField<LinkedPost> => ({
  ...{ name: 'coordinates', label: t('field.coordinates') },
  valueOf: ({ geo_lat, geo_lng }) => ({ geo_lat: geo_lat ?? null, geo_lng: geo_lng ?? null }),
  show: ({ geo_lat, geo_lng }) => (geo_lat === undefined ? '' : `${geo_lat}, ${geo_lng}`),
});

const fieldsOf = (kind: Kind): MergeField<LinkedPost>[] => [
  textField(KINDS[kind].name, t('name')),
  ...KINDS[kind].lines.map((name) => textField(name, t(`field.${name}`))),
  textField('description', t('field.description')),
  picture(),
  ...(KINDS[kind].isPlace ? [coordinates()] : []),
];

interface MergeProps {
  kind: Kind;
  /** Two or more. */
  ids: readonly number[];
  onMerged?: () => void;
  onClose: () => void;
}

/** Merges venues or organizers: one stays, with fields that may be those of the others. */
export function MergeLinkedPosts({ kind, ids, onMerged, onClose }: MergeProps) {
  const operation = `GET /events/v1/${kind}/{id}` as 'GET /events/v1/venues/{id}';
  const { data, error, refetch } = useQuery({
    queryKey: [`GET /events/v1/${kind}`, 'merge', ...ids],
    queryFn: () => Promise.all(ids.map((id) => call(operation, { id }))) as unknown as Promise<LinkedPost[]>,
  });
  const action = t(`merge.${kind}`, { count: ids.length });
  if (!data)
    return (
      <DialogBox title={action} onClose={onClose}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <RowsLoading rows={3} />}
      </DialogBox>
    );
  return (
    <MergeDialog<LinkedPost>
      action={action}
      records={data}
      nameOf={(record) => nameOf(kind, record)}
      detailOf={(record) => detailOf(kind, record)}
      fields={fieldsOf(kind)}
      preview={previewMerge(kind)}
      consequences={({ events, merged }, survivor) => {
        const name = nameOf(kind, survivor);
        const moved = events > 0 ? [t('merge.events', { count: events, name })] : [];
        return [...moved, t(`merge.trashes.${kind}`, { count: merged.length })];
      }}
      onMerge={async (request) => {
        const name = nameOf(kind, { ...request.survivor, ...request.fields } as LinkedPost);
        await merge(kind, request, () => t(`merged.${kind}`, { count: data.length, name }));
        onMerged?.();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
