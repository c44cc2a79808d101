import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Event, EventStock, SalesReport } from '../../../../packages/client/src/marquee-client.ts';
import { addDaysToDay } from '../../../../src/lib/dates/month.ts';
import { todayIn } from '../../../client/when.ts';
import { useMe, useSite } from '../../data/account.ts';
import { mayChange, mayManageTickets } from '../../data/post-rights.ts';
import { read } from '../../data/queries.ts';
import { hasEventRight, READS_ATTENDEES, READS_ORDERS, SELLS } from '../../data/rights.ts';
import { money, when, whenNear } from '../../i18n/formats.ts';
import { OrderStatus } from '../../shared/orders/order-status.tsx';
import { amountsOf, BEGINNING } from '../../shared/orders/sales.ts';
import { UNPAID } from '../../shared/orders/unpaid.ts';
import { EventScreen, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page, PageLoading } from '../../shared/screen/page.tsx';
import { SoldBar } from '../../shared/screen/sold-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { CopyButton } from '../../ui/secret.tsx';
import { Failure } from '../../ui/states.tsx';
import { t } from './routes.ts';
import './overview.css';

const route = getRouteApi('/events/$id/overview');

/** Days of recent sales, and number of listed orders. */
const DAYS = 14;
const FEW = 5;

/** Sales, orders and link of one event. */
export function Screen() {
  const id = Number(route.useParams().id);
  return (
    <EventScreen id={id} title={t('title')}>
      {(event) => <Overview event={event} />}
    </EventScreen>
  );
}

function Overview({ event }: { event: Event }) {
  const me = useMe();
  const seesSales = hasEventRight(me, READS_ORDERS, event);
  const venue = [event.venue].flat()[0]?.venue;
  return (
    <Page title={event.title} note={[when.span(event), venue].filter(Boolean).join(' · ')}>
      <EventTabs event={event.id} />
      <div className="overview">
        <div>{seesSales && <Sales event={event} />}</div>
        <div>
          <Share event={event} />
          <Actions event={event} />
        </div>
      </div>
    </Page>
  );
}

function Sales({ event: { id } }: { event: Event }) {
  const stock = useQuery(read('GET /admin/v1/events/{id}/stock', { id }));
  const sales = useQuery(read('GET /admin/v1/reports/sales', { event: id, by: 'ticket', from: BEGINNING }));
  const error = stock.error ?? sales.error;
  const retry = () => void Promise.all([stock.refetch(), sales.refetch()]);
  if (error) return <Failure error={error} onRetry={retry} />;
  if (!stock.data || !sales.data) return <PageLoading />;
  return (
    <>
      <Figures event={id} stock={stock.data} sales={sales.data} />
      <Tickets stock={stock.data} sales={sales.data} />
      <Days event={id} />
      <LatestOrders event={id} />
    </>
  );
}

interface FiguresProps {
  event: number;
  stock: EventStock;
  sales: SalesReport;
}

/** The four numbers that organizers ask for first. */
function Figures({ event, stock: { tickets, pool }, sales: { totals } }: FiguresProps) {
  const params = { id: String(event) };
  const { data: open } = useQuery(read('GET /admin/v1/orders', { event, status: [...UNPAID], per_page: 1 }));
  const { data: came } = useQuery(read('GET /admin/v1/reports/attendance', { event }));
  const own = tickets.filter(({ mode }) => mode !== 'global' && mode !== 'capped');
  const capacities = [...own.map(({ capacity }) => capacity), ...(pool ? [pool.capacity] : [])];
  const capacity = capacities.includes(-1) ? -1 : capacities.reduce((sum, one) => sum + one, 0);
  const sold = tickets.reduce((sum, ticket) => sum + ticket.sold.total, 0);
  const isOpen = totals.pending.places > 0;
  return (
    <section className="overview-figures" aria-label={t('title')}>
      <Figure label={t('sold')}>
        <SoldBar sold={sold} capacity={capacity} label={t('sold')} />
      </Figure>
      <Figure label={t('revenue')} value={amountsOf(totals.sold, money)}>
        {isOpen && <p className="soft">{t('revenue.open', { amount: amountsOf(totals.pending, money) })}</p>}
      </Figure>
      <Figure label={t('open')} value={open && String(open.total)}>
        {open?.total === 0 && <p className="soft">{t('open.none')}</p>}
        {open !== undefined && open.total > 0 && (
          <Link to="/events/$id/orders" params={params} search={{ view: 'open' }}>
            {t('open.show')}
          </Link>
        )}
      </Figure>
      <Figure label={t('came')} value={came && String(came.totals.came)}>
        {came && <p className="soft">{t('came.of', { expected: came.totals.expected })}</p>}
      </Figure>
    </section>
  );
}

function Figure({ label, value, children }: { label: string; value?: string | undefined; children?: ReactNode }) {
  return (
    <div>
      <h2>{label}</h2>
      {value !== undefined && <p className="overview-number">{value}</p>}
      {children}
    </div>
  );
}

