import type { Database } from '../../db/database.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import type { Writing } from '../draft-params.ts';
import type { Draft, Finding } from '../drafts.ts';
import type { Action } from '../plan.ts';

/** Records of files, identified by names instead of ids: the UID of an entry, or the values of a line. */

type KeyedKind = Draft['kind'];

export interface KeyedRecord {
  kind: KeyedKind;
  /** Unique among records of its kind in the same source. */
  key: string;
  /** Parameters of a write; `venue`, `organizer`, `categories` and `tags` are lists of the names of related records. */
  fields: Readonly<Record<string, unknown>>;
  /** Text for people, such as the title. */
  title: string;
  /** Line of the file. */
  line: number;
  findings: readonly Finding[];
  /** Why it cannot be imported. */
  cannot?: Finding;
  /** Address of an image. */
  image?: string;
  /** UTC time of the last change; empty for now. */
  at: LocalTime;
  /** Version of the record (`SEQUENCE`). A version older than the imported one is left out. */
  sequence?: number;
  /** Venues, organizers and terms that it names. */
  related?: readonly KeyedRecord[];
  /** Dates of a series; `fields` are the fields of its first event. */
  recurrence?: KeyedRecurrence;
  /** Series that it belongs to, and the day that the rule gave it. */
  within?: { key: string; day: string };
}

/** Dates of a series: a rule of RFC 5545, and days. */
interface KeyedRecurrence {
  rrule: string;
  rdates: readonly string[];
  exdates: readonly string[];
}

/** Context in which such records are written, with rules and report. */
export interface KeyedWriting extends Writing {
  isTheirs: boolean;
  /** Finds a record of this site that matches one not yet imported; venues, organizers and terms are always matched. */
  findSame?: (db: Database, record: KeyedRecord) => Promise<number | undefined>;
  /** Completes a record with data of this site; a plan writes nothing. */
  prepare?: Prepare;
  count(outcome: Action, kind: Draft['kind']): void;
  note(record: KeyedRecord, findings: readonly Finding[]): Promise<void>;
}

type Prepare = (
  db: Database,
  record: KeyedRecord,
  writing?: Pick<KeyedWriting, 'source' | 'importId' | 'ctx'>,
) => Promise<KeyedRecord>;
