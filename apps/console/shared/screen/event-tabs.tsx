import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Event } from '../../../../packages/client/src/marquee-client.ts';
import { useMe, useSite } from '../../data/account.ts';
import { mayChange, mayManageTickets } from '../../data/post-rights.ts';
import { read } from '../../data/queries.ts';
import { hasEventRight, MANAGES_ATTENDEES, READS_ATTENDEES, READS_ORDERS } from '../../data/rights.ts';
import { when } from '../../i18n/formats.ts';
import { t } from '../../i18n/texts.ts';
import { Failure } from '../../ui/states.tsx';
import { Page, PageLoading } from './page.tsx';

/** Links between the screens of one event that the account may see. */
export function EventTabs({ event }: { event: number }) {
  const params = { id: String(event) };
  const me = useMe();
  const { data: shown } = useQuery(read('GET /events/v1/events/{id}', { id: event }));
  const isTranslated = useSite().languages.length > 1;
  const mayEdit = shown && mayChange(me, shown);
  const tabs = useRef<HTMLElement>(null);
  // On phones the tabs are one row that scrolls.
  useEffect(() => {
    const current = shown && tabs.current?.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shown]);
  return (
    <nav ref={tabs} className="views event-tabs" aria-label={t('event.screens')}>
      {shown && hasEventRight(me, READS_ORDERS, shown) && (
        <Link to="/events/$id/overview" params={params}>
          {t('event.overview')}
        </Link>
      )}
      <Link to="/events/$id" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        {t(shown && !mayEdit ? 'event.shown' : 'event.edit')}
      </Link>
      {shown && mayManageTickets(me, shown) && (
        <Link to="/events/$id/tickets" params={params}>
          {t('event.tickets')}
        </Link>
      )}
      {shown && hasEventRight(me, READS_ORDERS, shown) && (
        <Link to="/events/$id/capacity" params={params}>
          {t('event.capacity')}
        </Link>
      )}
      {shown && hasEventRight(me, READS_ATTENDEES, shown) && (
        <Link to="/events/$id/attendees" params={params}>
          {t('event.attendees')}
        </Link>
      )}
      {shown && hasEventRight(me, READS_ATTENDEES, shown) && (
        <Link to="/events/$id/door" params={params}>
          {t('event.door')}
        </Link>
      )}
      {shown && hasEventRight(me, READS_ORDERS, shown) && (
        <Link to="/events/$id/orders" params={params}>
          {t('event.orders')}
        </Link>
      )}
      {shown && hasEventRight(me, MANAGES_ATTENDEES, shown) && (
        <Link to="/events/$id/announcements" params={params}>
          {t('event.announcements')}
        </Link>
      )}
      {shown && hasEventRight(me, MANAGES_ATTENDEES, shown) && (
        <Link to="/events/$id/mails" params={params}>
          {t('event.mails')}
        </Link>
      )}
      {isTranslated && mayEdit && (
        <Link to="/events/$id/translations" params={params}>
          {t('event.translations')}
        </Link>
      )}
      {mayEdit && (
        <Link to="/events/$id/history" params={params}>
          {t('event.history')}
        </Link>
      )}
    </nav>
  );
}

/** Title and day of an event, for the heading of a screen. */
export function EventName({ event }: { event: number }) {
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id: event }));
  return <>{data && `${data.title} · ${when.day(data.start_date)}`}</>;
}

interface EventScreenProps {
  id: number;
  /** Heading while the event cannot be read. */
  title: string;
  children: (event: Event) => ReactNode;
}

/** A screen of one event, once it is read. */
export function EventScreen({ id, title, children }: EventScreenProps) {
  const { data: event, error, refetch } = useQuery(read('GET /events/v1/events/{id}', { id }));
  if (error)
    return (
      <Page title={title}>
        <Failure error={error} onRetry={() => void refetch()} />
      </Page>
    );
  return event ? children(event) : <PageLoading />;
}
