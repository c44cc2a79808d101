import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { EventRefunds } from '../../../../../packages/client/src/marquee-client.ts';
import { read } from '../../../data/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/states.tsx';
import { EventRefundDialog, sum, t } from './event-refund-dialog.tsx';

/** Milliseconds between two reads of a running refund. */
const INTERVAL = 2000;

/** Money of a cancelled event: still to be refunded, refunded, and left to staff. */
export function EventRefundCard({ event }: { event: number }) {
  const [isAsking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery({
    ...read('GET /admin/v1/events/{id}/refunds', { id: event }),
    refetchInterval: ({ state }) => (state.data?.is_running ? INTERVAL : false),
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const { left, done, failed, by_hand, is_running, error: lastError } = data;
  const isNothing = left.orders + done.orders + failed.refunds + by_hand.count === 0;
  return (
    <section className="form-section" aria-labelledby="event-refund">
      <h2 id="event-refund">{t('title')}</h2>
      <div role="status">
        {isNothing && <p className="soft">{t('nothing')}</p>}
        {left.orders > 0 && <p>{t('left', { count: left.orders, sum: sum(left.sums) })}</p>}
        {is_running && (
          <>
            <p>{t('running')}</p>
            <progress aria-label={t('running')} value={done.orders} max={done.orders + left.orders} />
          </>
        )}
        {done.orders > 0 && <p>{t('done', { count: done.orders, sum: sum(done.sums) })}</p>}
      </div>
      {!is_running && lastError && <p className="form-problem">{t('stopped', { error: lastError })}</p>}
      <Orders text={t('failed', { count: failed.refunds })} orders={failed.orders} />
      <Orders text={t('by_hand', { count: by_hand.count })} orders={by_hand.orders} />
      {left.orders > 0 && !is_running && (
        <div>
          <Button look="primary" onPress={() => setAsking(true)}>
            {t(lastError ? 'continue' : 'start')}
          </Button>
        </div>
      )}
      {isAsking && <EventRefundDialog event={event} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** Orders that wait for staff. */
function Orders({ text, orders }: { text: string; orders: EventRefunds['failed']['orders'] }) {
  if (orders.length === 0) return null;
  return (
    <div>
      <p>{text}</p>
      <ul className="event-refund-orders">
        {orders.map(({ id, number }) => (
          <li key={id}>
            <Link to="/orders/$id" params={{ id: String(id) }}>
              {number}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
