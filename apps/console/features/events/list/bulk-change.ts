import type { Event } from '../../../../../packages/client/src/marquee-client.ts';

/** Fields of many events that can be set at once. */
export const BULK_FIELDS = ['venue', 'organizer', 'tags', 'status', 'cost'] as const;
export type BulkField = (typeof BULK_FIELDS)[number];

/** Record named by its id. */
interface Named {
  id: number;
}

/** Change of one field. Venue and organizer replace the former ones, tags are added. */
export type BulkChange =
  | { field: 'venue'; value: Named | undefined }
  | { field: 'organizer'; value: readonly Named[] }
  | { field: 'tags'; value: readonly Named[] }
  | { field: 'status'; value: string }
  | { field: 'cost'; value: string };

type Body = Record<string, unknown>;

const idsOf = (records: readonly Named[]): number[] => records.map(({ id }) => id);
const venuesOf = ({ venue }: Event): number[] => idsOf([venue].flat());
const areSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);

/** The parameters that set the field of an event; undefined if it already has the value or cannot be set. */
export function bodyOf(change: BulkChange, event: Event): Body | undefined {
  if (change.field === 'venue') return ids('venue', venuesOf(event), idsOf(change.value ? [change.value] : []));
  if (change.field === 'organizer') return ids('organizer', idsOf(event.organizer), idsOf(change.value));
  if (change.field === 'tags') {
    const former = idsOf(event.tags);
    return ids('tags', former, [...new Set([...former, ...idsOf(change.value)])]);
  }
  // Prices of tickets replace the text of the cost.
  if (change.field === 'cost' && event.ticketed) return undefined;
  return event[change.field] === change.value ? undefined : { [change.field]: change.value };
}

const ids = (name: string, former: readonly number[], wanted: readonly number[]): Body | undefined =>
  areSame(former, wanted) ? undefined : { [name]: wanted };

/** The parameters that undo a change. */
export function formerOf({ field }: BulkChange, event: Event): Body {
  if (field === 'venue') return { venue: venuesOf(event) };
  if (field === 'organizer' || field === 'tags') return { [field]: idsOf(event[field]) };
  return { [field]: event[field] };
}
