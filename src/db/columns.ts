import type { Generated } from 'kysely';
import type { LinkedKind } from '../lib/linked-kinds.ts';

export type Flag = 0 | 1;

/** Revision counters, maintained by triggers (migration 0015) for every statement that changes a row. */
export interface RevisedColumns {
  /** From 1. Sales, holds and check-ins do not increment it. */
  revision: Generated<number>;
}

export type RecordKind = 'event' | LinkedKind | 'media' | 'ticket' | 'attendee' | 'order' | 'series';

/** Columns common to events, venues, organizers and tickets. */
export interface TitledColumns extends RevisedColumns {
  id: number;
  author_id: number;
  status: string;
  date: string;
  /** `0000-00-00 00:00:00` for a draft that never had a publication date. */
  date_utc: string;
  modified: string;
  modified_utc: string;
  title: string;
  /** Folded title, for sorting and for look-up by name. */
  title_key: string;
  description: string;
  slug: string;
  /** Folded text of all searched fields. */
  search_text: string;
}

export type Taxonomy = 'category' | 'tag';
