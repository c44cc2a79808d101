import { type ReactNode, useState } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { ifUnchanged } from '../../../../client/batch.ts';
import { useMe, useRight } from '../../../data/account.ts';
import { useBatch } from '../../../data/bulk-action.ts';
import { mayChange } from '../../../data/post-rights.ts';
import { Button } from '../../../ui/button.tsx';
import { BulkBar, BulkReport } from '../../../ui/table/bulk-bar.tsx';
import { allowedOf, type RowSource, type Selection } from '../../../ui/table/selection.ts';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import { t } from '../routes.ts';
import { useSaleWarning } from '../sale-warning.tsx';
import { readOnlyReason } from '../status-badge.tsx';
import { BulkDuplicate } from './bulk-duplicate.tsx';
import { CategoryDialog } from './category-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { changeCall, type Done, settle } from './event-changes.ts';
import { TicketsDialog } from './tickets-dialog.tsx';

const titleOf = ({ title }: Event): string => title;

/** Sets the status of many events; undoing skips events that changed since. */
function useStatus(status: 'publish' | 'trash' | 'draft', done: Done, label: string) {
  const bulk = useBatch(({ id }: Event) => changeCall(id, { status }));
  const start = (rows: readonly Event[] | RowSource<Event>, onDone?: () => void) =>
    bulk.start(label, rows, async (state) => {
      onDone?.();
      await settle(done, state, (row, now) => ifUnchanged(changeCall(row.id, { status: row.status }), now));
    });
  return { start, report: <BulkReport bulk={bulk} nameOf={titleOf} /> };
}

/** Moves one event to the trash by a key on its row, or shows why that is not allowed. */
export function useTrash(): [(row: Event) => void, ReactNode] {
  const me = useMe();
  const { start, report } = useStatus('trash', 'trashed', t('trash'));
  const trash = (row: Event) => {
    if (mayChange(me, row)) void start([row]);
    else toast(t(readOnlyReason(row, me)), { tone: 'bad' });
  };
  return [trash, report];
}

/** Actions that ask for something first. */
const DIALOGS = {
  category: CategoryDialog,
  edit: EditDialog,
  tickets: TicketsDialog,
  duplicate: BulkDuplicate,
} as const;

interface EventBulkActionsProps {
  selection: Selection<Event>;
  isTrash: boolean;
}

/** Actions on the selected events. */
export function EventBulkActions({ selection: selected, isTrash }: EventBulkActionsProps) {
  const me = useMe();
  const selection = allowedOf(selected, (event) => mayChange(me, event));
  const { clear, read } = selection;
  const mayPublish = useRight('publish');
  const [dialog, setDialog] = useState<keyof typeof DIALOGS>();
  const mayChangeTickets = useRight('manage_tickets', 'manage_own_tickets');
  const publish = useStatus('publish', 'published', t('publish'));
  const trash = useStatus('trash', 'trashed', t('trash'));
  const putBack = useStatus('draft', 'drafted', t('put_back'));
  const [mayPublishUnsold, question] = useSaleWarning();
  const release = async () => {
    const rows = await read({});
    if (await mayPublishUnsold(rows)) await publish.start(rows, clear);
  };
  const Dialog = dialog && DIALOGS[dialog];
  return (
    <>
      <BulkBar count={selected.count} onClear={clear} all={selected} leftOut={selection.leftOut}>
        {mayPublish && <Button onPress={() => void release().catch(toastProblem)}>{t('publish')}</Button>}
        {!isTrash && <Button onPress={() => setDialog('category')}>{t('category')}</Button>}
        {!isTrash && <Button onPress={() => setDialog('edit')}>{t('edit.title')}</Button>}
        {!isTrash && mayChangeTickets && <Button onPress={() => setDialog('tickets')}>{t('tickets.title')}</Button>}
        {!isTrash && (
          <Button icon="copy" onPress={() => setDialog('duplicate')}>
            {t('acts.duplicate')}
          </Button>
        )}
        {isTrash ? (
          <Button icon="undo" onPress={() => void putBack.start(read, clear)}>
            {t('put_back')}
          </Button>
        ) : (
          <Button icon="trash" onPress={() => void trash.start(read, clear)}>
            {t('trash')}
          </Button>
        )}
      </BulkBar>
      {publish.report}
      {trash.report}
      {putBack.report}
      {question}
      {Dialog && <Dialog selection={selection} onClose={() => setDialog(undefined)} />}
    </>
  );
}
