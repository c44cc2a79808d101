import type { Answer, Organizer, Venue } from '../../../../packages/client/src/marquee-client.ts';

/** The two kinds of records of this folder, as paths of the interface name them. */
export type Kind = 'venues' | 'organizers';

/** Orders and views of the lists. */
export const ORDERS = ['name', 'upcoming', 'events'] as const;
export type Order = (typeof ORDERS)[number];
export const VIEWS = ['published', 'drafts', 'trash'] as const;
export type View = (typeof VIEWS)[number];

/** Statuses of each view. */
export const STATUSES: Readonly<Record<View, string[]>> = {
  published: ['publish'],
  drafts: ['draft', 'pending', 'future', 'private'],
  trash: ['trash'],
};

/** A row of a list. */
export interface Row {
  id: number;
  name: string;
  /** The city of a venue, the e-mail address of an organizer. */
  detail: string;
  author: string;
  status: string;
  revision: number | undefined;
  /** Number of events that the account may see, and of the upcoming ones. */
  events: number;
  upcoming: number;
}

const isVenue = (record: Venue | Organizer): record is Venue => 'venue' in record;

export const nameOf = (record: Venue | Organizer): string => (isVenue(record) ? record.venue : record.organizer);

/** Detail that distinguishes records of the same name. */
export const detailOf = (record: Venue | Organizer): string =>
  (isVenue(record) ? [record.address, record.city] : [record.email, record.website]).filter(Boolean).join(', ');

const rowOf = (record: Venue | Organizer, counts: { events: number; upcoming: number }): Row => ({
  id: record.id,
  name: nameOf(record),
  author: record.author,
  status: record.status,
  revision: record.revision,
  detail: (isVenue(record) ? record.city : record.email) ?? '',
  events: counts.events,
  upcoming: counts.upcoming,
});

export const rowsOf = (answer: Answer<'GET /admin/v1/venues'> | Answer<'GET /admin/v1/organizers'>): Row[] =>
  'venues' in answer
    ? answer.venues.map((one) => rowOf(one.venue, one))
    : answer.organizers.map((one) => rowOf(one.organizer, one));
