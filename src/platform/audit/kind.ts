import type { Database } from '../../db/database.ts';
import type { AuditKind } from '../../db/tables.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';

/** Values by the name of the parameter that writes each, where there is one. */
export type Values = Readonly<Record<string, unknown>>;

/** A record at one moment, as the audit log compares it. */
export interface Snapshot {
  /** Empty if it would be the name of a person. */
  title: string;
  /** Absent for records that do not count their edits. */
  revision?: number;
  fields: Values;
  /** Texts in other languages than the first; those of the site in all languages. */
  texts?: Readonly<Record<string, Values>>;
  /** Data about people: the log says that they changed, not what they were. */
  personal?: Values;
  /** Passwords, codes and the like, or something that differs when they do. */
  secret?: Values;
}

/** What sets a record back. */
export interface Restoring {
  /** Name of the endpoint that changes such a record. */
  endpoint: string;
  /** What to send to it besides the id, if not the values as they are. */
  paramsOf?(ctx: RequestContext, id: number, values: Values): Promise<Values>;
}

/** A kind of record whose changes are logged. */
export interface AuditedKind {
  name: AuditKind;
  snapshot(db: Database, id: number): Promise<Snapshot | undefined>;
  /** Whether the caller may change a record, and so may see its history; absent where only administrators may. */
  mayChange?(ctx: RequestContext, id: number): Promise<boolean>;
  restoring?: Restoring;
}

/** A record whose changes are logged. */
export interface AuditedRecord {
  kind: AuditedKind;
  id: number;
}
