import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Input, ListedOrder } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { useSite } from '../frame/account.ts';
import { read, refresh } from '../frame/queries.ts';
import { useShortcut } from '../frame/shortcuts.ts';
import { toast } from '../frame/toast-store.ts';
import { BulkBar, BulkReport, useBulk } from '../parts/bulk-bar.tsx';
import { Button } from '../parts/button.tsx';
import { type DataColumn, DataTable, Pager } from '../parts/data-table.tsx';
import { DayField } from '../parts/day-field.tsx';
import { EventPicker } from '../parts/event-picker.tsx';
import { FilterBar, SearchBox, Views } from '../parts/filter-bar.tsx';
import { Icon } from '../parts/icon.tsx';
import { SelectField } from '../parts/native-field.tsx';
import { OrderStatus, paymentName } from '../parts/order-status.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Failure, RowsLoading } from '../parts/states.tsx';
import { when } from '../when.ts';
import './orders.css';
import { t } from './texts.ts';
import { ORDER_VIEWS, type OrderView } from './views.ts';

const route = getRouteApi('/orders');

const PER_PAGE = 25;
const STATUSES: Readonly<Record<OrderView, readonly string[]>> = {
  all: [],
  open: ['pending', 'action-req', 'approved'],
  paid: ['completed'],
  returned: ['refunded', 'reversed'],
  lapsed: ['not-completed', 'denied', 'voided'],
};

const columns = (): DataColumn<ListedOrder>[] => [
  { id: 'number', label: t('number'), render: ({ id }) => <span className="row-title">#{id}</span> },
  { id: 'buyer', label: t('buyer'), render: ({ purchaser }) => purchaser.name },
  { id: 'event', label: t('event'), render: ({ events }) => <span className="soft">{titlesOf(events)}</span> },
  { id: 'places', label: t('places'), isNumber: true, render: ({ places }) => <Places count={places} /> },
  { id: 'sum', label: t('sum'), isNumber: true, render: ({ total }) => total.formatted },
  { id: 'state', label: t('state'), render: ({ status }) => <OrderStatus status={status} /> },
  { id: 'age', label: t('age'), render: ({ date_utc }) => <span className="soft">{when.ago(date_utc)}</span> },
];

/** The number alone in a table, with a word on a card. */
function Places({ count }: { count: number }) {
  return (
    <>
      <span className="only-table">{count}</span>
      <span className="only-card">{t('places.count', { count })}</span>
    </>
  );
}

const titlesOf = (events: ListedOrder['events']): string =>
  events.map(({ title }) => title || t('event.deleted')).join(', ');

/** What the address says. */
interface Filters {
  view?: OrderView;
  search?: string | undefined;
  event?: number | undefined;
  gateway?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  page?: number;
}

/** What the filters ask of the list and of its export. */
function askedBy({ view = 'all', search, event, gateway, after, before }: Filters): Input<'GET /admin/v1/orders'> {
  // The statuses of the table above.
  const status = STATUSES[view] as string[];
  return {
    ...(status.length > 0 && { status }),
    ...(search && { search }),
    ...(event && { event }),
    ...(gateway && { gateway: [gateway] }),
    ...(after && { after: `${after} 00:00:00` }),
    ...(before && { before: `${before} 23:59:59` }),
  };
}

/** The orders of all events. */
export function Screen() {
  const shown = route.useSearch();
  const { view = 'all', search = '', page = 1 } = shown;
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const asked = askedBy(shown);
  const { data, error, refetch } = useQuery(
    read('GET /admin/v1/orders', { ...asked, page, per_page: PER_PAGE }, { keepsPrevious: true }),
  );
  const show = (next: Partial<Filters>) => {
    setSelected(new Set());
    void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) });
  };
  useShortcut('c', t('sell'), () => void navigate({ to: '/counter' }));
  return (
    <Page title={t('orders')} actions={<Actions asked={asked} />}>
      <FilterBar>
        <Views
          label={t('views')}
          choices={ORDER_VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
          value={view}
          onChange={(next) => show({ view: next })}
        />
        <SearchBox label={t('search')} value={search} onChange={(next) => show({ search: next || undefined })} />
      </FilterBar>
      <MoreFilters shown={shown} onChange={show} />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading />}
      {data?.total === 0 && <Empty text={t(Object.keys(asked).length > 0 ? 'none_found' : 'none')} icon="orders" />}
      {data && data.total > 0 && (
        <div className="order-list">
          <DataTable
            label={t('orders')}
            columns={columns()}
            rows={data.orders}
            selected={selected}
            onSelect={setSelected}
            onOpen={({ id }) => void navigate({ to: '/orders/$id', params: { id: String(id) } })}
          />
          <Pager page={page} pages={data.total_pages} total={data.total} onPage={(next) => show({ page: next })} />
          <Acts rows={data.orders.filter(({ id }) => selected.has(id))} onDone={() => setSelected(new Set())} />
        </div>
      )}
    </Page>
  );
}

