import type { Input } from '../../../../../packages/client/src/marquee-client.ts';

export const ENTRIES = ['free', 'replies', 'tickets'] as const;
export type Entry = (typeof ENTRIES)[number];

/** A new event as it is typed. */
export interface NewEvent {
  title: string;
  /** `2027-03-06`. */
  day: string;
  /** `18:30`. */
  from: string;
  until: string;
  venue: string;
  entry: Entry;
  price: string;
  places: string;
}

const MINUTES_OF_DAY = 24 * 60;
/** Minutes. */
const USUAL_LENGTH = 120;

const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** When an event ends that nobody has said the end of: two hours after its start. */
export function suggestedEnd(from: string): string {
  const [hours = 0, minutes = 0] = from.split(':').map(Number);
  return clock((hours * 60 + minutes + USUAL_LENGTH) % MINUTES_OF_DAY);
}

/** The day after a day. */
export function dayAfter(day: string, days = 1): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

type Venue = NonNullable<Input<'POST /events/v1/events'>['venue']>;

/** The event as it is sent. One that ends before it starts ends on the next day. */
export function eventOf({ title, day, from, until, entry }: NewEvent, venue: Venue | undefined) {
  return {
    title: title.trim(),
    start_date: `${day} ${from}:00`,
    end_date: `${until > from ? day : dayAfter(day)} ${until}:00`,
    ...(venue !== undefined && { venue }),
    ...(entry === 'free' && { cost: '0' }),
  };
}

/** The ticket of a new event as it is sent; none if the event is free and nobody has to reply. */
export function ticketOf({ entry, price, places }: NewEvent, names: Readonly<Record<Entry, string>>) {
  if (entry === 'free') return undefined;
  return {
    name: names[entry],
    ...(entry === 'replies'
      ? { provider: 'rsvp' as const }
      : { provider: 'tc' as const, price: price.trim().replace(',', '.') }),
    ...(places.trim() !== '' && { ticket: { mode: 'own' as const, capacity: places.trim() } }),
  };
}
