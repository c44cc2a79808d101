import { useQuery } from '@tanstack/react-query';
import type { AuditEntry, FullAuditEntry } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { languageName, when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { describe, Failure, RowsLoading } from '../../ui/states.tsx';
import type { DataColumn } from '../../ui/table/data-table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Difference } from './difference.tsx';
import { t } from './routes.ts';
import { type AccountName, fieldName, recordName, whoOf } from './words.ts';
import './log.css';

interface EntryProps {
  id: number;
  /** Name of an account, for entries about accounts. */
  nameOf?: AccountName;
  onClose: () => void;
}

/** One entry of the log with the old and new values, and a button that restores the old ones. */
export function Entry({ id, nameOf, onClose }: EntryProps) {
  const { data: entry, error, refetch } = useQuery(read('GET /admin/v1/audit/{id}', { id }));
  const restore = useAction(
    (isForced: boolean) => call('POST /admin/v1/audit/{id}/restore', { id, ...(isForced && { force: true }) }),
    {
      onSuccess: async () => {
        // Any record may have changed.
        await refresh('/');
        toast(t('restore.done'));
        onClose();
      },
    },
  );
  const isEdited = isProblem(restore.error, 'edit-conflict');
  const mayRestore = entry !== undefined && entry.not_restored.length < entry.changes.length;
  return (
    <DialogBox
      isPanel
      title={entry ? recordName(entry, nameOf) : t('title')}
      onClose={onClose}
      actions={
        mayRestore && (
          <Button icon="undo" isDisabled={restore.isPending} onPress={() => restore.run(isEdited)}>
            {t(isEdited ? 'restore.force' : 'restore')}
          </Button>
        )
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!entry && !error && <RowsLoading rows={3} />}
      {restore.error !== undefined && (
        <p className="form-problem" role="alert">
          {isEdited ? t('restore.edited') : describe(restore.error)}
        </p>
      )}
      {entry && (
        <>
          <p className="soft">
            {[t(`action.${entry.action}`), whoOf(entry), `${when.moment(entry.date_utc)} UTC`, entry.network]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <NotRestored entry={entry} mayRestore={mayRestore} />
          {entry.changes.map((change) => (
            <Difference key={`${change.field} ${change.language ?? ''}`} kind={entry.kind} change={change} />
          ))}
        </>
      )}
    </DialogBox>
  );
}

/** Before a restore: fields that will not be restored, or why none can be. */
function NotRestored({ entry, mayRestore }: { entry: FullAuditEntry; mayRestore: boolean }) {
  const { kind, not_restored } = entry;
  if (not_restored.length === 0) return null;
  const nameOf = ({ field, language }: (typeof not_restored)[number]) =>
    language ? `${fieldName(kind, field)} (${languageName(language)})` : fieldName(kind, field);
  const reasons = [...new Set(not_restored.map(({ reason }) => reason))];
  const namesOf = (why: string) => [...new Set(not_restored.filter(({ reason }) => reason === why).map(nameOf))];
  return (
    <div className="not-restored">
      <p>{t(mayRestore ? 'left' : 'left.all')}</p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>
            {mayRestore
              ? t('left.line', { fields: namesOf(reason).join(', '), reason: t(`left.${reason}`) })
              : t(`left.${reason}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Maximum number of fields that a row names; new records have dozens. */
const MOST = 5;

function fieldsOf({ kind, fields }: AuditEntry): string {
  const names = [...new Set(fields.map((field) => fieldName(kind, field)))];
  const more = names.length - MOST;
  const shown = names.slice(0, MOST).join(', ');
  return more > 0 ? t('fields.more', { fields: shown, count: more }) : shown;
}

/** Columns of the changed fields, the user and the time; not of the record. */
export const entryColumns = (): DataColumn<AuditEntry>[] => [
  { id: 'fields', label: t('fields'), render: (entry) => <span className="soft">{fieldsOf(entry)}</span> },
  { id: 'who', label: t('who'), render: whoOf },
  { id: 'when', label: t('when'), render: ({ date_utc }) => when.ago(date_utc) },
];
