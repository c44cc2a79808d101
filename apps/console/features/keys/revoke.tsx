import { useQuery } from '@tanstack/react-query';
import type { CheckInKey } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { RemovalDialog } from '../../shared/record/removal-dialog.tsx';
import { t } from './routes.ts';

/** Revokes a key for good, after showing its use. */
export function Revoke({ item, onClose }: { item: CheckInKey; onClose: () => void }) {
  const { id, name, event_id, last_used_utc } = item;
  return (
    <RemovalDialog
      title={t('revoke_of', { name })}
      action={t('revoke')}
      done={t('revoked', { name })}
      remove={() => call('DELETE /admin/v1/check-in-keys/{id}', { id })}
      path="/admin/v1/check-in-keys"
      onClose={onClose}
    >
      <p>{last_used_utc ? t('revoke.used', { when: when.ago(last_used_utc) }) : t('revoke.unused')}</p>
      {event_id === null ? <UpcomingEvents /> : <Expected event={event_id} />}
      <p>{t('revoke.text')}</p>
    </RemovalDialog>
  );
}

/** Number of upcoming events, for which a key for all events is valid. */
function UpcomingEvents() {
  const { data } = useQuery(read('GET /events/v1/events', { ends_after: 'now', per_page: 1 }));
  return data ? <p>{t('revoke.events', { count: data.total })}</p> : null;
}

/** Number of attendees of the key's event who are not checked in. */
function Expected({ event }: { event: number }) {
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id: event }));
  const people = data?.attendance;
  return data && people ? <p>{t('revoke.expected', { count: people.not_checked_in, event: data.title })}</p> : null;
}
