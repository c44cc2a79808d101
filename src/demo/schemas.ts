import { z } from 'zod';
import { ATTENDANCE_MODES, ONLINE_ACCESS } from '../calendar/events/attendance.ts';
import { EVENT_STATUSES } from '../calendar/events/event-status.ts';
import { COLOR_NAMES } from '../lib/theme.ts';
import categories from './data/categories.json' with { type: 'json' };
import organizers from './data/organizers.json' with { type: 'json' };
import posters from './data/posters.json' with { type: 'json' };
import tags from './data/tags.json' with { type: 'json' };
import tickets from './data/tickets.json' with { type: 'json' };
import venues from './data/venues.json' with { type: 'json' };
import { MOTIFS } from './motifs.ts';

/** Schemas of the files in `data/`, and the types of their content. */

const keysOf = <Table extends object>(table: Table) =>
  // A JSON module has exactly these keys.
  z.enum(Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]]);

const text = z.string().min(1);
const link = z.url({ protocol: /^https$/, hostname: /\.example$/ });
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const month = z.int().min(1).max(12);

/** Translation of the texts of a record, which are English unless `language` says otherwise. */
const translated = <Texts extends z.ZodType>(texts: Texts) => ({
  language: z.literal('fr').optional(),
  en: texts.optional(),
  fr: texts.optional(),
  de: texts.optional(),
});

const termTexts = { name: text, about: text.optional() };
const venueTexts = { venue: text, description: text.optional() };
const organizerTexts = { organizer: text, description: text.optional() };
/** `text` is HTML paragraphs. */
const eventTexts = {
  title: text,
  text: z.array(text),
  excerpt: text.optional(),
  /** Reason of a status. */
  reason: text.optional(),
};
/** `{theme}` in the title is replaced by the name of the theme. Translations list the same themes in the same order. */
const seriesTexts = { title: text, intro: text, themes: z.array(z.tuple([text, text])).min(1) };
const ticketTexts = { name: text, description: text.optional() };

/** Keyed by name. Tags that are the same in both languages have no translation. */
const tagSchema = z.strictObject({ about: text.optional(), ...translated(z.strictObject(termTexts)) });

/** Keyed by name; `above` is the name of the parent, which comes first. */
const categorySchema = z.strictObject({
  above: keysOf(categories).optional(),
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  about: text.optional(),
  ...translated(z.strictObject(termTexts)),
});

/** Fictional venues on streets of a real city, with telephone numbers reserved for fiction. */
const venueSchema = z.strictObject({
  ...venueTexts,
  // A translation without a name uses the same name.
  ...translated(z.strictObject(venueTexts).partial()),
  address: text,
  city: text,
  zip: text.optional(),
  province: text.optional(),
  country: text,
  phone: text.optional(),
  website: link.optional(),
  accessibility: z.strictObject({ en: text, fr: text, de: text }).optional(),
  /** Minutes between doors and an evening event. */
  doors: z.int().positive().optional(),
  geo_lat: z.number().min(-90).max(90),
  geo_lng: z.number().min(-180).max(180),
});

/** Fictional organizations, with addresses on reserved domains. */
const organizerSchema = z.strictObject({
  ...organizerTexts,
  ...translated(z.strictObject(organizerTexts).partial()),
  phone: text.optional(),
  email: z.email().endsWith('.example').optional(),
  website: link.optional(),
});

