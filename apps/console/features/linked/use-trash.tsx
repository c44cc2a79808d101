import { type ReactNode, useState } from 'react';
import type { BulkState } from '../../../client/bulk.ts';
import { useBatch } from '../../data/bulk-action.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { BulkReport } from '../../ui/table/bulk-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { deleteCall, RESTORED, refreshLinked, settle, statusCall, type Target } from './changes.ts';
import type { Kind } from './kinds.ts';
import { t } from './routes.ts';

type Rows = readonly Target[];
type TrashAction = 'trash' | 'restore' | 'delete';

/** An action that the user has yet to confirm. */
interface Pending {
  action: Exclude<TrashAction, 'restore'>;
  rows: Rows;
}

const eventsOf = (rows: Rows): number => rows.reduce((sum, { events }) => sum + events, 0);

/**
 * Moves records to the trash and back, and deletes them. Events lose their trashed records for good, so it asks first
 * if there are any.
 * @param onDone follows an action that changed something
 */
export function useTrash(kind: Kind, onDone: (action: TrashAction) => void) {
  const [pending, setPending] = useState<Pending>();
  const trashing = useBatch((row: Target) => statusCall(kind, 'trash', row));
  const restoring = useBatch((row: Target) => statusCall(kind, RESTORED, row));
  const deleting = useBatch((row: Target) => deleteCall(kind, row));
  const reportDeleted = async ({ changed }: BulkState<Target>) => {
    await refreshLinked(kind);
    if (changed.length > 0) toast(t(`deleted.${kind}`, { count: changed.length }));
  };
  const actions = {
    trash: { bulk: trashing, report: (state: BulkState<Target>) => settle(kind, 'trashed', state) },
    restore: { bulk: restoring, report: (state: BulkState<Target>) => settle(kind, 'restored', state) },
    delete: { bulk: deleting, report: reportDeleted },
  };
  const run = (action: TrashAction, rows: Rows) =>
    void actions[action].bulk.start(t(action), rows, async (state) => {
      // First, since the component that reacts may be gone once the lists are read again.
      if (state.changed.length > 0) onDone(action);
      await actions[action].report(state);
    });
  const dialogs: ReactNode = (
    <>
      {pending && (
        <Question
          kind={kind}
          pending={pending}
          onConfirm={() => {
            setPending(undefined);
            run(pending.action, pending.rows);
          }}
          onClose={() => setPending(undefined)}
        />
      )}
      <BulkReport bulk={trashing} nameOf={({ name }) => name} />
      <BulkReport bulk={restoring} nameOf={({ name }) => name} />
      <BulkReport bulk={deleting} nameOf={({ name }) => name} />
    </>
  );
  return {
    trash: (rows: Rows) => (eventsOf(rows) > 0 ? setPending({ action: 'trash', rows }) : run('trash', rows)),
    restore: (rows: Rows) => run('restore', rows),
    remove: (rows: Rows) => setPending({ action: 'delete', rows }),
    dialogs,
  };
}

/** Maximum number of names in the question. */
const MOST_NAMED = 8;

interface QuestionProps {
  kind: Kind;
  pending: Pending;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before records are trashed or deleted, with the number of events that lose them for good. */
function Question({ kind, pending: { action, rows }, onConfirm, onClose }: QuestionProps) {
  const title = t(action === 'trash' ? `trash.${kind}` : `delete.${kind}`, { count: rows.length });
  const events = eventsOf(rows);
  return (
    <ConfirmDialog
      role="alertdialog"
      title={title}
      action={title}
      cancel={t('keep')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <ul className="linked-names">
        {rows.slice(0, MOST_NAMED).map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
        {rows.length > MOST_NAMED && <li>{t('more', { count: rows.length - MOST_NAMED })}</li>}
      </ul>
      {events > 0 && <p>{t(`lose.${kind}`, { count: events })}</p>}
      <p>{t(action === 'delete' ? 'delete.final' : 'trash.final')}</p>
    </ConfirmDialog>
  );
}
