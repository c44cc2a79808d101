import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Event } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { t } from '../../i18n/texts.ts';
import { listedEvents, whereOf } from './listed-events.ts';
import './event-lines.css';

interface EventsRead {
  /** Undefined until they are read. */
  events: ReadonlyMap<number, Event> | undefined;
  error: Error | null;
  retry: () => void;
  /** Whether the events are those of former ids, until the present ones are read. */
  isStale: boolean;
}

/** Reads events by their ids, with times and venues; deleted ones are missing. */
export function useEventsRead(ids: readonly number[]): EventsRead {
  const options = { isOn: ids.length > 0, keepsPrevious: true };
  const { data, error, refetch, isPlaceholderData } = useQuery(
    read('GET /events/v1/events', listedEvents(ids), options),
  );
  const events = useMemo(() => data && new Map(data.events.map((event) => [event.id, event])), [data]);
  return { events, error, retry: () => void refetch(), isStale: isPlaceholderData };
}

/** Events by their ids, for screens that work without them; undefined until they are read. */
export function useEventsOf(ids: readonly number[]): EventsRead['events'] {
  const { events, isStale } = useEventsRead(ids);
  return isStale ? undefined : events;
}

interface EventLinesProps {
  event: Event | undefined;
  title?: string;
  /** Whether the times follow the day. */
  hasTimes?: boolean;
}

/** Title of an event, with its day and venue below. */
export function EventLines({ event, title = '', hasTimes = false }: EventLinesProps) {
  const date = event && (hasTimes ? when.span(event) : when.day(event.start_date));
  return (
    <span className="event-lines">
      <span className="clamped">{event?.title ?? (title || t('event.deleted'))}</span>
      {event && <span className="soft">{[date, whereOf(event)].filter(Boolean).join(' · ')}</span>}
    </span>
  );
}

/** Title of an event with its times and venue, linked to it. */
export function EventHeading({ event }: { event: Event | undefined }) {
  if (!event) return <EventLines event={event} />;
  return (
    <Link to="/events/$id" params={{ id: String(event.id) }} className="event-heading">
      <EventLines event={event} hasTimes />
    </Link>
  );
}
