import type { OrganizerKey } from './organizers.ts';
import type { PosterKey } from './posters.ts';
import type { CategoryName, TagName } from './terms.ts';
import type { VenueKey } from './venues.ts';
import type { Translated } from './words.ts';

/** The city of the demonstration lives by this clock; guests elsewhere have their own. */
export const CITY_ZONE = 'America/Moncton';

/** What is said of an event. */
export interface EventWords {
  title: string;
  /** Paragraphs of HTML. */
  text: readonly string[];
  excerpt?: string;
}

/** What an event is, without when. */
export interface Sketch extends EventWords, Translated<EventWords> {
  venue?: VenueKey;
  organizers: readonly OrganizerKey[];
  categories: readonly CategoryName[];
  tags?: readonly TagName[];
  /** As a client would send it; absent says nothing of the cost. */
  cost?: string | number | readonly string[];
  poster?: PosterKey;
  website?: string;
  zone?: string;
  flags?: readonly ('featured' | 'sticky' | 'hide_from_listings' | 'show_map' | 'show_map_link')[];
  status?: 'draft' | 'pending' | 'private' | 'future';
  password?: string;
}

/** An event that happens once. */
export interface Occasion extends Sketch {
  /** Wall clock `HH:MM`; absent for whole days. */
  at?: string;
  /** Length: minutes with `at`, whole days without. */
  lasts: number;
  /** Month it belongs to, 1 to 12; any without. */
  month?: number;
  /** Days from today instead, for what has to be running now. */
  day?: number;
}

/** What is said of a series. */
export interface SeriesWords {
  /** `{theme}` stands for the name of the theme. */
  title: string;
  intro: string;
  /** In another language the same ones in the same order. */
  themes: readonly (readonly [name: string, text: string])[];
}

/** Separate events that return, each with a theme of its own. */
export interface Series extends SeriesWords, Translated<SeriesWords> {
  base: Omit<Sketch, keyof EventWords | keyof Translated<unknown>>;
  at: string;
  /** Minutes. */
  lasts: number;
  /** 0 Sunday to 6 Saturday. */
  weekday: number;
  /** Weeks between two of them. */
  every: number;
  /** First week from now, or the month it begins in, and number of events; the whole programme without. */
  from?: number;
  month?: number;
  count?: number;
}
