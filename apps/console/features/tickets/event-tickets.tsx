import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ShownTicket, Ticket } from '../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../client/call.ts';
import { useMe, useSite } from '../../data/account.ts';
import { mayManageTickets } from '../../data/post-rights.ts';
import { read, refresh } from '../../data/queries.ts';
import { hasEventRight, READS_ORDERS } from '../../data/rights.ts';
import { prices, when } from '../../i18n/formats.ts';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Failure, RowsLoading } from '../../ui/states.tsx';
import { type DataColumn, DataTable } from '../../ui/table/data-table.tsx';
import { toast } from '../../ui/toast.tsx';
import { PresetDialog } from './preset-dialog.tsx';
import { t } from './routes.ts';
import { StockBar } from './stock-bar.tsx';
import { TicketOrder } from './ticket-order.tsx';
import { TicketPanel } from './ticket-panel.tsx';

const route = getRouteApi('/events/$id/tickets');

/** More tickets than an event has. */
const ALL = 100;

/** A ticket whose texts are readable without the event's password. */
const isTicket = (ticket: ShownTicket): ticket is Ticket => typeof ticket.title === 'string';

const columns = (tickets: readonly Ticket[], isOrdered: boolean, currency: string): DataColumn<Ticket>[] => [
  {
    id: 'name',
    label: t('name'),
    render: ({ title, pass, requires_code }) => (
      <>
        <span className="row-title">{title}</span>
        {pass && <span className="badge">{t('pass', { count: pass.dates })}</span>}
        {requires_code && <span className="badge">{t('requires_code.mark')}</span>}
      </>
    ),
  },
  {
    id: 'price',
    label: t('price'),
    isNumber: true,
    render: ({ cost_details: { values } }) => prices(values, currency, t('free')),
  },
  {
    id: 'sale',
    label: t('sale'),
    render: ({ available_from, available_until }) => (
      <span className="soft">
        {[available_from && t('from', { when: when.moment(available_from) })]
          .concat(available_until ? t('until', { when: when.moment(available_until) }) : [])
          .filter(Boolean)
          .join(' ')}
      </span>
    ),
  },
  {
    id: 'stock',
    label: t('places'),
    render: ({ capacity_details: { sold = 0, pending = 0, available } }) => (
      <StockBar sold={sold} held={pending} left={available} />
    ),
  },
  ...(isOrdered && tickets.length > 1
    ? [
        {
          id: 'order',
          label: t('order'),
          render: (ticket: Ticket) => <TicketOrder ticket={ticket} tickets={tickets} />,
        },
      ]
    : []),
];

/** Positions of the tickets in the order that customers see, if the account may see them. */
function useOrder(event: number): Map<number, number> | undefined {
  const me = useMe();
  const { data: shown } = useQuery(read('GET /events/v1/events/{id}', { id: event }));
  const isOn = shown !== undefined && hasEventRight(me, READS_ORDERS, shown);
  const { data } = useQuery(read('GET /admin/v1/events/{id}/stock', { id: event }, { isOn }));
  return data && new Map(data.tickets.map(({ ticket_id }, index) => [ticket_id, index]));
}

/** Whether the account may change the tickets of an event, and whether the event is in a series. */
function useEvent(id: number): { mayChange: boolean; isInSeries: boolean } {
  const me = useMe();
  const { data: event } = useQuery(read('GET /events/v1/events/{id}', { id }));
  return {
    mayChange: event !== undefined && mayManageTickets(me, event),
    isInSeries: event?.series !== undefined,
  };
}

const drawsOnShared = ({ capacity_details: { global_stock_mode: mode } }: Ticket): boolean =>
  mode === 'global' || mode === 'capped';

/** All tickets of an event, in the order that customers see if the account may see it. */
function useTickets(event: number) {
  const input = { include_post: [event], per_page: ALL, status: ['any'], post_status: ['any'] };
  const { data, error, refetch } = useQuery(read('GET /tickets/v1/tickets', input));
  const order = useOrder(event);
  const tickets = (data?.tickets ?? []).filter(isTicket).toSorted(
    // A ticket created in the meantime comes last.
    (one, other) => (order?.get(one.id) ?? ALL) - (order?.get(other.id) ?? ALL),
  );
  return { tickets, order, isRead: data !== undefined, error, refetch };
}

/** The tickets of an event. */
export function Screen() {
  const event = Number(route.useParams().id);
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const [isMaking, setMaking] = useState(false);
  const { tickets, order, isRead, error, refetch } = useTickets(event);
  const { currency } = useSite();
  const { mayChange, isInSeries } = useEvent(event);
  const show = (id?: number) => void navigate({ search: { ...(id && { open: id }) } });
  const remove = async (id: number) => {
    await call('DELETE /tickets/v1/tickets/{id}', { id, post_id: event });
    show();
    await refresh('/tickets/v1/tickets', { gone: id });
    toast(t('deleted'));
  };
  const opened = tickets.find(({ id }) => id === open);
  return (
    <Page
      title={t('tickets')}
      note={<EventName event={event} />}
      actions={
        mayChange && (
          <Button look="primary" icon="plus" onPress={() => setMaking(true)}>
            {t('new')}
          </Button>
        )
      }
    >
      <EventTabs event={event} />
      {isRead && !mayChange && <p className="hint read-only">{t('read_only')}</p>}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!isRead && !error && <RowsLoading rows={3} />}
      {isRead && tickets.length === 0 && <Empty text={t('none')} icon="ticket" />}
      {tickets.length > 0 && (
        <DataTable
          label={t('tickets')}
          columns={columns(tickets, order !== undefined, currency)}
          rows={tickets}
          onOpen={({ id }) => mayChange && show(id)}
        />
      )}
      {isMaking && (
        <PresetDialog
          event={event}
          isInSeries={isInSeries}
          hasShared={tickets.some(drawsOnShared)}
          onClose={() => setMaking(false)}
        />
      )}
      {opened && mayChange && (
        <TicketPanel key={opened.id} id={opened.id} onClose={() => show()} onDelete={() => remove(opened.id)} />
      )}
    </Page>
  );
}
