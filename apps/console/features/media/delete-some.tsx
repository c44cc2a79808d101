import { useQuery } from '@tanstack/react-query';
import type { Input, Media } from '../../../../packages/client/src/marquee-client.ts';
import { useMe, useRight } from '../../data/account.ts';
import { readNow } from '../../data/queries.ts';
import type { Selection } from '../../ui/table/selection.ts';
import { FinalDialog } from './final-dialog.tsx';
import { t } from './routes.ts';

export type ListFilters = Pick<Input<'GET /admin/v1/media'>, 'search' | 'unused' | 'without_alt'>;

/** What a selection has at a moment. */
export interface Deletion {
  pictures: readonly Media[];
  /** How many of them are shown anywhere. */
  shown: number;
}

interface DeleteSomeProps {
  /** Without the pictures of others, if the account may not delete those. */
  selection: Selection<Media>;
  /** What the list is filtered by. */
  filters: ListFilters;
  onDelete: (deletion: Deletion) => Promise<void>;
  onClose: () => void;
}

/** Says first how many pictures are deleted and how many of them are missing somewhere then. */
export function DeleteSome({ selection, filters, onDelete, onClose }: DeleteSomeProps) {
  const { data, error } = useDeletion(selection, filters);
  const count = data?.pictures.length ?? selection.count;
  return (
    <FinalDialog
      title={t('delete.some', { count })}
      consequence={data && consequenceOf(data)}
      isPossible={count > 0}
      error={error ?? undefined}
      onRun={async () => data && onDelete(data)}
      onClose={onClose}
    />
  );
}

function consequenceOf({ pictures: { length: count }, shown }: Deletion): string {
  if (count === 0) return t('delete.nothing');
  if (shown === 0) return t('delete.unused');
  return count === 1 ? t('delete.shown') : t('delete.used', { count: shown });
}

/** Looked up once for each question: these pictures are deleted, whatever comes to match the filters meanwhile. */
function useDeletion(selection: Selection<Media>, filters: ListFilters) {
  const { id } = useMe();
  const mayAll = useRight('edit_others');
  const scope: Input<'GET /admin/v1/media'> = selection.isAll
    ? { ...filters, ...(!mayAll && { author: id }) }
    : { include: selection.rows.map((picture) => picture.id) };
  return useQuery<Deletion>({
    queryKey: ['deletion', scope],
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
    queryFn: async ({ signal }) => {
      const pictures = await selection.read({ signal, onProgress: () => undefined });
      if (pictures.length === 0 || filters.unused) return { pictures, shown: 0 };
      const shown = await readNow('GET /admin/v1/media', { ...scope, unused: false, per_page: 1 }, signal);
      return { pictures, shown: shown.total };
    },
  });
}
