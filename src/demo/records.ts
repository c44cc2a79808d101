import type { Call } from '../http/endpoint.ts';
import { categoryEndpoints } from '../resources/categories/categories.ts';
import { eventEndpoints } from '../resources/events/events.ts';
import { organizerEndpoints } from '../resources/organizers/organizers.ts';
import { tagEndpoints } from '../resources/tags/tags.ts';
import { venueEndpoints } from '../resources/venues/venues.ts';
import { create } from './create.ts';
import { ORGANIZERS } from './organizers.ts';
import type { Planned } from './programme.ts';
import { CITY_ZONE } from './sketch.ts';
import { CATEGORIES, TAGS, type TagSketch } from './terms.ts';
import { VENUES } from './venues.ts';

type Ids = ReadonlyMap<string, number>;

/** What events name, by its name or key. */
export interface Related {
  images: Ids;
  categories: Ids;
  tags: Ids;
  venues: Ids;
  organizers: Ids;
}

/** In the order of the table, where parents come first. */
export async function fillCategories(call: Call): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const [name, { above, about }] of Object.entries(CATEGORIES)) {
    ids.set(name, await create(categoryEndpoints, { name, description: about, parent: ids.get(above) ?? 0 }, call));
  }
  return ids;
}

/** Those that some event has. */
export async function fillTags(planned: readonly Planned[], call: Call): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const name of new Set(planned.flatMap(({ tags = [] }) => tags))) {
    const { about }: TagSketch = TAGS[name];
    ids.set(name, await create(tagEndpoints, { name, description: about }, call));
  }
  return ids;
}

export async function fillVenues(call: Call): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const [key, venue] of Object.entries(VENUES)) ids.set(key, await create(venueEndpoints, venue, call));
  return ids;
}

export async function fillOrganizers(call: Call): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const [key, organizer] of Object.entries(ORGANIZERS))
    ids.set(key, await create(organizerEndpoints, organizer, call));
  return ids;
}

export async function fillEvents(
  planned: readonly Planned[],
  related: Related,
  call: Call,
): Promise<Map<Planned, number>> {
  const ids = new Map<Planned, number>();
  for (const event of planned) {
    const fields = { ...plainFields(event), ...references(event, related) };
    ids.set(event, await create(eventEndpoints, fields, call));
  }
  return ids;
}

const plainFields = (event: Planned): Record<string, unknown> => ({
  title: event.title,
  description: event.text.map((part) => (part.startsWith('<') ? part : `<p>${part}</p>`)).join('\n'),
  excerpt: event.excerpt,
  timezone: event.zone ?? CITY_ZONE,
  start_date: event.start,
  end_date: event.end,
  all_day: event.allDay,
  cost: event.cost,
  website: event.website,
  status: event.status ?? 'publish',
  date: event.published,
  post_password: event.password,
  ...Object.fromEntries((event.flags ?? []).map((flag) => [flag, true])),
});

const references = (event: Planned, { images, categories, tags, venues, organizers }: Related) => ({
  ...(event.poster && { image: images.get(event.poster) }),
  ...(event.venue && { venue: venues.get(event.venue) }),
  organizer: event.organizers.map((key) => organizers.get(key)),
  categories: event.categories.map((name) => categories.get(name)),
  tags: event.tags?.map((name) => tags.get(name)) ?? [],
});
