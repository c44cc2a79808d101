import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { EventStock } from '../../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../../src/lib/order-number.ts';
import { call } from '../../../client/call.ts';
import { useRight } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { read, refresh } from '../../data/queries.ts';
import { READS_ORDERS } from '../../data/rights.ts';
import { when } from '../../i18n/formats.ts';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { describe, Empty, Failure, RowsLoading } from '../../ui/states.tsx';
import { toast, toastProblem } from '../../ui/toast.tsx';
import { t } from './routes.ts';
import { StockBar } from './stock-bar.tsx';

const route = getRouteApi('/events/$id/capacity');

type TicketStock = EventStock['tickets'][number];

/** Seats of an event: those that its tickets share, and those of each ticket. */
export function Screen() {
  const event = Number(route.useParams().id);
  const { data, error, refetch } = useQuery(read('GET /admin/v1/events/{id}/stock', { id: event }));
  return (
    <Page title={t('capacity')} note={<EventName event={event} />}>
      <EventTabs event={event} />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading rows={3} />}
      {data?.tickets.length === 0 && <Empty text={t('none')} icon="ticket" />}
      <div className="editor">
        <div>
          {data?.pool && <Pool pool={data.pool} first={sharingOf(data.tickets)} event={event} />}
          {data?.tickets.map((ticket) => (
            <TicketCapacity key={ticket.ticket_id} ticket={ticket} event={event} />
          ))}
        </div>
      </div>
    </Page>
  );
}

const isSharing = ({ mode }: TicketStock) => mode === 'global' || mode === 'capped';

/** A ticket that shares the seats of its event, preferably of this event alone: a pass may only be changed as a whole. */
function sharingOf(tickets: readonly TicketStock[]): TicketStock | undefined {
  const sharing = tickets.filter(isSharing);
  return sharing.find(({ pass }) => !pass) ?? sharing[0];
}

interface PoolProps {
  pool: NonNullable<EventStock['pool']>;
  /** A ticket that shares the pool; the size of the pool is changed through it. */
  first: TicketStock | undefined;
  event: number;
}

function Pool({ pool: { capacity, sold, held, available, withdrawn, over }, first, event }: PoolProps) {
  return (
    <section className="form-section capacity">
      <div className="capacity-head">
        <h2>{t('pool')}</h2>
        {first && <Resize ticket={first} event={event} capacity={capacity} isShared />}
      </div>
      <StockBar sold={sold} held={held} left={available} />
      {(withdrawn > 0 || over > 0) && (
        <ul>
          {withdrawn > 0 && <li>{t('pool.withdrawn', { count: withdrawn })}</li>}
          {over > 0 && <li>{t('over', { count: over })}</li>}
        </ul>
      )}
    </section>
  );
}

function TicketCapacity({ ticket, event }: { ticket: TicketStock; event: number }) {
  const { title, mode, capacity, available, sold, held, blocked_by_others: blocked, over } = ticket;
  const release = useAction(
    (hold: { id: number; places: number }) => call('DELETE /admin/v1/holds/{id}', { id: hold.id }),
    {
      onSuccess: (_, { places }) => toast(t('released', { count: places })),
      onSettled: () => refresh('/admin/v1/events/{id}/stock'),
      onError: toastProblem,
    },
  );
  return (
    <section className="form-section capacity">
      <div className="capacity-head">
        <h2>{title}</h2>
        {mode !== 'global' && <Resize ticket={ticket} event={event} capacity={capacity} />}
      </div>
      <StockBar sold={sold.total} held={held.total} left={available} blocked={blocked} />
      <ul>
        {sold.latest_orders.map(({ order_id, places, until_utc }) => (
          <li key={order_id}>
            <OrderLink id={order_id}>
              {t(until_utc ? 'sold.until' : 'sold.to', {
                count: places,
                order: orderNumber(order_id),
                when: until_utc ? when.ago(until_utc) : '',
              })}
            </OrderLink>
          </li>
        ))}
        {sold.orders > sold.latest_orders.length && (
          <li>{t('sold.more', { count: sold.orders - sold.latest_orders.length })}</li>
        )}
        {sold.replies > 0 && <li>{t('sold.replies', { count: sold.replies })}</li>}
        {held.next_holds.map(({ id, places, until_utc }) => (
          <li key={id}>
            {t('held', { count: places, when: when.ago(until_utc) })}
            <Button look="plain" onPress={() => release.run({ id, places })}>
              {t('release', { count: places })}
            </Button>
          </li>
        ))}
        {held.carts > held.next_holds.length && (
          <li>{t('held.more', { count: held.carts - held.next_holds.length })}</li>
        )}
        {blocked > 0 && <li>{t('blocked', { count: blocked })}</li>}
        {over > 0 && <li>{t('over', { count: over })}</li>}
      </ul>
    </section>
  );
}

/** Text that links to an order if the account may see it. */
function OrderLink({ id, children }: { id: number; children: string }) {
  if (!useRight(...READS_ORDERS)) return children;
  return (
    <Link to="/orders/$id" params={{ id: String(id) }}>
      {children}
    </Link>
  );
}

interface ResizeProps {
  ticket: TicketStock;
  event: number;
  capacity: number;
  /** Whether to change the shared seats instead of the ticket's own. */
  isShared?: boolean;
}

/** Changes the number of seats. */
function Resize({ ticket, event, capacity, isShared = false }: ResizeProps) {
  const [typed, setTyped] = useState<string>();
  const change = (places: string) => {
    const stock = isShared ? { event_capacity: places } : { capacity: places };
    return call('PATCH /tickets/v1/tickets/{id}', { id: ticket.ticket_id, post_id: event, ticket: stock });
  };
  const refreshAll = async () => {
    await Promise.all([refresh('/admin/v1/events/{id}/stock'), refresh('/tickets/v1/tickets')]);
  };
  const save = useAction(change, {
    onSuccess: async () => {
      setTyped(undefined);
      await refreshAll();
      const before = capacity < 0 ? '' : String(capacity);
      toast(t('resized'), { undo: () => change(before).then(refreshAll) });
    },
  });
  return (
    <>
      <Button icon="edit" onPress={() => setTyped(capacity < 0 ? '' : String(capacity))}>
        {t('resize')}
      </Button>
      {typed !== undefined && (
        <DialogBox
          title={isShared ? t('pool') : ticket.title}
          onClose={() => setTyped(undefined)}
          actions={
            <Button look="primary" isPending={save.isPending} onPress={() => save.run(typed)}>
              {t('resize.save')}
            </Button>
          }
        >
          <TextField
            label={t('places')}
            value={typed}
            onChange={(text) => setTyped(text.replace(/\D/g, ''))}
            inputMode="numeric"
            hint={t('places.hint')}
            problem={save.error === undefined ? undefined : describe(save.error)}
          />
        </DialogBox>
      )}
    </>
  );
}