const colour = z.string().regex(/^#[0-9a-f]{6}$/);

const posterSchema = z.strictObject({
  /** One or two lines of capital letters. */
  lines: z.array(text).min(1).max(2),
  /** Colours: top and bottom of the background, shapes, lettering. */
  colours: z.tuple([colour, colour, colour, colour]),
  scene: z.enum(['waves', 'sun', 'rays', 'peaks', 'discs', 'bars', 'moon', 'arches']),
  motif: keysOf(MOTIFS),
});

/** An event without texts and times. */
const eventFields = {
  venue: keysOf(venues).optional(),
  organizers: z.array(keysOf(organizers)),
  categories: z.array(keysOf(categories)),
  tags: z.array(keysOf(tags)).optional(),
  /** As sent by a client; absent for events without cost information. */
  cost: z.union([z.string(), z.number(), z.array(z.string())]).optional(),
  poster: keysOf(posters).optional(),
  website: link.optional(),
  attendance_mode: z.enum(ATTENDANCE_MODES).optional(),
  online_access: z.enum(ONLINE_ACCESS).optional(),
  online_url: link.optional(),
  event_status: z.enum(EVENT_STATUSES).optional(),
  zone: text.optional(),
  flags: z.array(z.enum(['featured', 'sticky', 'hide_from_listings', 'show_map', 'show_map_link'])).optional(),
  status: z.enum(['draft', 'pending', 'private', 'future']).optional(),
  password: text.optional(),
};

/** A single event. */
const singleEventSchema = z.strictObject({
  ...eventTexts,
  ...translated(z.strictObject(eventTexts)),
  ...eventFields,
  /** Local time `HH:MM`; absent for all-day events. */
  at: clockTime.optional(),
  /** Minutes with `at`, days without. */
  lasts: z.int().positive(),
  /** Preferred month; any if absent. */
  month: month.optional(),
  /** Alternatively, days from today, for events that must be current. */
  day: z.int().optional(),
});

/** A series of separate events, each with its own theme. */
const seriesSchema = z.strictObject({
  ...seriesTexts,
  ...translated(z.strictObject(seriesTexts)),
  base: z.strictObject(eventFields),
  at: clockTime,
  /** Minutes. */
  lasts: z.int().positive(),
  /** 0 Sunday to 6 Saturday. */
  weekday: z.int().min(0).max(6),
  /** Interval in weeks. */
  every: z.int().positive(),
  /** First week from now, or first month, and number of events; throughout the programme if absent. */
  from: z.int().optional(),
  month: month.optional(),
  count: z.int().positive().optional(),
});

/** A weekly event, which becomes a series. */
const weeklySchema = z.strictObject({
  ...eventTexts,
  ...translated(z.strictObject(eventTexts)),
  ...eventFields,
  at: clockTime,
  /** Minutes. */
  lasts: z.int().positive(),
  /** 0 Sunday to 6 Saturday. */
  weekday: z.int().min(0).max(6),
  /** Number of events, from the next one on. */
  count: z.int().min(2).max(50),
});

const someNames = z.tuple([text]).rest(text);

/**
 * Names of one origin. A name in another script has its Latin spelling after a vertical bar, for the e-mail address.
 */
const originSchema = z.strictObject({
  given: someNames,
  family: someNames,
  isFamilyFirst: z.boolean().optional(),
  /** Relative frequency; 1 if absent. */
  weight: z.int().positive().optional(),
});

const siteTexts = z.strictObject({
  name: text,
  tagline: text,
  about: text,
  terms: text,
  privacy: text,
  refunds: text,
});

/** Settings of the site; texts by language, as HTML unless they are plain text. */
const siteSchema = z.strictObject({
  texts: z.strictObject({ en: siteTexts, fr: siteTexts, de: siteTexts }),
  colors: z.partialRecord(z.enum(COLOR_NAMES), colour),
  contact: z.strictObject({ email: z.email().endsWith('.example'), phone: text, address: text }),
  /** Payment by transfer: instructions for the customer, and how long the seats are kept. */
  transfer: z.strictObject({ hold_hours: z.int().positive(), en: text, fr: text, de: text }),
});

const singleEvents = z.array(singleEventSchema).min(1);

/** Keyed by the name of the file in `data/`, without its extension. */
export const DATA_SCHEMAS = {
  categories: z.record(keysOf(categories), categorySchema),
  tags: z.record(keysOf(tags), tagSchema),
  venues: z.record(keysOf(venues), venueSchema),
  organizers: z.record(keysOf(organizers), organizerSchema),
  posters: z.record(keysOf(posters), posterSchema),
  festivals: singleEvents,
  performances: singleEvents,
  'city-events': singleEvents,
  'regional-events': singleEvents,
  series: z.array(seriesSchema).min(1),
  weekly: z.array(weeklySchema).min(1),
  tickets: z.record(
    keysOf(tickets),
    z.strictObject({
      en: z.strictObject(ticketTexts),
      fr: z.strictObject(ticketTexts),
      de: z.strictObject(ticketTexts),
    }),
  ),
  site: siteSchema,
  names: z.tuple([originSchema]).rest(originSchema),
};

const eventSchema = z.object({ ...eventTexts, ...translated(z.object(eventTexts)), ...eventFields });

export type TermTexts = z.infer<z.ZodObject<typeof termTexts>>;
export type VenueTexts = z.infer<z.ZodObject<typeof venueTexts>>;
export type OrganizerTexts = z.infer<z.ZodObject<typeof organizerTexts>>;
export type EventTexts = z.infer<z.ZodObject<typeof eventTexts>>;
export type SeriesTexts = z.infer<z.ZodObject<typeof seriesTexts>>;
export type TicketTexts = z.infer<z.ZodObject<typeof ticketTexts>>;
export type PosterKey = keyof typeof posters;
export type Poster = z.infer<typeof posterSchema>;
/** An event without its date. */
export type DemoEvent = z.infer<typeof eventSchema>;
export type SingleEvent = z.infer<typeof singleEventSchema>;
export type EventSeries = z.infer<typeof seriesSchema>;
export type Origin = z.infer<typeof originSchema>;
