import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRight } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { History } from './history.tsx';
import { t } from './routes.ts';

const route = getRouteApi('/events/$id/history');

/** Who changed an event, and the ways to the same of its tickets. */
export function Screen() {
  const id = Number(route.useParams().id);
  const navigate = route.useNavigate();
  return (
    <Page title={t('history')} note={<EventName event={id} />}>
      <EventTabs event={id} />
      <History
        kind="event"
        id={id}
        opened={route.useSearch()}
        onOpen={(opened) => void navigate({ search: (now) => ({ ...now, ...opened }) })}
      />
      <TicketHistories event={id} />
    </Page>
  );
}

/** More than an event has. */
const ALL = 100;

function TicketHistories({ event }: { event: number }) {
  const isOn = useRight('manage_tickets', 'manage_own_tickets');
  const { data } = useQuery(read('GET /tickets/v1/tickets', { include_post: [event], per_page: ALL }, { isOn }));
  if (!data || data.tickets.length === 0) return null;
  return (
    <section className="history-tickets">
      <h2>{t('history.tickets')}</h2>
      <ul>
        {data.tickets.map(({ id, title }) => (
          <li key={id}>
            <Link to="/history/$kind/$id" params={{ kind: 'ticket', id: String(id) }}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
