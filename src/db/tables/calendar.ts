import type { Generated } from 'kysely';
import type { LinkedKind } from '../../lib/linked-kinds.ts';
import type { Flag, RevisedColumns, Taxonomy, TitledColumns } from '../columns.ts';

/** Tables of events, venues, organizers, categories and tags, and of their links, texts and former addresses. */

/** Columns common to events, venues and organizers. */
interface PostColumns extends TitledColumns {
  image_id: number | null;
  /** Status before the record was trashed; empty unless it is in the trash. */
  trashed_from: string;
}

const POST_COLUMNS = [
  'id',
  'author_id',
  'status',
  'date',
  'date_utc',
  'modified',
  'modified_utc',
  'title',
  'description',
  'slug',
  'image_id',
  'trashed_from',
  'revision',
] as const satisfies readonly (keyof PostColumns)[];

/** Whether an event takes place as announced. */
export type EventStatus = 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'moved_online';

/** How people attend an event. */
export type AttendanceMode = 'on_site' | 'online' | 'mixed';

/** Audience of the online address of an event. */
export type OnlineAccess = 'holders' | 'everyone';

export interface EventsTable extends PostColumns {
  excerpt: string;
  password: string;
  parent_id: number | null;
  all_day: Flag;
  start_date: string;
  end_date: string;
  utc_start_date: string;
  utc_end_date: string;
  timezone: string;
  timezone_abbr: string;
  /** JSON list of the costs as sent. */
  cost: string;
  currency_symbol: string;
  currency_position: string;
  currency_code: string;
  website: string;
  show_map: Flag;
  show_map_link: Flag;
  hide_from_listings: Flag;
  sticky: Flag;
  featured: Flag;
  event_status: EventStatus;
  event_status_reason: string;
  /** Whether tickets are sold while the event is postponed. */
  sale_stays_open: Flag;
  /** Original start of a rescheduled event; empty if unknown. */
  utc_previous_start_date: string;
  attendance_mode: AttendanceMode;
  online_access: OnlineAccess;
  /** Address for attending online; secret unless `online_access` says otherwise. */
  online_url: string;
  /** `HH:MM` in the time zone of the event, or empty. */
  door_time: string;
  accessibility: string;
  /**
   * `SEQUENCE` of the event in iCalendar feeds, from 0: grows when its venue, time or status changes, also by an edit
   * of the venue. A statement that increments it changes no other column, since an increment does not count as an edit.
   */
  ical_sequence: Generated<number>;
  /** Event from which this one was copied; it may have been deleted since. */
  copied_from: Generated<number | null>;
  /** Series of an occurrence; null for other events. */
  series_id: Generated<number | null>;
}

/** Columns of texts that exist in several languages; the name comes first. */
export const EVENT_TEXTS = [
  'title',
  'description',
  'excerpt',
  'event_status_reason',
  'accessibility',
] as const satisfies readonly (keyof EventsTable)[];

/** Columns of an event without the long search and sort keys, which only SQL uses. */
export const EVENT_COLUMNS = [
  ...POST_COLUMNS,
  'excerpt',
  'password',
  'parent_id',
  'all_day',
  'start_date',
  'end_date',
  'utc_start_date',
  'utc_end_date',
  'timezone',
  'timezone_abbr',
  'cost',
  'currency_symbol',
  'currency_position',
  'currency_code',
  'website',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'event_status',
  'event_status_reason',
  'sale_stays_open',
  'utc_previous_start_date',
  'attendance_mode',
  'online_access',
  'online_url',
  'door_time',
  'accessibility',
  'ical_sequence',
  'copied_from',
  'series_id',
] as const satisfies readonly (keyof EventsTable)[];

/**
 * Columns of an event in a month and in links to it. Its texts are omitted: they are long, and reading past them would
 * take most of the time.
 */
export const BRIEF_EVENT_COLUMNS = [
  'id',
  'author_id',
  'status',
  'trashed_from',
  'title',
  'slug',
  'password',
  'all_day',
  'start_date',
  'end_date',
  'timezone',
  'utc_start_date',
  'utc_end_date',
  'event_status',
  'attendance_mode',
] as const satisfies readonly (typeof EVENT_COLUMNS)[number][];

export interface LinkedPostsTable extends PostColumns {
  kind: LinkedKind;
  /** JSON: attribute -> text. The kind defines the attributes. */
  attributes: string;
  show_map: Flag;
  show_map_link: Flag;
  /** Degrees. */
  geo_lat: number | null;
  geo_lng: number | null;
}

