import type { Database } from '../../db/database.ts';
import type { Draft, Finding } from '../drafts.ts';
import type { Action } from '../plan.ts';
import type { Writing } from '../write-record.ts';
import type { KeyedRecord } from './keyed-record.ts';

/** The writing of records of files: its rules, and its report. */

export interface KeyedWriting extends Writing {
  isTheirs: boolean;
  /** Matches records that were not imported with those of this site, besides venues, organizers and terms. */
  findSame?: (db: Database, record: KeyedRecord) => Promise<number | undefined>;
  /** Completes a record with what this site has; in a plan without writing. */
  prepare?: Prepare;
  /** Counts an outcome. */
  count(outcome: Action, kind: Draft['kind']): void;
  note(record: KeyedRecord, findings: readonly Finding[]): Promise<void>;
}

type Prepare = (
  db: Database,
  record: KeyedRecord,
  writing?: Pick<KeyedWriting, 'source' | 'importId' | 'ctx'>,
) => Promise<KeyedRecord>;