function Actions({ asked }: { asked: object }) {
  const query = new URLSearchParams({ bom: 'true' });
  for (const [name, value] of Object.entries(asked)) query.set(name, String(value));
  return (
    <>
      <a className="button" href={`/calendar/admin/v1/orders/export?${query}`} download>
        <Icon name="download" />
        {t('export')}
      </a>
      <Link to="/counter" className="button primary">
        <Icon name="plus" />
        {t('sell')}
      </Link>
    </>
  );
}

const PAYMENTS = ['cash', 'card', 'transfer', 'manual', 'free'] as const;

function MoreFilters({ shown, onChange }: { shown: Filters; onChange: (next: Partial<Filters>) => void }) {
  const { event, gateway = '', after = '', before = '' } = shown;
  const { payment_ways: ways } = useSite();
  const ids = [...new Set([...PAYMENTS, ...ways.map(({ id }) => id)])];
  const choices = [
    { value: '', label: t('gateway.any') },
    ...ids.map((value) => ({ value, label: paymentName(value, ways) })),
  ];
  return (
    <details className="more-filters" open={Boolean(event || gateway || after || before)}>
      <summary>{t('filters.more')}</summary>
      <div className="form-row">
        <EventPicker label={t('event')} value={event} onChange={(next) => onChange({ event: next })} />
        <SelectField
          label={t('gateway')}
          value={gateway}
          choices={choices}
          onChange={(next) => onChange({ gateway: next || undefined })}
        />
        <DayField label={t('after')} value={after} onChange={(next) => onChange({ after: next || undefined })} />
        <DayField label={t('before')} value={before} onChange={(next) => onChange({ before: next || undefined })} />
      </div>
    </details>
  );
}

const setStatus = (id: number, status: string) =>
  // Taken from a record, or named here.
  call('PATCH /admin/v1/orders/{id}', { id, status: status as 'completed' });

/** What can be done with the selected orders. */
function Acts({ rows, onDone }: { rows: readonly ListedOrder[]; onDone: () => void }) {
  const complete = useBulk(({ id }: ListedOrder) => setStatus(id, 'completed'));
  const open = rows.filter(({ status }) => STATUSES.open.includes(status));
  const run = async () => {
    const { done, failed } = await complete.start(t('complete', { count: open.length }), open);
    const changed = open.slice(0, done + failed.length).filter((row) => !failed.some((one) => one.row === row));
    const undo = async () => {
      for (const { id, status } of changed) await setStatus(id, status);
      await refresh('/admin/v1/orders');
    };
    await refresh('/admin/v1/orders');
    onDone();
    if (done > 0) toast(t('completed', { count: done }), { undo });
  };
  return (
    <>
      <BulkBar count={rows.length} onClear={onDone}>
        {open.length > 0 ? (
          <Button icon="check" onPress={() => void run()}>
            {t('complete', { count: open.length })}
          </Button>
        ) : (
          <span className="soft">{t('complete.none')}</span>
        )}
      </BulkBar>
      <BulkReport bulk={complete} nameOf={({ id, purchaser }) => `#${id} ${purchaser.name}`} />
    </>
  );
}