function Tickets({ stock: { tickets, pool }, sales: { rows = [] } }: Omit<FiguresProps, 'event'>) {
  if (tickets.length === 0) return <p className="soft">{t('sold.none')}</p>;
  return (
    <section aria-labelledby="tickets">
      <h2 id="tickets">{t('tickets')}</h2>
      <ul className="overview-tickets">
        {tickets.map(({ ticket_id, title, mode, sold, capacity }) => {
          const row = rows.find((one) => one.ticket_id === ticket_id);
          return (
            <li key={ticket_id}>
              <span className="row-title">{title}</span>
              <SoldBar
                sold={sold.total}
                capacity={mode === 'global' ? (pool?.capacity ?? -1) : capacity}
                label={title}
              />
              <span className="overview-amount">{row && amountsOf(row.sold, money)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A column a day, with its number. */
function Days({ event }: { event: number }) {
  const { timezone } = useSite();
  const from = addDaysToDay(todayIn(timezone), 1 - DAYS);
  const { data } = useQuery(read('GET /admin/v1/reports/sales', { event, by: 'day', from }));
  const periods = data?.periods ?? [];
  const most = Math.max(1, ...periods.map(({ sold }) => sold.places));
  const isNone = periods.every(({ sold }) => sold.places === 0);
  return (
    <section aria-labelledby="days">
      <h2 id="days">{t('days')}</h2>
      {data && isNone && <p className="soft">{t('days.none')}</p>}
      {!isNone && (
        <ol className="overview-days">
          {periods.map(({ start, sold }) => (
            <li key={start} title={`${whenNear.day(start)}: ${t('days.day', { count: sold.places })}`}>
              <span aria-hidden="true">{sold.places > 0 && sold.places}</span>
              <i aria-hidden="true" style={{ blockSize: `${(sold.places / most) * 100}%` }} />
              <small aria-hidden="true">{Number(start.slice(8, 10))}</small>
              <span className="visually-hidden">
                {`${whenNear.day(start)}: ${t('days.day', { count: sold.places })}`}
              </span>
            </li>
          ))}
        </ol>
      )}
      <p>
        <Link to="/reports" search={{ event }}>
          {t('report')}
        </Link>
      </p>
    </section>
  );
}

function LatestOrders({ event }: { event: number }) {
  const { data } = useQuery(read('GET /admin/v1/orders', { event, per_page: FEW }));
  if (!data) return null;
  return (
    <section aria-labelledby="orders">
      <h2 id="orders">{t('orders')}</h2>
      {data.total === 0 && <p className="soft">{t('orders.none')}</p>}
      <ul className="cards">
        {data.orders.map(({ id, purchaser, places, total, currency, date, status }) => (
          <li key={id} className="card">
            <div>
              <Link to="/orders/$id" params={{ id: String(id) }}>
                {purchaser.name}
              </Link>
              <p className="soft">{`${when.moment(date)} · ${t('places', { count: places })} · ${money(total.minor, currency)}`}</p>
            </div>
            <OrderStatus status={status} />
          </li>
        ))}
      </ul>
      {data.total > data.orders.length && (
        <p>
          <Link to="/events/$id/orders" params={{ id: String(event) }}>
            {t('orders.all')}
          </Link>
        </p>
      )}
    </section>
  );
}

/** Address of the public page. */
function Share({ event: { url, title, status } }: { event: Event }) {
  return (
    <section className="form-section" aria-labelledby="share">
      <h2 id="share">{t('share')}</h2>
      {status === 'publish' ? (
        <p className="overview-address">{url.replace(/^https?:\/\//, '')}</p>
      ) : (
        <p className="soft">{t('share.not_public')}</p>
      )}
      <div className="acts">
        <a className="button" href={url} target="_blank" rel="noreferrer">
          <Icon name="open" />
          {t('share.open')}
        </a>
        {status === 'publish' && <CopyButton text={url} label={t('share.copy')} />}
        {status === 'publish' && 'share' in navigator && (
          <Button icon="right" onPress={() => void navigator.share({ title, url }).catch(() => undefined)}>
            {t('share.share')}
          </Button>
        )}
      </div>
    </section>
  );
}

function Actions({ event }: { event: Event }) {
  const me = useMe();
  const params = { id: String(event.id) };
  return (
    <section className="form-section" aria-labelledby="actions">
      <h2 id="actions">{t('actions')}</h2>
      <div className="acts">
        {hasEventRight(me, SELLS, event) && (
          <Link to="/counter" search={{ event: event.id }} className="button primary">
            <Label icon="orders">{t('sell')}</Label>
          </Link>
        )}
        {hasEventRight(me, READS_ATTENDEES, event) && (
          <Link to="/events/$id/attendees" params={params} className="button">
            <Label icon="people">{t('guests')}</Label>
          </Link>
        )}
        {mayManageTickets(me, event) && (
          <Link to="/events/$id/tickets" params={params} className="button">
            <Label icon="ticket">{t('tickets.edit')}</Label>
          </Link>
        )}
        {mayChange(me, event) && (
          <Link to="/events/$id" params={params} className="button">
            <Label icon="events">{t('edit')}</Label>
          </Link>
        )}
      </div>
    </section>
  );
}

const Label = ({ icon, children }: { icon: IconName; children: string }) => (
  <>
    <Icon name={icon} />
    {children}
  </>
);
