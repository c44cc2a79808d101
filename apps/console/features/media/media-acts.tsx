import { useRef, useState } from 'react';
import type { Media } from '../../../../packages/client/src/marquee-client.ts';
import { hasRight, useMe } from '../../data/account.ts';
import { refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { BulkBar, BulkReport, useBatch } from '../../ui/table/bulk-bar.tsx';
import { allowedOf, type Selection } from '../../ui/table/selection.ts';
import { toast } from '../../ui/toast-store.ts';
import { DeleteSome, type Deletion, type ListFilters } from './delete-some.tsx';
import { t } from './routes.ts';

interface MediaActsProps {
  selection: Selection<Media>;
  /** What the list is filtered by. */
  filters: ListFilters;
}

/** What is done with several pictures. */
export function MediaActs({ selection, filters }: MediaActsProps) {
  const me = useMe();
  const mayDelete = ({ author }: Media) => author === String(me.id) || hasRight(me, 'edit_others');
  const allowed = allowedOf(selection, mayDelete);
  const [isAsking, setAsking] = useState(false);
  // What nothing showed when the question was answered is not taken away from what has come to show it since.
  const isForced = useRef(false);
  const bulk = useBatch<Media>(({ id }) => ({
    ...{ method: 'DELETE', path: `/calendar/admin/v1/media/${id}` },
    body: { force: isForced.current },
  }));
  const remove = async ({ pictures, shown }: Deletion) => {
    setAsking(false);
    isForced.current = shown > 0;
    await bulk.start(t('delete.running'), pictures, async ({ changed }) => {
      if (changed.length > 0) toast(t('deleted', { count: changed.length }));
      selection.clear();
      await refresh('/admin/v1/media');
    });
  };
  useShortcut('#', t('keys.delete'), () => setAsking(true), { isOn: allowed.count > 0 });
  return (
    <>
      <BulkBar count={selection.count} onClear={selection.clear} all={selection} leftOut={allowed.leftOut}>
        <Button icon="trash" look="bad" onPress={() => setAsking(true)}>
          {t('delete.some', { count: allowed.count })}
        </Button>
      </BulkBar>
      {isAsking && (
        <DeleteSome selection={allowed} filters={filters} onDelete={remove} onClose={() => setAsking(false)} />
      )}
      <BulkReport bulk={bulk} nameOf={({ title }) => title} />
    </>
  );
}
