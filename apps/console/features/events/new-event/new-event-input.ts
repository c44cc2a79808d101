import type { Input } from '../../../../../packages/client/src/marquee-client.ts';
import { addDaysToDay } from '../../../../../src/lib/dates/month.ts';
import type { Repeat } from '../repeat/repeat-rule.ts';

export const ENTRIES = ['free', 'replies', 'tickets'] as const;
export type Entry = (typeof ENTRIES)[number];

/** A chosen venue; without an id it is created with the event. */
interface ChosenVenue {
  id?: number;
  name: string;
}

/** Input of the form of a new event. */
export interface NewEvent {
  title: string;
  /** `2027-03-06`. */
  day: string;
  /** `18:30`. */
  from: string;
  until: string;
  /** Chosen venue or none; undefined before a choice, when a site's only venue is proposed. */
  venue?: readonly ChosenVenue[];
  entry: Entry;
  /** As it was typed. */
  price: string;
  places: string;
  /** Without it, the event does not repeat. */
  repeat?: Repeat;
}

const MINUTES_OF_DAY = 24 * 60;
/** In minutes. */
const USUAL_LENGTH = 120;

const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Default end: two hours after the start. */
export function suggestedEnd(from: string): string {
  const [hours = 0, minutes = 0] = from.split(':').map(Number);
  return clock((hours * 60 + minutes + USUAL_LENGTH) % MINUTES_OF_DAY);
}

type Venue = NonNullable<Input<'POST /events/v1/events'>['venue']>;

/** A chosen venue as a parameter: by its id, or a new one by its name. */
export const venueOf = ([chosen]: readonly ChosenVenue[]): Venue | undefined =>
  chosen && (chosen.id ?? { venue: chosen.name });

/** Parameters of the event. An end before the start is on the next day. */
export function eventOf({ title, day, from, until, entry }: NewEvent, venue: Venue | undefined) {
  return {
    title: title.trim(),
    start_date: `${day} ${from}:00`,
    end_date: `${until > from ? day : addDaysToDay(day)} ${until}:00`,
    ...(venue !== undefined && { venue }),
    ...(entry === 'free' && { cost: '0' }),
  };
}

/** Parameters of the ticket; undefined if the event is free and needs no RSVP. */
export function ticketOf({ entry, price, places }: NewEvent, names: Readonly<Record<Entry, string>>) {
  if (entry === 'free') return undefined;
  return {
    name: names[entry],
    ...(entry === 'replies' ? { provider: 'rsvp' as const } : { provider: 'tc' as const, price }),
    ...(places.trim() !== '' && { ticket: { mode: 'own' as const, capacity: places.trim() } }),
  };
}
