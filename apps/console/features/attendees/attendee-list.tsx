import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Event, ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../../src/lib/order-number.ts';
import { useRight } from '../../data/account.ts';
import { read, readNow } from '../../data/queries.ts';
import { EXPORTS_ATTENDEES } from '../../data/rights.ts';
import { when } from '../../i18n/formats.ts';
import { EventLines, useEventsOf } from '../../shared/events/event-lines.tsx';
import { ExportMenu, type SheetColumn } from '../../shared/export/export-menu.tsx';
import { EventPicker } from '../../shared/pickers/record-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/fields.tsx';
import { Empty, LoadedList, NothingFound } from '../../ui/states.tsx';
import { type DataColumn, DataTable, Pager } from '../../ui/table/data-table.tsx';
import { FilterBar, SearchBox, Views } from '../../ui/table/filter-bar.tsx';
import { useSelection } from '../../ui/table/selection.ts';
import { AttendeeActions } from './attendee-actions.tsx';
import { AttendeePanel } from './attendee-panel.tsx';
import { t } from './routes.ts';
import { ATTENDEE_VIEWS, type AttendeeView, stateOf, VIEW_QUERIES } from './views.ts';
import './attendees.css';

const PER_PAGE = 100;
const NO_ROWS: readonly ListedAttendee[] = [];

/** Filters in the address. */
interface Filters {
  view?: AttendeeView;
  search?: string;
  ticket?: number;
  /** Event to which the list of all events is limited. */
  event?: number;
  /** Whether the list of all events includes past ones; a search always does. */
  past?: 'true';
  sort?: 'name' | 'date' | 'checked_in';
  direction?: 'asc' | 'desc';
  page?: number;
  /** Id of the attendee in the panel. */
  open?: number;
}

type Changes = { [K in keyof Filters]?: Filters[K] | undefined };

const TONES = { in: 'good', expected: '', declined: '', unpaid: 'warn', archived: 'bad' } as const;

const columns = (isOfOne: boolean, events: ReadonlyMap<number, Event> | undefined): DataColumn<ListedAttendee>[] => [
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
    : [
        {
          id: 'event',
          label: t('event'),
          render: ({ event_id, event }: ListedAttendee) => (
            <EventLines event={events?.get(event_id)} {...(event && { title: event.title })} />
          ),
        } as const,
      ]),
  {
    id: 'ticket',
    label: t('ticket'),
    render: ({ ticket, pass }) => (
      <>
        <span className="soft clamped">{ticket}</span>
        {pass && <span className="badge">{t('pass')}</span>}
      </>
    ),
  },
  {
    id: 'order',
    label: t('order'),
    render: ({ order_id }) => order_id && <span className="soft">{orderNumber(order_id)}</span>,
  },
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

const queryOf = ({ view = 'all', search, ticket, past, event: chosen }: Filters, shown: number | undefined) => ({
  ...VIEW_QUERIES[view],
  ...(!(shown ?? chosen ?? search ?? past) && { upcoming: true }),
  ...(search && { search }),
  ...(ticket && { ticket }),
  ...((shown ?? chosen) && { event: shown ?? chosen }),
});

/** Reads one page of the list, and others with the same filters. */
function useAttendees(filters: Filters, event: number | undefined) {
  const { page = 1, sort, direction = 'asc' } = filters;
  const query = queryOf(filters, event);
  // The event of tonight is first.
  const usual = 'upcoming' in query && { orderby: 'event' as const };
  const sorting = sort ? { orderby: sort, direction } : usual;
  const input = { ...query, ...sorting, per_page: PER_PAGE, with: ['event' as const] };
  const shown = read('GET /admin/v1/attendees', { ...input, page }, { keepsPrevious: true });
  const readPage = async (number: number) => {
    const answer = await readNow('GET /admin/v1/attendees', { ...input, page: number });
    return { rows: answer.attendees, pages: answer.total_pages, total: answer.total };
  };
  return { list: useQuery(shown), readPage };
}

interface ListProps {
  /** Limits the list to one event. */
  event?: number;
  filters: Filters;
  onFilters: (next: Changes) => void;
}

