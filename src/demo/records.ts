import { addDays, addSeconds } from '../lib/dates/dates.ts';
import type { InProcessContext } from '../platform/users/in-process-context.ts';
import { CATEGORIES, CITY_ZONE, ORGANIZERS, TAGS, VENUES } from './city.ts';
import { callByName, create } from './create.ts';
import type { PlannedEvent, PlannedSeries } from './programme.ts';
import type { EventTexts, OrganizerTexts, TermTexts, VenueTexts } from './schemas.ts';
import { mapTranslations, type TextFields, type Translations, translationsOf } from './translations.ts';

type Ids = ReadonlyMap<string, number>;

/** Ids of records referenced by events, by name or key. */
export interface Related {
  images: Ids;
  categories: Ids;
  tags: Ids;
  venues: Ids;
  organizers: Ids;
}

/** Creates categories in the order of the data file, where parents come first. */
export async function fillCategories(ctx: InProcessContext): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const [name, category] of Object.entries(CATEGORIES)) {
    const fields = { parent: category.above ? ids.get(category.above) : 0, color: category.color };
    ids.set(name, await create('categories', { texts: textsOfTerm(name, category), fields }, ctx));
  }
  return ids;
}

/** Tags that an event uses. */
export const tagsOf = (planned: readonly PlannedEvent[]) => new Set(planned.flatMap(({ tags = [] }) => tags));

export async function fillTags(planned: readonly PlannedEvent[], ctx: InProcessContext): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const name of tagsOf(planned)) {
    ids.set(name, await create('tags', { texts: textsOfTerm(name, TAGS[name]), fields: {} }, ctx));
  }
  return ids;
}

const textsOfTerm = (name: string, term: (typeof TAGS)[keyof typeof TAGS]): Translations<TextFields> =>
  mapTranslations(translationsOf<TermTexts>({ name, about: term.about }, term), ({ name, about }) => ({
    name,
    description: about,
  }));

export async function fillVenues(ctx: InProcessContext): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const [key, { language, en, fr, de, accessibility: _notes, doors: _doors, ...fields }] of Object.entries(
    VENUES,
  )) {
    const { venue, description } = fields;
    const texts = translationsOf<Partial<VenueTexts>>({ venue, description }, { language, en, fr, de });
    ids.set(key, await create('venues', { texts, fields }, ctx));
  }
  return ids;
}

export async function fillOrganizers(ctx: InProcessContext): Promise<Ids> {
  const ids = new Map<string, number>();
  for (const [key, { language, en, fr, de, ...fields }] of Object.entries(ORGANIZERS)) {
    const { organizer, description } = fields;
    const texts = translationsOf<Partial<OrganizerTexts>>({ organizer, description }, { language, en, fr, de });
    ids.set(key, await create('organizers', { texts, fields }, ctx));
  }
  return ids;
}

export async function fillEvents(
  planned: readonly PlannedEvent[],
  related: Related,
  ctx: InProcessContext,
): Promise<Map<PlannedEvent, number>> {
  const ids = new Map<PlannedEvent, number>();
  for (const event of planned) {
    const fields = { ...plainFields(event), ...references(event, related) };
    const texts = withAccessibility(event, mapTranslations(translationsOf<EventTexts>(event, event), asSent));
    ids.set(event, await create('events', { texts, fields }, ctx));
  }
  return ids;
}

/** Creates weekly series; returns the number of their events. */
export async function fillWeekly(
  weekly: readonly PlannedSeries[],
  related: Related,
  ctx: InProcessContext,
): Promise<number> {
  const first = await fillEvents(
    weekly.map(({ planned }) => planned),
    related,
    ctx,
  );
  for (const { planned, count } of weekly) {
    const fields = { event_id: first.get(planned), recurrence: { rrule: `FREQ=WEEKLY;COUNT=${count}` } };
    await callByName(['series', 'create'], fields, ctx);
  }
  return weekly.reduce((sum, { count }) => sum + count, 0);
}

/** Adds the notes of the venue on accessibility, in the languages of the event. */
function withAccessibility(
  { venue }: PlannedEvent,
  { en, fr, de }: Translations<TextFields>,
): Translations<TextFields> {
  const notes = venue && VENUES[venue].accessibility;
  if (!notes) return { en, fr, de };
  const withNotes = (texts: TextFields | undefined, accessibility: string) => texts && { ...texts, accessibility };
  return { en: withNotes(en, notes.en), fr: withNotes(fr, notes.fr), de: withNotes(de, notes.de) };
}

const asSent = ({ title, text, excerpt, reason }: EventTexts): TextFields => ({
  title,
  description: text.map((part) => (part.startsWith('<') ? part : `<p>${part}</p>`)).join('\n'),
  excerpt,
  event_status_reason: reason,
});

/** Hour from which a start counts as an evening. */
const EVENING = '18:00';

/** Time at which the doors of the venue open in the evening. */
function doorTime({ venue, start, allDay }: PlannedEvent): string | undefined {
  const minutes = venue && VENUES[venue].doors;
  if (!minutes || allDay || start.slice(11, 16) < EVENING) return undefined;
  return addSeconds(start, -minutes * 60).slice(11, 16);
}

const plainFields = (event: PlannedEvent): Record<string, unknown> => ({
  timezone: event.zone ?? CITY_ZONE,
  start_date: event.start,
  end_date: event.end,
  all_day: event.allDay,
  cost: event.cost,
  website: event.website,
  attendance_mode: event.attendance_mode,
  online_access: event.online_access,
  online_url: event.online_url,
  event_status: event.event_status,
  previous_start_date: event.event_status === 'rescheduled' ? addDays(event.start, -7) : undefined,
  door_time: doorTime(event),
  status: event.status ?? 'publish',
  date: event.published,
  post_password: event.password,
  ...Object.fromEntries((event.flags ?? []).map((flag) => [flag, true])),
});

const references = (event: PlannedEvent, { images, categories, tags, venues, organizers }: Related) => ({
  ...(event.poster && { image: images.get(event.poster) }),
  ...(event.venue && { venue: venues.get(event.venue) }),
  organizer: event.organizers.map((key) => organizers.get(key)),
  categories: event.categories.map((name) => categories.get(name)),
  tags: event.tags?.map((name) => tags.get(name)) ?? [],
});
