import { useState } from 'react';
import type { BatchCall } from '../../../packages/client/src/marquee-client.ts';
import { callAll } from '../../client/batch.ts';
import type { BulkState } from '../../client/bulk.ts';
import { useRight } from '../frame/account.ts';
import { refresh } from '../frame/queries.ts';
import { toast } from '../frame/toast-store.ts';
import { BulkBar, BulkReport, useBatch } from '../parts/bulk-bar.tsx';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import type { Selection } from '../parts/selection.ts';
import type { Kind, View } from './kinds.ts';
import { nameOf, type Row } from './linked-post.ts';
import { MergeLinkedPosts } from './merge.tsx';
import { t } from './texts.ts';

/** The most that the server merges at once. */
const MOST_MERGED = 51;

interface ActsProps {
  kind: Kind;
  view: View;
  selection: Selection<Row>;
}

/** What can be done with the selected venues or organizers. */
export function LinkedPostActs({ kind, view, selection }: ActsProps) {
  const { rows, count, isAll, clear, read } = selection;
  const [isMerging, setMerging] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const mayMerge = useRight('edit_others');
  const pathOf = ({ id }: Pick<Row, 'id'>) => `/calendar/events/v1/${kind}/${id}`;
  const statusCall = (row: Pick<Row, 'id'>, status: string): BatchCall => ({
    ...{ method: 'PATCH', path: pathOf(row), body: { status } },
  });
  const trash = useBatch((row: Row) => statusCall(row, 'trash'));
  const restore = useBatch((row: Row) => statusCall(row, 'draft'));
  const remove = useBatch((row: Row) => ({ method: 'DELETE', path: pathOf(row), body: { force: true } }) as BatchCall);
  const renew = () => Promise.all([refresh(`/admin/v1/${kind}`), refresh(`/events/v1/${kind}`)]);
  const done =
    (text: (count: number) => string, undoOf?: (row: Row) => BatchCall) =>
    async ({ changed }: BulkState<Row>) => {
      clear();
      await renew();
      if (changed.length === 0) return;
      const undo = async () => {
        await callAll(changed.map((row) => undoOf?.(row) as BatchCall));
        await renew();
      };
      toast(text(changed.length), undoOf && { undo });
    };
  const formerStatus = (row: Row) => statusCall(row, row.record.status);
  const name = ({ record }: Row) => nameOf(kind, record);
  return (
    <>
      <BulkBar count={count} onClear={clear} all={selection}>
        {mayMerge && !isAll && view !== 'trash' && count > 1 && count <= MOST_MERGED && (
          <Button onPress={() => setMerging(true)}>{t(`merge.${kind}`, { count })}</Button>
        )}
        {view !== 'trash' && (
          <Button
            icon="trash"
            onPress={() =>
              void trash.start(
                t('trash'),
                read,
                done((some) => t('trashed', { count: some }), formerStatus),
              )
            }
          >
            {t('trash')}
          </Button>
        )}
        {view === 'trash' && (
          <>
            <Button
              icon="undo"
              onPress={() =>
                void restore.start(
                  t('restore'),
                  read,
                  done((some) => t('restored', { count: some }), formerStatus),
                )
              }
            >
              {t('restore')}
            </Button>
            <Button icon="trash" look="bad" onPress={() => setDeleting(true)}>
              {t('delete', { count })}
            </Button>
          </>
        )}
      </BulkBar>
      {isMerging && (
        <MergeLinkedPosts
          kind={kind}
          ids={rows.map(({ id }) => id)}
          onMerged={clear}
          onClose={() => setMerging(false)}
        />
      )}
      {isDeleting && (
        <DialogBox
          role="alertdialog"
          title={t('delete', { count })}
          onClose={() => setDeleting(false)}
          actions={
            <>
              <Button onPress={() => setDeleting(false)}>{t('keep')}</Button>
              <Button
                look="bad"
                onPress={() => {
                  setDeleting(false);
                  void remove.start(
                    t('delete', { count }),
                    read,
                    done((some) => t('deleted', { count: some })),
                  );
                }}
              >
                {t('delete', { count })}
              </Button>
            </>
          }
        >
          <p>{t('delete.text', { count: rows.reduce((sum, { events }) => sum + events, 0) })}</p>
        </DialogBox>
      )}
      <BulkReport bulk={trash} nameOf={name} />
      <BulkReport bulk={restore} nameOf={name} />
      <BulkReport bulk={remove} nameOf={name} />
    </>
  );
}
