import type { Event, Series } from '../../../../../packages/client/src/marquee-client.ts';
import { when } from '../../../i18n/formats.ts';
import { peopleOf } from '../../../shared/events/people.ts';
import { SoldBar } from '../../../shared/screen/sold-bar.tsx';
import { Count, type DataColumn } from '../../../ui/table/data-table.tsx';
import { t } from '../routes.ts';
import { StatusBadge } from '../status-badge.tsx';

interface SoldPlaces {
  sold: number;
  capacity: number;
}

interface Numbers {
  soldOf: (event: Event) => SoldPlaces | undefined;
  /** Series whose next event it is, in a list that has each series once. */
  nextOf: (event: Event) => Series | undefined;
}

/** Columns of the list; languages only on sites with several. */
export const eventColumns = (languages: readonly string[], { soldOf, nextOf }: Numbers): DataColumn<Event>[] => [
  { id: 'title', label: t('title'), render: (event) => <Title event={event} series={nextOf(event)} /> },
  { id: 'when', label: t('when'), render: (event) => when.span(event) },
  {
    id: 'place',
    label: t('place'),
    render: ({ venue }) => <span className="soft clamped event-venue">{[venue].flat()[0]?.venue}</span>,
  },
  ...(languages.length < 2
    ? []
    : [
        {
          id: 'languages',
          label: t('languages'),
          render: (event: Event) => <Languages event={event} languages={languages} />,
        },
      ]),
  { id: 'people', label: t('people'), render: (event) => <People event={event} sold={soldOf(event)} /> },
  { id: 'status', label: t('status'), render: (event) => <StatusBadge event={event} /> },
];

/** Title beside the poster or an empty frame, so that titles are aligned. */
function Title({ event: { title, image }, series }: { event: Event; series: Series | undefined }) {
  const poster = image ? (image.sizes?.thumbnail?.url ?? image.url) : undefined;
  return (
    <span className="event-title">
      <span className="event-poster">
        {poster && <img src={poster} alt="" width={40} height={40} loading="lazy" />}
      </span>
      <span>
        <span className="row-title">{title}</span>
        {series && (
          <small className="soft event-series">
            {t('series.next', { count: series.upcoming })} · {series.recurrence.text}
          </small>
        )}
      </span>
    </span>
  );
}

/** Languages of an event's texts; without translations only the first. */
function Languages({ event, languages }: { event: Event; languages: readonly string[] }) {
  const has = event.translations ? Object.keys(event.translations) : languages.slice(0, 1);
  return <span className="soft event-languages">{languages.filter((one) => has.includes(one)).join(' ')}</span>;
}

/** Sold places of the capacity; without it, a bare number in a table, a number with a word on a card. */
function People({ event, sold }: { event: Event; sold: SoldPlaces | undefined }) {
  if (sold && sold.capacity >= 0) return <SoldBar {...sold} label={t('people')} />;
  const count = peopleOf(event);
  if (count === 0) return null;
  return <Count figure={count} text={t('people.count', { count })} />;
}
