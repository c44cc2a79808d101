import { Count, type DataColumn } from '../../ui/table/data-table.tsx';

type Direction = 'asc' | 'desc';

type UsageText = (
  key: 'upcoming' | 'upcoming.count' | 'events' | 'events.count' | 'events.none',
  values?: { count: number },
) => string;

/** Columns with the numbers of upcoming events and of all events that use a record. */
export const usageColumns = <R extends { upcoming: number; events: number }>(t: UsageText): DataColumn<R>[] => [
  {
    id: 'upcoming',
    label: t('upcoming'),
    isSortable: true,
    isNumber: true,
    render: ({ upcoming }) =>
      upcoming > 0 && <Count figure={upcoming} text={t('upcoming.count', { count: upcoming })} />,
  },
  {
    id: 'events',
    label: t('events'),
    isSortable: true,
    isNumber: true,
    render: ({ events }) => (
      <span className="soft">
        {events > 0 ? <Count figure={events} text={t('events.count', { count: events })} /> : t('events.none')}
      </span>
    ),
  },
];

interface Sorting<O extends string> {
  sort: O;
  /** Order of the server if undefined: names ascending, numbers descending. */
  order: Direction | undefined;
}

/** Props of a table that sorts by name or by numbers. */
export const sortProps = <O extends string>({ sort, order }: Sorting<O>, onSort: (next: Sorting<O>) => void) => ({
  sort: { column: sort, isDescending: (order ?? (sort === 'name' ? 'asc' : 'desc')) === 'desc' },
  onSort: ({ column, isDescending }: { column: string; isDescending: boolean }) => {
    const direction = isDescending ? 'desc' : 'asc';
    // Sortable columns have these names. A new column starts with the order of the server.
    onSort({ sort: column as O, order: column === sort ? direction : undefined });
  },
});
