import { type ReactNode, useState } from 'react';
import type { BulkState } from '../../../client/bulk.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { BulkReport, useBatch } from '../../ui/table/bulk-bar.tsx';
import { toast } from '../../ui/toast.tsx';
import { deleteCall, RESTORED, refreshLinked, settle, statusCall, type Target } from './changes.ts';
import type { Kind } from './kinds.ts';
import { t } from './routes.ts';

type Rows = readonly Target[];
type Act = 'trash' | 'restore' | 'delete';
type Asked = { act: Exclude<Act, 'restore'>; rows: Rows };

const eventsOf = (rows: Rows): number => rows.reduce((sum, { events }) => sum + events, 0);

/**
 * Moving records to the trash, back, and deleting them for good. What events would lose is said in numbers first: they do
 * not get it back.
 * @param onDone follows an act that changed something
 */
export function useTrash(kind: Kind, onDone: (act: Act) => void) {
  const [asked, setAsked] = useState<Asked>();
  const trashing = useBatch((row: Target) => statusCall(kind, 'trash', row));
  const restoring = useBatch((row: Target) => statusCall(kind, RESTORED, row));
  const deleting = useBatch((row: Target) => deleteCall(kind, row));
  const tellDeleted = async ({ changed }: BulkState<Target>) => {
    await refreshLinked(kind);
    if (changed.length > 0) toast(t(`deleted.${kind}`, { count: changed.length }));
  };
  const acts = {
    trash: { bulk: trashing, tell: (state: BulkState<Target>) => settle(kind, 'trashed', state) },
    restore: { bulk: restoring, tell: (state: BulkState<Target>) => settle(kind, 'restored', state) },
    delete: { bulk: deleting, tell: tellDeleted },
  };
  const run = (act: Act, rows: Rows) =>
    void acts[act].bulk.start(t(act), rows, async (state) => {
      // The place that it goes on from may be gone before the lists are read anew.
      if (state.changed.length > 0) onDone(act);
      await acts[act].tell(state);
    });
  const dialogs: ReactNode = (
    <>
      {asked && (
        <Question
          kind={kind}
          asked={asked}
          onAct={() => {
            setAsked(undefined);
            run(asked.act, asked.rows);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      <BulkReport bulk={trashing} nameOf={({ name }) => name} />
      <BulkReport bulk={restoring} nameOf={({ name }) => name} />
      <BulkReport bulk={deleting} nameOf={({ name }) => name} />
    </>
  );
  return {
    trash: (rows: Rows) => (eventsOf(rows) > 0 ? setAsked({ act: 'trash', rows }) : run('trash', rows)),
    restore: (rows: Rows) => run('restore', rows),
    remove: (rows: Rows) => setAsked({ act: 'delete', rows }),
    dialogs,
  };
}

/** As many names as are read before something is done. */
const MOST_NAMED = 8;

interface QuestionProps {
  kind: Kind;
  asked: Asked;
  onAct: () => void;
  onClose: () => void;
}

/** Says in numbers what cannot be taken back. */
function Question({ kind, asked: { act, rows }, onAct, onClose }: QuestionProps) {
  const title = t(act === 'trash' ? `trash.${kind}` : `delete.${kind}`, { count: rows.length });
  const events = eventsOf(rows);
  return (
    <DialogBox
      role="alertdialog"
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('keep')}</Button>
          <Button look="bad" onPress={onAct}>
            {title}
          </Button>
        </>
      }
    >
      <ul className="linked-names">
        {rows.slice(0, MOST_NAMED).map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
        {rows.length > MOST_NAMED && <li>{t('more', { count: rows.length - MOST_NAMED })}</li>}
      </ul>
      {events > 0 && <p>{t(`lose.${kind}`, { count: events })}</p>}
      <p>{t(act === 'delete' ? 'delete.final' : 'trash.final')}</p>
    </DialogBox>
  );
}
