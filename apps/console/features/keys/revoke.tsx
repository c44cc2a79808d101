import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CheckInKey } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { FormProblem } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

/** Ends a key for good, after saying in numbers what it is in use for. */
export function Revoke({
  item: { id, name, event_id, last_used_utc },
  onClose,
}: {
  item: CheckInKey;
  onClose: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const revoke = async () => {
    setBusy(true);
    try {
      await call('DELETE /admin/v1/check-in-keys/{id}', { id });
      toast(t('revoked', { name }));
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
    // Also if somebody else was faster.
    await refresh('/admin/v1/check-in-keys');
  };
  return (
    <DialogBox
      title={t('revoke_of', { name })}
      onClose={onClose}
      actions={
        <Button look="bad" isPending={isBusy} onPress={() => void revoke()}>
          {t('revoke')}
        </Button>
      }
    >
      {error !== undefined && <FormProblem error={error} />}
      <p>{last_used_utc ? t('revoke.used', { when: when.ago(last_used_utc) }) : t('revoke.unused')}</p>
      {event_id === null ? <UpcomingEvents /> : <Expected event={event_id} />}
      <p>{t('revoke.text')}</p>
    </DialogBox>
  );
}

/** How many events are ahead that a key for all is valid for. */
function UpcomingEvents() {
  const { data } = useQuery(read('GET /events/v1/events', { ends_after: 'now', per_page: 1 }));
  return data ? <p>{t('revoke.events', { count: data.total })}</p> : null;
}

/** How many people the event of a key still expects. */
function Expected({ event }: { event: number }) {
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id: event }));
  const people = data?.attendance;
  return data && people ? <p>{t('revoke.expected', { count: people.not_checked_in, event: data.title })}</p> : null;
}
