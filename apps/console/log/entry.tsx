import './log.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditChange, Restored } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { isProblem } from '../../client/problem.ts';
import { read, refresh } from '../frame/queries.ts';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { describe, Failure, RowsLoading } from '../parts/states.tsx';
import { when } from '../when.ts';
import { t } from './texts.ts';
import { whoOf } from './who.ts';

interface EntryProps {
  id: number;
  onClose: () => void;
}

/** One change with the values before and after, and the way back. */
export function Entry({ id, onClose }: EntryProps) {
  const { data: entry, error, refetch } = useQuery(read('GET /admin/v1/audit/{id}', { id }));
  const [refused, setRefused] = useState<unknown>();
  const [left, setLeft] = useState<Restored['not_restored']>();
  const restore = async (isForced: boolean) => {
    setRefused(undefined);
    try {
      const { not_restored } = await call('POST /admin/v1/audit/{id}/restore', {
        id,
        ...(isForced && { force: true }),
      });
      setLeft(not_restored);
      // Any record may have changed.
      await refresh('/');
    } catch (caught) {
      setRefused(caught);
    }
  };
  const isEdited = isProblem(refused, 'edit-conflict');
  const mayRestore = left === undefined && entry !== undefined && entry.changes.length > 0;
  return (
    <DialogBox
      isPanel
      title={entry ? [t(`kind.${entry.kind}`), entry.title || entry.record_id].join(' · ') : t('title')}
      onClose={onClose}
      actions={
        mayRestore && (
          <Button icon="undo" onPress={() => void restore(isEdited)}>
            {t(isEdited ? 'restore.force' : 'restore')}
          </Button>
        )
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!entry && !error && <RowsLoading rows={3} />}
      {refused !== undefined && (
        <p className="form-problem" role="alert">
          {isEdited ? t('restore.edited') : describe(refused)}
        </p>
      )}
      {left && <RestoreReport left={left} />}
      {entry && (
        <>
          <p className="soft">
            {[t(`action.${entry.action}`), whoOf(entry), when.moment(entry.date_utc), 'UTC', entry.network]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {entry.changes.map((change) => (
            <Difference key={`${change.field} ${change.language ?? ''}`} change={change} />
          ))}
        </>
      )}
    </DialogBox>
  );
}

function RestoreReport({ left }: { left: Restored['not_restored'] }) {
  return (
    <div role="status">
      <p>{t('restore.done')}</p>
      {left.length > 0 && (
        <ul>
          {left.map(({ field, language, reason }) => (
            <li key={`${field} ${language ?? ''}`}>
              {field}: {t(`left.${reason}`)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '—';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}

function Difference({ change: { field, language, before, after, hidden } }: { change: AuditChange }) {
  return (
    <section className="difference">
      <h3>{[field, language].filter(Boolean).join(' · ')}</h3>
      {hidden ? (
        <p className="soft">{t(`hidden.${hidden}`)}</p>
      ) : (
        <dl>
          <div>
            <dt>{t('before')}</dt>
            <dd>
              <del>{shown(before)}</del>
            </dd>
          </div>
          <div>
            <dt>{t('after')}</dt>
            <dd>
              <ins>{shown(after)}</ins>
            </dd>
          </div>
        </dl>
      )}
    </section>
  );
}
