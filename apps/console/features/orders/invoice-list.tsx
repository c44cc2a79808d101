import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ListedInvoice } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Page } from '../../shared/screen/page.tsx';
import { DayField } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, LoadedList, NothingFound } from '../../ui/states.tsx';
import { type DataColumn, DataTable, Pager } from '../../ui/table/data-table.tsx';
import { FilterBar, Views } from '../../ui/table/filter-bar.tsx';
import { invoiceName, invoiceSum } from './invoices.tsx';
import { INVOICE_VIEWS, t } from './routes.ts';

const route = getRouteApi('/invoices');

const PER_PAGE = 25;

const columns = (): DataColumn<ListedInvoice>[] => [
  { id: 'number', label: t('number'), render: (invoice) => <span className="row-title">{invoiceName(invoice)}</span> },
  {
    id: 'buyer',
    label: t('buyer'),
    render: ({ customer }) => <span className="clamped">{customer.company || customer.name}</span>,
  },
  { id: 'order', label: t('order'), render: ({ order }) => order.number },
  { id: 'date', label: t('date'), render: ({ date }) => when.day(date) },
  { id: 'sum', label: t('sum'), isNumber: true, render: invoiceSum },
];

/** Invoices and credit notes of a period, with the file for the bookkeeper. */
export function Screen() {
  const { view = 'all', after = '', before = '', page = 1 } = route.useSearch();
  const navigate = useNavigate();
  const filter = route.useNavigate();
  const show = (next: { view?: typeof view; after?: string; before?: string; page?: number }) =>
    void filter({ search: (now) => ({ ...now, page: undefined, ...next }) });
  const filters = { ...(view !== 'all' && { kind: view }), ...(after && { after }), ...(before && { before }) };
  const input = { ...filters, page, per_page: PER_PAGE };
  const list = useQuery(read('GET /admin/v1/invoices', input, { keepsPrevious: true }));
  return (
    <Page title={t('invoices')} note={<Link to="/orders">{t('all')}</Link>} actions={<ExportLink filters={filters} />}>
      <FilterBar>
        <Views
          label={t('invoices.views')}
          choices={INVOICE_VIEWS.map((value) => ({ value, label: t(`invoices.${value}`) }))}
          value={view}
          onChange={(next) => show({ view: next })}
        />
      </FilterBar>
      <div className="form-row invoice-period">
        <DayField label={t('after')} value={after} onChange={(next) => show({ after: next })} />
        <DayField label={t('before')} value={before} onChange={(next) => show({ before: next })} />
      </div>
      <LoadedList
        query={list}
        empty={
          Object.keys(filters).length > 0 ? (
            <NothingFound
              text={t('invoices.none_found')}
              icon="orders"
              onClear={() => show({ view: 'all', after: '', before: '' })}
            />
          ) : (
            <Empty text={t('invoices.none')} icon="orders" />
          )
        }
      >
        {(data) => (
          <div className="invoice-list">
            <DataTable
              label={t('invoices')}
              columns={columns()}
              rows={data.invoices}
              isStale={list.isPlaceholderData}
              onOpen={({ order }) => void navigate({ to: '/orders/$id', params: { id: String(order.id) } })}
            />
            <Pager page={page} list={data} onPage={(next) => show({ page: next })} />
          </div>
        )}
      </LoadedList>
    </Page>
  );
}

/** The file for the bookkeeper, with the same filters. */
const ExportLink = ({ filters }: { filters: Readonly<Record<string, string>> }) => (
  <a
    className="button"
    href={`/calendar/admin/v1/invoices/export?${new URLSearchParams({ bom: 'true', ...filters })}`}
    download
  >
    <Icon name="download" />
    {t('invoices.csv')}
  </a>
);
