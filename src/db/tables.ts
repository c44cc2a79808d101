import type { Generated } from 'kysely';

/**
 * The tables as Kysely sees them. Alike on both databases: times are text `YYYY-MM-DD HH:MM:SS` (so that they compare
 * and sort as text), flags are 0 or 1, lists and maps are JSON in text.
 */
export interface Tables {
  users: UsersTable;
  app_passwords: AppPasswordsTable;
  tokens: TokensTable;
  records: RecordsTable;
  media: MediaTable;
  events: EventsTable;
  linked_posts: LinkedPostsTable;
  terms: TermsTable;
  event_links: EventLinksTable;
}

export type Flag = 0 | 1;

export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** Folded, unique. */
  username_key: string;
  email: string;
  email_key: string;
  password_hash: string;
  role: string;
  created_utc: string;
}

export interface AppPasswordsTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256, hexadecimal. */
  hash: string;
  created_utc: string;
  last_used_utc: string | null;
}

export interface TokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256, hexadecimal. */
  hash: string;
  /** Comma-separated. */
  scopes: string;
  created_utc: string;
  expires_utc: string | null;
  last_used_utc: string | null;
}

/** The one sequence of ids that events, venues, organizers and images share. */
export interface RecordsTable {
  id: Generated<number>;
  kind: RecordKind;
}

export type RecordKind = 'event' | 'venue' | 'organizer' | 'media';

export interface MediaTable {
  id: number;
  author_id: number;
  /** File name below the folder of uploads. */
  file: string;
  extension: string;
  mime_type: string;
  width: number;
  height: number;
  filesize: number;
  /** JSON: name of the rendition -> {file, width, height, mime_type, filesize}. */
  sizes: string;
  /** Where the image was fetched from, or empty. */
  source_url: string;
  date_utc: string;
}

/** What events, venues and organizers have in common. */
export interface PostColumns {
  id: number;
  author_id: number;
  status: string;
  date: string;
  /** `0000-00-00 00:00:00` for a draft that was never given a publication date. */
  date_utc: string;
  modified: string;
  modified_utc: string;
  title: string;
  /** Folded title, for sorting and for finding a name. */
  title_key: string;
  description: string;
  slug: string;
  image_id: number | null;
  /** The status a record in the trash had before; empty otherwise. */
  trashed_from: string;
  /** Folded text of everything a search looks at. */
  search_text: string;
}

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
  /** JSON list of texts as they were sent. */
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
}

export interface LinkedPostsTable extends PostColumns {
  kind: 'venue' | 'organizer';
  /** JSON: attribute -> text. Which attributes there are is said by the kind. */
  attributes: string;
  show_map: Flag;
  show_map_link: Flag;
  /** Degrees. */
  geo_lat: number | null;
  geo_lng: number | null;
}

export interface TermsTable {
  id: Generated<number>;
  taxonomy: 'category' | 'tag';
  name: string;
  name_key: string;
  slug: string;
  description: string;
  /** 0 at the top. */
  parent_id: number;
  /** Published events that use the term. */
  count: number;
}

export type LinkKind = 'venue' | 'organizer' | 'category' | 'tag';

/**
 * What an event is linked to. `status`, `hide_from_listings` and the four dates repeat the event's, so that a page of "the events of this category" is read from one index; `events/store.ts` keeps them the same.
 */
export interface EventLinksTable {
  event_id: number;
  kind: LinkKind;
  target_id: number;
  position: number;
  status: string;
  hide_from_listings: Flag;
  start_date: string;
  end_date: string;
  utc_start_date: string;
  utc_end_date: string;
}
