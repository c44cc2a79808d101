import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { read } from '../../data/queries.ts';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { AttendeeExport, AttendeeList } from './attendee-list.tsx';
import { t } from './routes.ts';

const route = getRouteApi('/events/$id/attendees');

/** The attendees of one event, and how many of them have come. */
export function Screen() {
  const event = Number(route.useParams().id);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={t('attendees')}
      note={<EventName event={event} />}
      actions={<AttendeeExport filters={filters} event={event} />}
    >
      <EventTabs event={event} />
      <Came event={event} />
      <AttendeeList
        event={event}
        filters={filters}
        onFilters={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
      />
    </Page>
  );
}

/** How many of those who are expected have come, in all and by ticket. */
function Came({ event }: { event: number }) {
  const { data } = useQuery(read('GET /admin/v1/reports/attendance', { event, by: 'ticket' }));
  if (!data || data.totals.expected === 0) return null;
  return (
    <section className="came" aria-label={t('came')}>
      <Figure label={t('came.all')} {...data.totals} />
      {(data.rows?.length ?? 0) > 1 &&
        data.rows?.map((row) => <Figure key={row.ticket_id} label={row.ticket_title ?? ''} {...row} />)}
    </section>
  );
}

function Figure({ label, came, expected }: { label: string; came: number; expected: number }) {
  return (
    <div>
      <p>
        <strong>{t('came.of', { came, expected })}</strong>
        <span className="soft"> {label}</span>
      </p>
      <progress value={came} max={Math.max(expected, 1)} aria-label={label} />
    </div>
  );
}
