import type { Generated } from 'kysely';
import type { AuthenticationMethod } from '../../lib/actor.ts';

/** Tables of imports from other sites (docs/moving.md). */

/** Runs of imports, with their progress. */
export interface ImportsTable {
  id: Generated<number>;
  /** Address of the site, without a trailing slash. */
  source: string;
  started_utc: string;
  /** null while it runs, and after an interruption. */
  finished_utc: string | null;
  /** Position in the list of steps, and the next page and pass of that step. */
  step: Generated<number>;
  page: Generated<number>;
  pass: Generated<number>;
  /** JSON: outcome -> kind -> number of records. */
  counts: Generated<string>;
  /** Time at which it was last undone. */
  undone_utc: Generated<string | null>;
}

/** Records that an import created, changed or found here, in the order of its work, so that it can be undone. */
export interface ImportChangesTable {
  id: Generated<number>;
  import_id: number;
  /** Kind of a link. */
  kind: string;
  record_id: number;
  /** Id at the source; 0 without a link. */
  foreign_id: number;
  /** `linked`: the record already existed here and was not changed. */
  action: 'created' | 'changed' | 'linked';
  /** Revision of our record after the write. */
  revision: number | null;
  /** JSON: former values of a changed record, and its former link. */
  former: string;
  /** Outcome of the undo; empty before. */
  outcome: Generated<'' | 'removed' | 'restored' | 'kept'>;
  /** Reason why the record is kept, or fields that are not restored: a code, a colon, and details. */
  reason: Generated<string>;
}

/** Records of a source and the records here that they became. */
export interface ImportLinksTable {
  source: string;
  kind: string;
  foreign_id: number;
  /** Distinguishes records that share an id, such as the dates of a series; otherwise empty. */
  foreign_start: Generated<string>;
  /** null for a record that could not be imported. */
  record_id: number | null;
  /** Hash of all its values at the source. */
  hash: string;
  /** JSON: field -> hash of its value at the source. */
  fields: string;
  /** Revision of our record after the import. */
  revision: number | null;
  /** Last import that saw it. */
  import_id: number;
  seen_utc: string;
}

/** Problems of single records, for the report. */
export interface ImportFindingsTable {
  id: Generated<number>;
  import_id: number;
  kind: string;
  /** 0 for the import as a whole. */
  foreign_id: number;
  code: string;
  detail: string;
}

/** Imports that the server runs in the background (src/moving/runs). */
export interface ImportRunsTable {
  id: Generated<number>;
  kind: ImportKind;
  state: ImportState;
  /** Account that created the import, and its authentication method. */
  user_id: number;
  means: AuthenticationMethod;
  created_utc: string;
  /** Last change of the state. */
  changed_utc: string;
  /** null without a plan. */
  planned_utc: string | null;
  /** Time at which writing began. */
  begun_utc: string | null;
  finished_utc: string | null;
  /** Time at which file and plan were erased. */
  erased_utc: string | null;
  /** Empty for an import from an address. */
  file_name: string;
  address: string;
  /** JSON: choices of the user. */
  options: string;
  /** Account at the source, and its sealed password; erased at the end of the run. */
  login: string;
  secret: string;
  /** Bytes of the file, and bytes that have arrived. */
  size: number;
  received: Generated<number>;
  /** JSON: columns of a table, once they are known; otherwise empty. */
  columns: Generated<string>;
  step: Generated<string>;
  page: Generated<number>;
  /** Number of records so far, of the plan or of the import. */
  done: Generated<number>;
  /** JSON: outcome -> kind -> number of records. */
  plan_counts: Generated<string>;
  counts: Generated<string>;
  /** JSON: kind -> number of records that the source no longer has. */
  gone: Generated<string>;
  /** Reason for the failure; empty otherwise. */
  problem: Generated<string>;
  detail: Generated<string>;
  /** 1 if it must stop after the current page. */
  is_stopping: Generated<0 | 1>;
  /** Attempts since the last progress. */
  tries: Generated<number>;
  /** Random name of the attempt that runs it; empty for none. */
  owner: Generated<string>;
  /** Its row in `imports`. */
  import_id: number | null;
}

export const IMPORT_KINDS = ['wordpress', 'wxr', 'sql', 'ical', 'csv'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_STATES = [
  ...(['uploading', 'mapping', 'planning', 'planned', 'importing', 'finished'] as const),
  ...(['failed', 'cancelled', 'undoing', 'undone'] as const),
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** Bytes of uploaded files, in pieces. */
export interface ImportChunksTable {
  run_id: number;
  /** From 0. */
  number: number;
  bytes: Uint8Array;
}

/** Plans of imports, record by record. */
export interface ImportPlansTable {
  run_id: number;
  /** From 1, in the order of the source. */
  number: number;
  action: ImportAction;
  kind: string;
  /** Id at the source, or the line of a file. */
  foreign_id: number;
  /** Key of a record of a file; otherwise empty. */
  name: string;
  title: string;
  /** JSON: fields that change, or that stay. */
  fields: string;
  /** JSON: notes on the record, with `code` and `detail`. */
  notes: string;
}

export const IMPORT_ACTIONS = ['create', 'change', 'same', 'conflict', 'cannot'] as const;
export type ImportAction = (typeof IMPORT_ACTIONS)[number];

/** Names of records in files and calendars, such as a UID; their ids are the foreign ids of links. */
export interface ImportKeysTable {
  id: Generated<number>;
  /** Address of the calendar, or the kind of the file. */
  source: string;
  kind: string;
  /** The name, or the hash of a long one. */
  name: string;
  /** `SEQUENCE` of the imported version. */
  sequence: Generated<number>;
}

/** Subscribed calendars, which are read regularly. */
export interface SubscriptionsTable {
  id: Generated<number>;
  /** Also the source of its links. */
  address: string;
  /** Status of its new events. */
  status: string;
  /** JSON list of the names of the categories of its events. */
  categories: Generated<string>;
  /** Hours between two reads. */
  hours: number;
  created_utc: string;
  due_utc: string;
  /** Last read; null before the first one. */
  checked_utc: string | null;
  /** Last read that succeeded. */
  succeeded_utc: string | null;
  /** Failed reads since then. */
  failures: Generated<number>;
  /** Message about the last failure; empty after a success. */
  problem: Generated<string>;
  /** Entity tag of the last import. */
  etag: Generated<string>;
  /** JSON: outcome -> kind -> number of records, of the last import. */
  counts: Generated<string>;
  /** Last import that was complete. */
  import_id: number | null;
  is_paused: Generated<0 | 1>;
}
