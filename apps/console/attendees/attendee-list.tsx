import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedAttendee } from '../../../packages/client/src/marquee-client.ts';
import { read } from '../frame/queries.ts';
import { type DataColumn, DataTable, Pager } from '../parts/data-table.tsx';
import { FilterBar, SearchBox, Views } from '../parts/filter-bar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Failure, RowsLoading } from '../parts/states.tsx';
import { when } from '../when.ts';
import { AttendeeActs } from './attendee-acts.tsx';
import { AttendeePanel } from './attendee-panel.tsx';
import './attendees.css';
import { t } from './texts.ts';
import { ASKED, ATTENDEE_VIEWS, type AttendeeView, stateOf } from './views.ts';

const PER_PAGE = 100;

/** What stands in the address. */
interface Filters {
  view?: AttendeeView;
  search?: string;
  ticket?: number;
  sort?: 'name' | 'date' | 'checked_in';
  direction?: 'asc' | 'desc';
  page?: number;
  /** The attendee in the panel. */
  open?: number;
}

type Changes = { [K in keyof Filters]?: Filters[K] | undefined };

const TONES = { in: 'good', expected: '', declined: '', unpaid: 'warn', archived: 'bad' } as const;

const columns = (isOfOne: boolean): DataColumn<ListedAttendee>[] => [
  {
    id: 'name',
    label: t('name'),
    isSortable: true,
    render: ({ full_name, email }) => (
      <span className="attendee-name">
        <span className="row-title">{full_name}</span>
        <span className="soft">{email}</span>
      </span>
    ),
  },
  ...(isOfOne
    ? []
    : [{ id: 'event', label: t('event'), render: ({ event }: ListedAttendee) => event?.title ?? '' } as const]),
  { id: 'ticket', label: t('ticket'), render: ({ ticket }) => <span className="soft">{ticket}</span> },
  { id: 'order', label: t('order'), render: ({ order_id }) => order_id && <span className="soft">#{order_id}</span> },
  {
    id: 'checked_in',
    label: t('state'),
    isSortable: true,
    render: (attendee) => (
      <>
        <span className={`badge ${TONES[stateOf(attendee)]}`}>{t(`state.${stateOf(attendee)}`)}</span>
        {attendee.checkin_utc && <span className="soft attendee-since">{when.ago(attendee.checkin_utc)}</span>}
      </>
    ),
  },
];

const askedOf = ({ view = 'all', search, ticket }: Filters, event: number | undefined) => ({
  ...ASKED[view],
  ...(search && { search }),
  ...(ticket && { ticket }),
  ...(event && { event }),
});

interface ListProps {
  /** Only those of this event. */
  event?: number;
  filters: Filters;
  onFilters: (next: Changes) => void;
}

/** Attendees with their search, their acts and the panel of one of them. */
export function AttendeeList({ event, filters, onFilters }: ListProps) {
  const { view = 'all', search = '', page = 1, sort, direction = 'asc', open } = filters;
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const sorting = sort && { orderby: sort, direction };
  const input = { ...askedOf(filters, event), ...sorting, page, per_page: PER_PAGE, with: ['event' as const] };
  const { data, error, refetch } = useQuery(read('GET /admin/v1/attendees', input, { keepsPrevious: true }));
  const show = (next: Changes) => {
    setSelected(new Set());
    onFilters(next);
  };
  return (
    <>
      <FilterBar>
        <Views
          label={t('views')}
          choices={ATTENDEE_VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
          value={view}
          onChange={(next) => show({ view: next })}
        />
        <SearchBox label={t('search')} value={search} onChange={(next) => show({ search: next })} />
      </FilterBar>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading />}
      {data?.total === 0 && <Empty text={t(search || view !== 'all' ? 'none_found' : 'none')} icon="people" />}
      {data && data.total > 0 && (
        <>
          <DataTable
            label={t('attendees')}
            columns={columns(event !== undefined)}
            rows={data.attendees}
            selected={selected}
            onSelect={setSelected}
            {...(sort && { sort: { column: sort, isDescending: direction === 'desc' } })}
            onSort={({ column, isDescending }) =>
              show({ sort: column as 'name', direction: isDescending ? 'desc' : 'asc' })
            }
            onOpen={({ id }) => onFilters({ open: id, page: filters.page })}
          />
          <Pager page={page} pages={data.total_pages} total={data.total} onPage={(next) => show({ page: next })} />
          <AttendeeActs
            rows={data.attendees.filter(({ id }) => selected.has(id))}
            onDone={() => setSelected(new Set())}
          />
        </>
      )}
      {open && (
        <AttendeePanel key={open} id={open} onClose={() => onFilters({ open: undefined, page: filters.page })} />
      )}
    </>
  );
}

/** The list as a file, with all its pages. */
export function ExportLink({ filters, event }: { filters: Filters; event?: number }) {
  const asked = Object.entries({ ...askedOf(filters, event), bom: true }).map(([key, value]) => [key, String(value)]);
  return (
    <a className="button" href={`/calendar/admin/v1/attendees/export?${new URLSearchParams(asked)}`} download>
      <Icon name="download" />
      {t('export')}
    </a>
  );
}
