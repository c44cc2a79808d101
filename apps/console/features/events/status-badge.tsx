import type { Event, Me } from '../../../../packages/client/src/marquee-client.ts';
import { isPublished } from '../../data/post-rights.ts';
import { t } from './routes.ts';

const TONES: Readonly<Record<string, string>> = { publish: 'good', future: 'info', pending: 'warn', trash: 'bad' };
const TAKING_PLACE: Readonly<Record<string, string>> = { scheduled: '', cancelled: 'bad' };

/** Status and event status of an event. */
export function StatusBadge({ event: { status, event_status = 'scheduled', copied_from } }: { event: Event }) {
  // Every status of the server has a text.
  const shown = status as 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash';
  if (event_status !== 'scheduled')
    return <span className={`badge ${TAKING_PLACE[event_status] ?? 'warn'}`}>{t(`event_status.${event_status}`)}</span>;
  if (status === 'draft' && copied_from !== undefined) return <span className="badge">{t('status.copy')}</span>;
  return <span className={`badge ${TONES[status] ?? ''}`}>{t(`status.${shown}`)}</span>;
}

/** Key of the text that explains why an event is read-only. */
export const readOnlyReason = ({ author, status }: Event, { id }: Me) =>
  author === String(id) && isPublished(status) ? 'shown.published' : 'shown.others';
