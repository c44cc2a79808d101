import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/when.ts';
import { Failure, RowsLoading } from '../../ui/states.tsx';
import type { Kind } from './kinds.ts';
import { t } from './routes.ts';

/** Events that are listed; the others are counted. */
const MOST_LISTED = 10;

/** The upcoming events of a record, with the ways to them. */
export function UsedBy({ kind, id }: { kind: Kind; id: number }) {
  const heading = useId();
  const { data, error, refetch } = useQuery(
    read('GET /events/v1/events', {
      ...(kind === 'venues' ? { venue: [id] } : { organizer: [id] }),
      ...{ ends_after: 'now', per_page: MOST_LISTED },
    }),
  );
  return (
    <section className="form-section" aria-labelledby={heading}>
      <h2 id={heading}>{t('used_by')}</h2>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading rows={2} />}
      {data?.total === 0 && <p className="soft">{t('used_by.none')}</p>}
      {data && data.total > 0 && (
        <ul className="linked-events">
          {data.events.map((event) => (
            <li key={event.id}>
              <Link className="clamped" to="/events/$id" params={{ id: String(event.id) }}>
                {event.title}
              </Link>
              <small className="soft">{when.span(event)}</small>
            </li>
          ))}
        </ul>
      )}
      {data && data.total > MOST_LISTED && <p className="soft">{t('more', { count: data.total - MOST_LISTED })}</p>}
    </section>
  );
}
