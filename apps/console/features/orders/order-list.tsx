import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Event, ListedOrder } from '../../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../../src/lib/order-number.ts';
import { useRight, useSite } from '../../data/account.ts';
import { read, readNow } from '../../data/queries.ts';
import { MANAGES_ATTENDEES, SELLS } from '../../data/rights.ts';
import { inUnits, money, when } from '../../i18n/formats.ts';
import { EventLines, useEventsOf } from '../../shared/events/event-lines.tsx';
import { ExportMenu, type SheetColumn } from '../../shared/export/export-menu.tsx';
import { OrderStatus, orderStatus } from '../../shared/orders/order-status.tsx';
import { EventName, EventTabs } from '../../shared/screen/event-tabs.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Empty, LoadedList, NothingFound } from '../../ui/states.tsx';
import { type DataColumn, DataTable, Pager } from '../../ui/table/data-table.tsx';
import { FilterBar, SearchBox, Views } from '../../ui/table/filter-bar.tsx';
import { MOST_PER_PAGE, useSelection } from '../../ui/table/selection.ts';
import { OrderBulkActions } from './order-bulk-actions.tsx';
import { isNarrowed, listQuery, MoreFilters, NO_FILTERS, type OrderFilters } from './order-filters.tsx';
import { ORDER_VIEWS, t } from './routes.ts';
import './orders.css';

const route = getRouteApi('/orders');

const PER_PAGE = 25;
const NO_ROWS: readonly ListedOrder[] = [];

const columns = (events: ReadonlyMap<number, Event> | undefined): DataColumn<ListedOrder>[] => [
  {
    id: 'number',
    label: t('number'),
    render: ({ id }) => <span className="row-title order-number">{orderNumber(id)}</span>,
  },
  { id: 'buyer', label: t('buyer'), render: ({ purchaser }) => <span className="clamped">{purchaser.name}</span> },
  {
    id: 'event',
    label: t('event'),
    render: (order) =>
      order.events.map(({ id, title }) => <EventLines key={id} event={events?.get(id)} title={title} />),
  },
  { id: 'places', label: t('places'), isNumber: true, render: ({ places }) => <Places count={places} /> },
  { id: 'sum', label: t('sum'), isNumber: true, render: ({ total, currency }) => money(total.minor, currency) },
  { id: 'state', label: t('state'), render: (order) => <State order={order} /> },
  { id: 'age', label: t('age'), render: ({ date_utc }) => <span className="soft">{when.ago(date_utc)}</span> },
];

/** Status of an order, and the money to refund, if any. */
function State({ order: { status, owed, currency } }: { order: ListedOrder }) {
  return (
    <>
      <OrderStatus status={status} />{' '}
      {owed.minor > 0 && <span className="badge warn">{t('owed.mark', { sum: money(owed.minor, currency) })}</span>}
    </>
  );
}

/** A bare number in a table, a number with a word on a card. */
function Places({ count }: { count: number }) {
  return (
    <>
      <span className="only-table">{count}</span>
      <span className="only-card">{t('places.count', { count })}</span>
    </>
  );
}

