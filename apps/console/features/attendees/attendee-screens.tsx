import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { read } from '../../data/queries.ts';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Icon } from '../../ui/icon.tsx';
import { AttendeeExport, AttendeeList } from './attendee-list.tsx';
import { t } from './routes.ts';

const allRoute = getRouteApi('/attendees');

/** Attendees of all events. */
export function AllAttendees() {
  const filters = allRoute.useSearch();
  const navigate = allRoute.useNavigate();
  return (
    <Page title={t('attendees')} actions={<AttendeeExport filters={filters} />}>
      <AttendeeList
        filters={filters}
        onFilters={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
      />
    </Page>
  );
}

const eventRoute = getRouteApi('/events/$id/attendees');

/** Attendees of one event, with the number checked in. */
export function EventAttendees() {
  const event = Number(eventRoute.useParams().id);
  const filters = eventRoute.useSearch();
  const navigate = eventRoute.useNavigate();
  return (
    <Page
      title={t('attendees')}
      note={<EventName event={event} />}
      actions={
        <>
          <AttendeeExport filters={filters} event={event} />
          <Link to="/events/$id/attendees/print" params={{ id: String(event) }} className="button">
            <Icon name="print" />
            {t('guests')}
          </Link>
        </>
      }
    >
      <EventTabs event={event} />
      <CheckInCounts event={event} />
      <AttendeeList
        event={event}
        filters={filters}
        onFilters={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
      />
    </Page>
  );
}

/** Numbers of attendees checked in and expected, in total and by ticket. */
function CheckInCounts({ event }: { event: number }) {
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
