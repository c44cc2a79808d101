import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImageUses, Input, Media } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useMe, useRight } from '../../data/account.ts';
import { readNow, refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { focusTable } from '../../ui/focus.ts';
import type { Selection } from '../../ui/table/selection.ts';
import { toast } from '../../ui/toast.tsx';
import { FinalDialog } from './final-dialog.tsx';
import { placesOf } from './media-uses.tsx';
import { t } from './routes.ts';

interface DeleteProps {
  record: Media;
  uses: ImageUses | undefined;
  onDeleted: () => void;
}

const consequenceOf = (count: number) => (count === 0 ? t('delete.unused') : t('delete.places', { count }));

/** Deletes a picture for good, even where it is used. */
export function Delete({ record: { id, revision }, uses, onDeleted }: DeleteProps) {
  const [isAsking, setAsking] = useState(false);
  const places = uses && placesOf(uses);
  const remove = async () => {
    // Ask again if the picture came into use in the meantime.
    await call('DELETE /admin/v1/media/{id}', { id, force: places !== 0 }, { revision });
    toast(t('deleted', { count: 1 }));
    onDeleted();
    await refresh('/admin/v1/media', { gone: id });
    focusTable();
  };
  return (
    <>
      <Button icon="trash" onPress={() => setAsking(true)}>
        {t('delete')}
      </Button>
      {isAsking && (
        <FinalDialog
          title={t('delete.some', { count: 1 })}
          consequence={places === undefined ? undefined : consequenceOf(places)}
          onRun={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

export type ListFilters = Pick<Input<'GET /admin/v1/media'>, 'search' | 'unused' | 'without_alt'>;

/** Pictures of a selection at the time of the question. */
export interface Deletion {
  pictures: readonly Media[];
  /** Number of pictures in use. */
  shown: number;
}

interface DeleteSomeProps {
  /** Pictures that the account may delete. */
  selection: Selection<Media>;
  /** Filters of the list. */
  filters: ListFilters;
  onDelete: (deletion: Deletion) => Promise<void>;
  onClose: () => void;
}

/** Asks before pictures are deleted, with their number and how many of them are in use. */
export function DeleteSome({ selection, filters, onDelete, onClose }: DeleteSomeProps) {
  const { data, error } = useDeletion(selection, filters);
  const count = data?.pictures.length ?? selection.count;
  return (
    <FinalDialog
      title={t('delete.some', { count })}
      consequence={data && consequenceOfSome(data)}
      isPossible={count > 0}
      error={error ?? undefined}
      onRun={async () => data && onDelete(data)}
      onClose={onClose}
    />
  );
}

function consequenceOfSome({ pictures: { length: count }, shown }: Deletion): string {
  if (count === 0) return t('delete.nothing');
  if (shown === 0) return t('delete.unused');
  return count === 1 ? t('delete.shown') : t('delete.used', { count: shown });
}

/** Read once per question: later matches of the filters are not deleted. */
function useDeletion(selection: Selection<Media>, filters: ListFilters) {
  const { id } = useMe();
  const mayAll = useRight('edit_others');
  const scope: Input<'GET /admin/v1/media'> = selection.isAll
    ? { ...filters, ...(!mayAll && { author: id }) }
    : { include: selection.rows.map((picture) => picture.id) };
  return useQuery<Deletion>({
    queryKey: ['deletion', scope],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const pictures = await selection.read({ signal });
      if (pictures.length === 0 || filters.unused) return { pictures, shown: 0 };
      const shown = await readNow('GET /admin/v1/media', { ...scope, unused: false, per_page: 1 }, signal);
      return { pictures, shown: shown.total };
    },
  });
}
