import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Event } from '../../../packages/client/src/marquee-client.ts';
import { read } from '../frame/queries.ts';
import { Page } from '../parts/page.tsx';
import { Empty, Failure, RowsLoading } from '../parts/states.tsx';
import { when } from '../when.ts';
import { t } from './texts.ts';

/** What comes next, with how many people are expected and in. */
export function Screen() {
  return (
    <Page title={t('title')}>
      <section aria-labelledby="next">
        <h2 id="next">{t('next')}</h2>
        <NextEvents />
      </section>
    </Page>
  );
}

function NextEvents() {
  const { data, error, refetch } = useQuery(read('GET /events/v1/events', { ends_after: 'now', per_page: 8 }));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <RowsLoading />;
  if (data.events.length === 0) return <Empty icon="events" text={t('next.none')} />;
  return (
    <ul className="cards">
      {data.events.map((event) => (
        <EventLine key={event.id} event={event} />
      ))}
    </ul>
  );
}

function EventLine({ event }: { event: Event }) {
  const { id, title, venue, attendance } = event;
  const [place] = [venue].flat();
  return (
    <li className="card">
      <div>
        <Link to="/events/$id" params={{ id: String(id) }}>
          {title}
        </Link>
        <p className="soft">{[when.span(event), place?.venue].filter(Boolean).join(' · ')}</p>
      </div>
      {attendance && attendance.total_attendees > 0 && (
        <p className="figure">
          <strong>{attendance.total_attendees}</strong> <span>{t('expected', { count: attendance.checked_in })}</span>
        </p>
      )}
    </li>
  );
}
