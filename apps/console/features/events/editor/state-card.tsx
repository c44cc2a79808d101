import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuditEntry, Event, Me, Site } from '../../../../../packages/client/src/marquee-client.ts';
import { todayIn } from '../../../../client/when.ts';
import { useMe, useSite } from '../../../data/account.ts';
import { ANY_DATE } from '../../../data/any-date.ts';
import { read } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { Icon } from '../../../ui/icon.tsx';
import { t } from '../routes.ts';
import { StatusBadge } from '../status-badge.tsx';
import type { EditedEvent } from './editor-section.tsx';
import { EventActions } from './event-actions.tsx';

/** Status of the event, with the actions on it. */
export function StateCard({ edited }: { edited: EditedEvent }) {
  const { record, status, isDraft } = edited;
  const site = useSite();
  const isSaving = status === 'saving' || (isDraft && edited.changed.length > 0 && status === 'idle');
  return (
    <section className="form-section" aria-label={t('status')}>
      <p>
        <StatusBadge event={record} />
      </p>
      <p className="soft" role="status">
        {isSaving ? t('saving') : savedText(record, site)}
      </p>
      {record.copied_from !== undefined && <Original id={record.copied_from} />}
      {record.status === 'future' && <p className="soft">{t('publishes', { when: when.moment(record.date) })}</p>}
      <RecentChange event={record} />
      <div className="acts">
        <EventActions edited={edited}>
          <a className="button" href={record.url} target="_blank" rel="noreferrer">
            <Icon name="open" />
            {t(record.status === 'publish' ? 'page' : 'preview')}
          </a>
        </EventActions>
      </div>
    </section>
  );
}

/** Names the original of a copied event. */
function Original({ id }: { id: number }) {
  const { data } = useQuery(read('GET /events/v1/events', { ...ANY_DATE, include: [id], status: ['any'] }));
  const [original] = data?.events ?? [];
  if (!original) return null;
  return (
    <p className="soft">
      {t('copy.of')}{' '}
      <Link to="/events/$id" params={{ id: String(id) }}>
        {original.title}, {when.day(original.start_date)}
      </Link>
    </p>
  );
}

/** Time of the last save in the site's time zone, without the date if it was today. */
function savedText({ modified }: Event, { timezone }: Site): string {
  const today = todayIn(timezone);
  const isToday = modified.startsWith(today);
  return t('saved', { when: isToday ? when.time(modified) : when.moment(modified) });
}

/** In milliseconds. */
const RECENT = 60_000;

/** Whether another user changed the record within the last minute. */
const isRecent = ({ date_utc, user }: AuditEntry, { id }: Me, now: number): boolean =>
  user !== null && user.id !== id && now - Date.parse(`${date_utc.replace(' ', 'T')}Z`) < RECENT;

/** Warns that another user may be editing the record. */
function RecentChange({ event: { id } }: { event: Event }) {
  const me = useMe();
  const [opened] = useState(() => Date.now());
  const { data } = useQuery(read('GET /admin/v1/audit', { kind: 'event', id, per_page: 1 }));
  const [last] = data?.audit ?? [];
  if (!last?.user || !isRecent(last, me, opened)) return null;
  return <p className="notice">{t('recent', { name: last.user.name, when: when.ago(last.date_utc, opened) })}</p>;
}
