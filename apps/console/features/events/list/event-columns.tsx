import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { when } from '../../../i18n/formats.ts';
import { Count, type DataColumn } from '../../../ui/table/data-table.tsx';
import { t } from '../routes.ts';
import { StatusBadge } from '../status-badge.tsx';

/** The columns of the list; languages only on a site with several of them. */
export const eventColumns = (languages: readonly string[]): DataColumn<Event>[] => [
  { id: 'title', label: t('title'), render: (event) => <Title event={event} /> },
  { id: 'when', label: t('when'), render: (event) => when.span(event) },
  {
    id: 'place',
    label: t('place'),
    render: ({ venue }) => <span className="soft clamped">{[venue].flat()[0]?.venue}</span>,
  },
  ...(languages.length < 2
    ? []
    : [{ id: 'languages', label: t('languages'), render: (event: Event) => <Languages {...{ event, languages }} /> }]),
  { id: 'people', label: t('people'), isNumber: true, render: (event) => <People event={event} /> },
  { id: 'status', label: t('status'), render: (event) => <StatusBadge event={event} /> },
];

/** The title beside the poster, or beside an empty frame, so that all titles begin in one line. */
function Title({ event: { title, image } }: { event: Event }) {
  const poster = image ? (image.sizes?.thumbnail?.url ?? image.url) : undefined;
  return (
    <span className="event-title">
      <span className="event-poster">
        {poster && <img src={poster} alt="" width={40} height={40} loading="lazy" />}
      </span>
      <span className="row-title">{title}</span>
    </span>
  );
}

/** In which languages of the site an event has texts. Without translations, it has those of the first one. */
function Languages({ event, languages }: { event: Event; languages: readonly string[] }) {
  const has = event.translations ? Object.keys(event.translations) : languages.slice(0, 1);
  return <span className="soft event-languages">{languages.filter((one) => has.includes(one)).join(' ')}</span>;
}

/** The number alone in a table, with a word on a card. */
function People({ event: { attendance } }: { event: Event }) {
  const count = attendance?.total_attendees ?? 0;
  if (count === 0) return null;
  return <Count figure={count} text={t('people.count', { count })} />;
}