/** The orders of all events. */
export function Screen() {
  const navigate = route.useNavigate();
  return (
    <Orders
      shown={route.useSearch()}
      onShow={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
    />
  );
}

const eventRoute = getRouteApi('/events/$id/orders');

/** The orders of one event. */
export function EventOrders() {
  const event = Number(eventRoute.useParams().id);
  const navigate = eventRoute.useNavigate();
  return (
    <Orders
      event={event}
      shown={{ ...eventRoute.useSearch(), event }}
      onShow={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
    />
  );
}

const Findings = () => <Link to="/orders/findings">{t('findings')}</Link>;

interface OrdersProps {
  /** Limits the list to one event. */
  event?: number;
  shown: OrderFilters;
  onShow: (next: Partial<OrderFilters>) => void;
}

/** A page of orders, and the selection. */
function useOrders(query: ReturnType<typeof listQuery>, page: number) {
  const input = { ...query, page, per_page: PER_PAGE };
  const list = useQuery(read('GET /admin/v1/orders', input, { keepsPrevious: true }));
  const readPage = async (number: number) => {
    const answer = await readNow('GET /admin/v1/orders', { ...query, page: number, per_page: MOST_PER_PAGE });
    return { rows: answer.orders, pages: answer.total_pages, total: answer.total };
  };
  const selection = useSelection({ rows: list.data?.orders ?? NO_ROWS, total: list.data?.total ?? 0, readPage });
  return { list, readPage, selection };
}

function Orders({ event, shown, onShow }: OrdersProps) {
  const { view = 'all', search = '', page = 1 } = shown;
  const navigate = useNavigate();
  const query = listQuery(shown);
  const { list, readPage, selection } = useOrders(query, page);
  const events = useEventsOf(list.data?.orders.flatMap((order) => order.events.map(({ id }) => id)) ?? []);
  const show = (next: Partial<OrderFilters>) => {
    selection.clear();
    onShow(next);
  };
  const maySell = useRight(...SELLS);
  const maySeeAll = useRight('read_orders');
  const { payment_ways } = useSite();
  const usesService = payment_ways.some(({ gateway }) => gateway !== 'manual' && gateway !== 'transfer');
  useShortcut('c', t('sell'), () => void navigate({ to: '/counter', search: { event } }), { isOn: maySell });
  return (
    <Page
      title={t('orders')}
      note={event === undefined ? maySeeAll && usesService && <Findings /> : <EventName event={event} />}
      actions={maySell && <OrderListActions event={event} query={query} readPage={readPage} />}
    >
      {event !== undefined && <EventTabs event={event} />}
      <FilterBar>
        <Views
          label={t('views')}
          choices={ORDER_VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
          value={view}
          onChange={(next) => show({ view: next })}
        />
        <SearchBox label={t('search')} value={search} onChange={(next) => show({ search: next || undefined })} />
      </FilterBar>
      <MoreFilters shown={shown} isOfOne={event !== undefined} onChange={show} />
      <LoadedList
        query={list}
        empty={
          isNarrowed(shown, event !== undefined) ? (
            <NothingFound text={t('none_found')} icon="orders" onClear={() => show(NO_FILTERS)} />
          ) : (
            <Empty text={t('none')} icon="orders" />
          )
        }
      >
        {(data) => (
          <div className="order-list">
            <DataTable
              label={t('orders')}
              columns={columns(events)}
              rows={data.orders}
              isStale={list.isPlaceholderData}
              selected={selection.ids}
              onSelect={selection.select}
              onOpen={({ id }) => void navigate({ to: '/orders/$id', params: { id: String(id) } })}
            />
            <Pager page={page} list={data} onPage={(next) => show({ page: next })} />
            <OrderBulkActions selection={selection} />
          </div>
        )}
      </LoadedList>
    </Page>
  );
}

interface OrderListActionsProps {
  event: number | undefined;
  query: ReturnType<typeof listQuery>;
  readPage: ComponentProps<typeof ExportMenu<ListedOrder>>['readPage'];
}

function OrderListActions({ event, query, readPage }: OrderListActionsProps) {
  const mayExport = useRight(...MANAGES_ATTENDEES);
  const { invoices: hasInvoices } = useSite();
  const csv = new URLSearchParams({ bom: 'true' });
  for (const [name, value] of Object.entries(query)) csv.set(name, String(value));
  return (
    <>
      {mayExport && event === undefined && hasInvoices && (
        <Link to="/invoices" className="button">
          {t('invoices')}
        </Link>
      )}
      {mayExport && (
        <ExportMenu
          name={t('orders')}
          csv={`/calendar/admin/v1/orders/export?${csv}`}
          columns={orderSheet()}
          readPage={readPage}
        />
      )}
      <Link to="/counter" search={{ event }} className="button primary">
        <Icon name="plus" />
        {t('sell')}
      </Link>
    </>
  );
}

/** Columns of the spreadsheet of orders. */
const orderSheet = (): SheetColumn<ListedOrder>[] => [
  { label: t('number'), value: ({ id }) => id },
  { label: t('buyer'), value: ({ purchaser }) => purchaser.name },
  { label: t('email'), value: ({ purchaser }) => purchaser.email },
  { label: t('event'), value: ({ events }) => titlesOf(events) },
  { label: t('places'), value: ({ places }) => places },
  { label: t('sum'), value: ({ total, currency }) => inUnits(total.minor, currency) },
  { label: t('currency'), value: ({ currency }) => currency },
  { label: t('gateway'), value: ({ gateway }) => gateway },
  { label: t('state'), value: ({ status }) => orderStatus(status) },
  { label: t('date'), value: ({ date }) => date },
];

/** Titles of the events of an order. */
const titlesOf = (events: ListedOrder['events']): string =>
  events.map(({ title }) => title || t('event.deleted')).join(', ');