/** List of attendees with search, actions and the panel of one attendee. */
export function AttendeeList({ event, filters, onFilters }: ListProps) {
  const { view = 'all', search = '', page = 1, sort, direction = 'asc', open } = filters;
  const { list, readPage } = useAttendees(filters, event);
  const rows = list.data?.attendees ?? NO_ROWS;
  const isOfOne = event !== undefined;
  const events = useEventsOf(isOfOne ? [] : rows.map(({ event_id }) => event_id));
  const shown = useMemo(() => columns(isOfOne, events), [isOfOne, events]);
  const selection = useSelection({ rows, total: list.data?.total ?? 0, readPage });
  const show = (next: Changes) => {
    selection.clear();
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
        <SearchBox label={t('search')} value={search} onChange={(next) => show({ search: next || undefined })} />
      </FilterBar>
      {!isOfOne && <EventFilter filters={filters} onChange={show} />}
      <LoadedList query={list} empty={<NoAttendees filters={filters} isOfOne={isOfOne} onChange={show} />}>
        {(data) => (
          <>
            <DataTable
              label={t('attendees')}
              columns={shown}
              rows={data.attendees}
              isStale={list.isPlaceholderData}
              selected={selection.ids}
              onSelect={selection.select}
              {...(sort && { sort: { column: sort, isDescending: direction === 'desc' } })}
              onSort={({ column, isDescending }) =>
                show({ sort: column as 'name', direction: isDescending ? 'desc' : 'asc' })
              }
              onOpen={({ id }) => onFilters({ open: id, page: filters.page })}
            />
            <Pager page={page} list={data} onPage={(next) => show({ page: next })} />
            <AttendeeActions selection={selection} event={event} />
          </>
        )}
      </LoadedList>
      {open && (
        <AttendeePanel key={open} id={open} onClose={() => onFilters({ open: undefined, page: filters.page })} />
      )}
    </>
  );
}

/** Empty list: nothing matches the filters, no upcoming event has attendees, or there are none at all. */
function NoAttendees({ filters, isOfOne, onChange }: { filters: Filters; isOfOne: boolean } & FilterChange) {
  const { view = 'all', search, ticket, event, past } = filters;
  if (search || ticket || view !== 'all' || (event && !isOfOne))
    return (
      <NothingFound
        text={t('none_found')}
        icon="people"
        onClear={() => onChange({ view: undefined, search: undefined, ticket: undefined, event: undefined })}
      />
    );
  if (isOfOne || past) return <Empty text={t('none')} icon="people" />;
  return (
    <Empty text={t('none.upcoming')} icon="people">
      <Button onPress={() => onChange({ past: 'true' })}>{t('past')}</Button>
    </Empty>
  );
}

/** Limits the list of all events to one of them, or to upcoming ones. */
function EventFilter({ filters: { event, past, search }, onChange }: Pick<ListProps, 'filters'> & FilterChange) {
  return (
    <div className="attendee-filter">
      <EventPicker label={t('event')} value={event} onChange={(next) => onChange({ event: next })} />
      {!event && !search && (
        <Switch isSelected={past === 'true'} onChange={(isOn) => onChange({ past: isOn ? 'true' : undefined })}>
          {t('past')}
        </Switch>
      )}
    </div>
  );
}

interface FilterChange {
  onChange: (next: Changes) => void;
}

interface AttendeeExportProps {
  filters: Filters;
  event?: number;
}

/** Exports all pages of the list. */
export function AttendeeExport({ filters, event }: AttendeeExportProps) {
  const { readPage } = useAttendees(filters, event);
  const mayExport = useRight(...EXPORTS_ATTENDEES);
  if (!mayExport) return null;
  const input = Object.entries({ ...queryOf(filters, event), bom: true }).map(([key, value]) => [key, String(value)]);
  return (
    <ExportMenu
      name={t('attendees')}
      csv={`/calendar/admin/v1/attendees/export?${new URLSearchParams(input)}`}
      columns={attendeeSheet()}
      readPage={readPage}
    />
  );
}

/** Columns of the spreadsheet of attendees. */
const attendeeSheet = (): SheetColumn<ListedAttendee>[] => [
  { label: 'ID', value: ({ id }) => id },
  { label: t('name'), value: ({ full_name }) => full_name },
  { label: t('field.email'), value: ({ email }) => email },
  { label: t('event'), value: ({ event }) => event?.title ?? '' },
  { label: t('event.when'), value: ({ event }) => event?.start_date ?? '' },
  { label: t('ticket'), value: ({ ticket }) => ticket },
  { label: t('order'), value: ({ order_id }) => order_id ?? '' },
  { label: t('paid'), value: ({ paid }) => paid.formatted },
  { label: t('state'), value: (attendee) => t(`state.${stateOf(attendee)}`) },
  { label: t('door.in_utc'), value: ({ checkin_utc }) => checkin_utc ?? '' },
  { label: t('registered'), value: ({ date }) => date },
];
