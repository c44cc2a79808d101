import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Announcement } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Empty } from '../../ui/states.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { toastProblem } from '../../ui/toast.tsx';
import { t } from './routes.ts';
import { WriteDialog } from './write-dialog.tsx';
import './announcements.css';

const route = getRouteApi('/events/$id/announcements');

const PER_PAGE = 20;
/** Milliseconds between two reads while mails are being sent. */
const INTERVAL = 3000;

const isUnderway = ({ is_running, queued }: Announcement): boolean => is_running || queued > 0;

/** Mails to the holders of an event's tickets, with their delivery. */
export function Screen() {
  const event = Number(route.useParams().id);
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [isWriting, setWriting] = useState(false);
  const list = useQuery({
    ...read('GET /admin/v1/events/{id}/announcements', { id: event, page, per_page: PER_PAGE }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.announcements.some(isUnderway) ? INTERVAL : false),
  });
  useShortcut('c', t('write'), () => setWriting(true));
  return (
    <Page
      title={t('title')}
      note={<EventName event={event} />}
      actions={
        <Button look="primary" icon="plus" onPress={() => setWriting(true)}>
          {t('write')}
        </Button>
      }
    >
      <EventTabs event={event} />
      <Reminder event={event} />
      <PagedList
        query={list}
        rows={3}
        empty={<Empty text={t('none')} icon="people" />}
        page={page}
        onPage={(next) => void navigate({ search: { page: next } })}
      >
        {(data) => (
          <ol className="cards announcements">
            {data.announcements.map((one) => (
              <Line key={one.id} announcement={one} />
            ))}
          </ol>
        )}
      </PagedList>
      {isWriting && <WriteDialog event={event} onClose={() => setWriting(false)} />}
    </Page>
  );
}

const choiceOf = (own: boolean | null) => {
  if (own === null) return 'site';
  return own ? 'on' : 'off';
};

/** Whether holders are reminded of the event the day before. */
function Reminder({ event: id }: { event: number }) {
  const { data } = useQuery(read('GET /admin/v1/events/{id}/reminder', { id }));
  const choose = useAction((own: boolean | null) => call('PATCH /admin/v1/events/{id}/reminder', { id, own }), {
    onSuccess: () => refresh('/admin/v1/events/{id}/reminder'),
    onError: toastProblem,
  });
  if (!data) return null;
  const { own, is_on, due_utc } = data;
  return (
    <SelectField
      label={t('reminder')}
      hint={is_on ? t('reminder.due', { when: when.time(due_utc) }) : undefined}
      value={choiceOf(own)}
      onChange={(value) => choose.run(value === 'site' ? null : value === 'on')}
      choices={(['site', 'on', 'off'] as const).map((value) => ({ value, label: t(`reminder.${value}`) }))}
    />
  );
}

function Line({ announcement }: { announcement: Announcement }) {
  const { kind, subject, text, audience, recipients, sent, queued, held, failed, created_utc } = announcement;
  return (
    <li className="card">
      <h2>{subject || t(`kind.${kind}`)}</h2>
      <p className="soft">
        {[subject && t(`kind.${kind}`), t(`audience.${audience}`), when.time(created_utc)].filter(Boolean).join(' · ')}
      </p>
      {text && <p className="announcement-text">{text}</p>}
      <p role="status">
        {t('recipients', { count: recipients })}
        {sent > 0 && ` · ${t('sent', { count: sent })}`}
        {queued > 0 && ` · ${t('queued', { count: queued })}`}
        {held > 0 && ` · ${t('held', { count: held })}`}
        {failed > 0 && ` · ${t('failed', { count: failed })}`}
      </p>
    </li>
  );
}
