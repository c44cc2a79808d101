import type { HandlerContext } from '../http/endpoint.ts';
import { create } from './create.ts';
import { ORGANIZERS, type OrganizerSketch, type OrganizerWords } from './organizers.ts';
import type { Planned } from './programme.ts';
import { CITY_ZONE, type EventWords } from './sketch.ts';
import { CATEGORIES, type CategorySketch, TAGS, type TagSketch, type TermWords } from './terms.ts';
import { VENUES, type VenueSketch, type VenueWords } from './venues.ts';
import { reworded, type Spoken, spoken, type Wording } from './words.ts';

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
export async function fillCategories(call: HandlerContext): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const [name, category] of Object.entries<CategorySketch>(CATEGORIES)) {
    const fields = { parent: ids.get(category.above) ?? 0 };
    ids.set(name, await create('categories', { words: wordsOfTerm(name, category), fields }, call));
  }
  return ids;
}

/** Those that some event has. */
export async function fillTags(planned: readonly Planned[], call: HandlerContext): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const name of new Set(planned.flatMap(({ tags = [] }) => tags))) {
    ids.set(name, await create('tags', { words: wordsOfTerm(name, TAGS[name]), fields: {} }, call));
  }
  return ids;
}

const wordsOfTerm = (name: string, sketch: TagSketch): Spoken<Wording> =>
  reworded(spoken<TermWords>({ name, about: sketch.about }, sketch), ({ name, about }) => ({
    name,
    description: about,
  }));

export async function fillVenues(call: HandlerContext): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const [key, sketch] of Object.entries<VenueSketch>(VENUES)) {
    const { language, en, fr, ...fields } = sketch;
    const { venue, description } = fields;
    const words = spoken<Partial<VenueWords>>({ venue, description }, sketch);
    ids.set(key, await create('venues', { words, fields }, call));
  }
  return ids;
}

export async function fillOrganizers(call: HandlerContext): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const [key, sketch] of Object.entries<OrganizerSketch>(ORGANIZERS)) {
    const { language, en, fr, ...fields } = sketch;
    const { organizer, description } = fields;
    const words = spoken<Partial<OrganizerWords>>({ organizer, description }, sketch);
    ids.set(key, await create('organizers', { words, fields }, call));
  }
  return ids;
}

export async function fillEvents(
  planned: readonly Planned[],
  related: Related,
  call: HandlerContext,
): Promise<Map<Planned, number>> {
  const ids = new Map<Planned, number>();
  for (const event of planned) {
    const fields = { ...plainFields(event), ...references(event, related) };
    const words = reworded(spoken<EventWords>(event, event), asSent);
    ids.set(event, await create('events', { words, fields }, call));
  }
  return ids;
}

const asSent = ({ title, text, excerpt }: EventWords): Wording => ({
  title,
  description: text.map((part) => (part.startsWith('<') ? part : `<p>${part}</p>`)).join('\n'),
  excerpt,
});

const plainFields = (event: Planned): Record<string, unknown> => ({
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
