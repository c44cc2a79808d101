import type { Generated } from 'kysely';
import type { RevisedColumns } from '../columns.ts';

/** Rule and template from which events are made, its occurrences. */
export interface SeriesTable extends RevisedColumns {
  /** From the id sequence of all records. */
  id: number;
  author_id: number;
  /** `publish`, or `trash` after it was deleted. */
  status: 'publish' | 'trash';
  slug: string;
  /** JSON: values, links and translations of the occurrences; `calendar/events/series/template.ts` has its type. */
  template: string;
  /** First day of the rule, in the time zone of the template. */
  start_day: string;
  /** Recurrence rule (RFC 5545) without `RRULE:`; empty if there are only single days. */
  rrule: string;
  /** JSON list of further days. */
  rdates: string;
  /** JSON list of days without an occurrence. */
  exdates: string;
  /** Last day up to which occurrences exist; empty until the first are complete, `9999-12-31` if there are no further days. */
  made_until: Generated<string>;
  /** Version of the template; occurrences with a lower one are out of date. */
  version: Generated<number>;
  /** Number of occurrences that a job still has to make, change or remove. */
  pending: Generated<number>;
  /** 1 if the last change of the dates may remove events with tickets. */
  may_remove_sold: Generated<number>;
  /** Series from which this one was split off; null for none. */
  follows_series_id: number | null;
  modified: string;
  modified_utc: string;
}

/** Event that a series made. */
export interface OccurrencesTable {
  event_id: number;
  series_id: number;
  /** Day that the rule gave it, even if it was moved: `YYYY-MM-DD`. */
  recurrence_id: string;
  /** JSON list of fields that were changed for this occurrence alone. */
  own_fields: Generated<string>;
  /** Version of the template that it shows. */
  version: number;
}