/** Columns of a venue or an organizer; see `EVENT_COLUMNS`. */
export const LINKED_POST_COLUMNS = [
  ...POST_COLUMNS,
  'kind',
  'attributes',
  'show_map',
  'show_map_link',
  'geo_lat',
  'geo_lng',
] as const satisfies readonly (keyof LinkedPostsTable)[];

export interface TermsTable extends RevisedColumns {
  id: Generated<number>;
  taxonomy: Taxonomy;
  name: string;
  name_key: string;
  slug: string;
  description: string;
  /** 0 at the top. */
  parent_id: number;
  /** `#rrggbb` in lower case; categories only. */
  color: string | null;
  /** Number of published events without a password that use the term. */
  count: number;
}

/** Columns of a category or a tag; see `EVENT_COLUMNS`. */
export const TERM_COLUMNS = [
  'id',
  'taxonomy',
  'name',
  'name_key',
  'slug',
  'description',
  'parent_id',
  'color',
  'count',
  'revision',
] as const satisfies readonly (keyof TermsTable)[];

export type LinkKind = LinkedKind | Taxonomy;

/** Columns that suffice to filter and sort most lists of events. */
export const LIST_COLUMNS = [
  'status',
  'hide_from_listings',
  'utc_start_date',
  'start_date',
  'utc_end_date',
  'end_date',
] as const satisfies readonly (keyof EventsTable)[];

/**
 * Columns of events that list filters may use. A search provides exactly these columns of the matching events
 * (`db/word-search.ts`).
 */
export const FILTER_COLUMNS = [
  'id',
  ...LIST_COLUMNS,
  'author_id',
  'featured',
  'event_status',
  'parent_id',
  'slug',
  'cost',
  'search_text',
  'series_id',
] as const satisfies readonly (keyof EventsTable)[];

export type FilterColumn = (typeof FILTER_COLUMNS)[number];

/** Columns copied from the event, so that a list is read from a single index; `events/store.ts` keeps them in sync. */
export type ListColumn = Pick<EventsTable, (typeof LIST_COLUMNS)[number]>;

/** Links of events to terms, venues and organizers. */
export interface EventLinksTable extends ListColumn {
  event_id: number;
  kind: LinkKind;
  target_id: number;
  position: number;
  /** The series of the event; triggers copy it. */
  series_id: Generated<number | null>;
}

type Defaulted<T> = { [K in keyof T]: Generated<T[K]> };

/** Kinds of records with translated texts. */
export type TranslatedKind = 'event' | LinkKind | 'ticket' | 'media';

/**
 * Texts of one record in a language other than the first one; platform/translations/rules.ts has the rules.
 * Translations of events also copy the columns that lists filter and sort by, for searches in the language.
 */
export interface TranslationsTable extends Defaulted<ListColumn> {
  id: Generated<number>;
  kind: TranslatedKind;
  /** Terms have an id sequence of their own, so only kind and id together identify a record. */
  record_id: number;
  language: string;
  /** JSON: column of the record -> text, for translated columns only. */
  texts: string;
  /** JSON list of provisional columns: the first language also shows their texts until it has its own. */
  provisional: string;
  /** Folded name in this language, or in the first language if it has none. */
  name_key: string;
  /** Folded text of all fields searched in this language, including fallbacks to the first language. */
  search_text: string;
}

/** Kinds of records with a public URL. */
export type AddressedKind = 'event' | LinkKind;

/** Earlier slugs of public records. */
export interface FormerSlugsTable {
  id: Generated<number>;
  /** `media`: the page of an image on an imported site. */
  kind: AddressedKind | 'media';
  slug: string;
  record_id: number;
}

/** Merges of venues, organizers, categories and tags that can still be undone. */
export interface MergesTable {
  id: Generated<number>;
  kind: LinkKind;
  survivor_id: number;
  user_id: number;
  made_utc: string;
  /** JSON: the survivor before the merge, and its revision afterwards; `calendar/library/merge.ts` has its type. */
  survivor: string;
  /** JSON list: the merged records before the merge. */
  merged: string;
}

/** Redirects of merged records, for writes that still refer to them. */
export interface MergedRecordsTable {
  kind: LinkKind;
  record_id: number;
  survivor_id: number;
  merge_id: number;
}

/** Links of events to merged records. */
export interface MergedLinksTable {
  merge_id: number;
  target_id: number;
  event_id: number;
  position: number;
  /** 1 if the link now points to the survivor; 0 if the event already had such a link. */
  is_moved: Flag;
}
