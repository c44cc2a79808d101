import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { perEventText } from '../../../data/event-texts.ts';
import { read } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { t as eventText } from '../routes.ts';
import { t } from './repeat-field.tsx';

/** Fields of an event as the server names them, by the keys of their labels. */
const LABELS: Readonly<Record<string, Parameters<typeof eventText>[0]>> = {
  ...perEventText((name) => `field.${name}` as const),
  title: 'field.title',
  description: 'field.description',
  cost: 'field.cost',
  website: 'field.website',
  door_time: 'field.door_time',
  event_status: 'field.event_status',
  event_status_reason: 'field.event_status_reason',
  venue: 'field.venue',
  attendance_mode: 'field.attendance_mode',
  online_url: 'field.online_url',
  organizer: 'field.organizer',
  online_access: 'field.online_access',
  show_map: 'field.show_map',
  category: 'field.categories',
  tag: 'field.tags',
  author_id: 'field.author',
  status: 'field.status',
  password: 'field.post_password',
  image_id: 'field.image',
  featured: 'field.featured',
  sticky: 'field.sticky',
  hide_from_listings: 'field.hide_from_listings',
  sale_stays_open: 'field.sale_stays_open',
};

/** Label of a field; names of texts may end with `@` and a language. */
const labelOf = (field: string): string => {
  const [name = ''] = field.split('@');
  const key = LABELS[name];
  if (key) return eventText(key);
  return name === 'times' ? t('field.times') : t('field.other');
};

const ChangeDates = lazy(async () => ({ default: (await import('./change-dates.tsx')).ChangeDates }));

/** Milliseconds between two reads of a series whose events are being created or changed. */
const PENDING_INTERVAL = 2000;

interface SeriesCardProps {
  event: Event;
  series: NonNullable<Event['series']>;
}

/** Series of an event: its recurrence in words, the position of the event, the others, and fields of its own. */
export function SeriesCard({ event: { recurrence, start_date }, series }: SeriesCardProps) {
  const { id, position, own_fields = [], recurrence_id } = series;
  const { data } = useQuery({
    ...read('GET /events/v1/series/{id}', { id }),
    refetchInterval: ({ state }) => ((state.data?.pending ?? 0) > 0 ? PENDING_INTERVAL : false),
  });
  const [isChanging, setChanging] = useState(false);
  const total = Math.max(data?.total ?? 0, position);
  const isMoved = !start_date.startsWith(recurrence_id);
  return (
    <section className="form-section" aria-labelledby="series">
      <h2 id="series">{t('series')}</h2>
      {recurrence && <p className="event-recurrence">{recurrence.text}</p>}
      <p className="soft">
        {t('series.position', { position: String(position), total: String(total) })}
        {isMoved && ` ${t('series.moved', { day: when.day(recurrence_id) })}`}
      </p>
      {(data?.pending ?? 0) > 0 && (
        <p className="soft" role="status">
          {t('series.pending', { count: data?.pending ?? 0 })}
        </p>
      )}
      <OwnFields names={own_fields} />
      <Link to="/events" search={{ series: id }}>
        {t('series.others')}
      </Link>
      {/* Only users who may edit the series are told how much is pending. */}
      {data?.pending !== undefined && data.status === 'publish' && (
        <div>
          <Button icon="calendar" onPress={() => setChanging(true)}>
            {t('series.change')}
          </Button>
        </div>
      )}
      {isChanging && (
        <Suspense fallback={null}>
          <ChangeDates id={id} onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </section>
  );
}

function OwnFields({ names }: { names: readonly string[] }) {
  const labels = [...new Set(names.map(labelOf))];
  if (labels.length === 0) return null;
  return (
    <div className="own-fields">
      <p>{t('series.own')}</p>
      <ul>
        {labels.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
    </div>
  );
}
