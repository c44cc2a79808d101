import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Event, Me } from '../../../../packages/client/src/marquee-client.ts';
import { useMe, useSite } from '../../data/account.ts';
import { mayChange, mayManageTickets } from '../../data/post-rights.ts';
import { read } from '../../data/queries.ts';
import { type Capability, hasEventRight, MANAGES_ATTENDEES, READS_ATTENDEES, READS_ORDERS } from '../../data/rights.ts';
import { when } from '../../i18n/formats.ts';
import { t } from '../../i18n/texts.ts';
import { Failure } from '../../ui/states.tsx';
import { Page, PageLoading } from './page.tsx';

interface Viewed {
  me: Me;
  /** Undefined until it is read. */
  event: Event | undefined;
  isTranslated: boolean;
}

const mayEdit = ({ me, event }: Viewed): boolean => event !== undefined && mayChange(me, event);

/** Tests if the account has one of two rights to the event: the one to all events, or the one to its own. */
const hasRights =
  (rights: readonly [Capability, Capability]) =>
  ({ me, event }: Viewed): boolean =>
    event !== undefined && hasEventRight(me, rights, event);

const always = (): boolean => true;

/** Screens of an event in the order of their tabs. */
const TABS = [
  { to: '/events/$id/overview', label: 'event.overview', isShown: hasRights(READS_ORDERS) },
  { to: '/events/$id', label: 'event.edit', isShown: always },
  {
    to: '/events/$id/tickets',
    label: 'event.tickets',
    isShown: ({ me, event }: Viewed) => event !== undefined && mayManageTickets(me, event),
  },
  { to: '/events/$id/capacity', label: 'event.capacity', isShown: hasRights(READS_ORDERS) },
  { to: '/events/$id/attendees', label: 'event.attendees', isShown: hasRights(READS_ATTENDEES) },
  { to: '/events/$id/door', label: 'event.door', isShown: hasRights(READS_ATTENDEES) },
  { to: '/events/$id/orders', label: 'event.orders', isShown: hasRights(READS_ORDERS) },
  { to: '/events/$id/announcements', label: 'event.announcements', isShown: hasRights(MANAGES_ATTENDEES) },
  { to: '/events/$id/mails', label: 'event.mails', isShown: hasRights(MANAGES_ATTENDEES) },
  {
    to: '/events/$id/translations',
    label: 'event.translations',
    isShown: (viewed: Viewed) => viewed.isTranslated && mayEdit(viewed),
  },
  { to: '/events/$id/history', label: 'event.history', isShown: mayEdit },
] as const;

/** Links between the screens of one event that the account may see. */
export function EventTabs({ event }: { event: number }) {
  const me = useMe();
  const { data: shown } = useQuery(read('GET /events/v1/events/{id}', { id: event }));
  const viewed = { me, event: shown, isTranslated: useSite().languages.length > 1 };
  const tabs = useRef<HTMLElement>(null);
  // On phones the tabs are one row that scrolls.
  useEffect(() => {
    const current = shown && tabs.current?.querySelector('[aria-current="page"]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shown]);
  return (
    <nav ref={tabs} className="views event-tabs" aria-label={t('event.screens')}>
      {TABS.filter(({ isShown }) => isShown(viewed)).map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          params={{ id: String(event) }}
          {...(to === '/events/$id' && { activeOptions: { exact: true, includeSearch: false } })}
        >
          {t(label === 'event.edit' && shown && !mayEdit(viewed) ? 'event.shown' : label)}
        </Link>
      ))}
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
