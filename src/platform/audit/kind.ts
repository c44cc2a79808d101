import type { Database } from '../../db/database.ts';
import type { AuditKind } from '../../db/tables/platform.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';

/** Values by the parameter that writes them, if there is one. */
export type Values = Readonly<Record<string, unknown>>;

/** State of a record, as the audit log compares it. */
export interface Snapshot {
  /** Empty if it would be the name of a person. */
  title: string;
  /** Absent for records without a revision. */
  revision?: number;
  fields: Values;
  /** Texts in languages other than the first; for the site, in all languages. */
  texts?: Readonly<Record<string, Values>>;
  /** Personal data: the log says that they changed, but not their values. */
  personal?: Values;
  /** Passwords, codes and the like, or a value that changes with them. */
  secret?: Values;
}

/** How a record is restored. */
export interface RestoreMethod {
  /** Name of the endpoint that changes such records. */
  endpoint: string;
  /** Builds its parameters besides the id; by default the values themselves. */
  paramsOf?(ctx: RequestContext, id: number, values: Values): Promise<Values>;
}

/** Kind of record whose changes are logged. */
export interface AuditedKind {
  name: AuditKind;
  snapshot(db: Database, id: number): Promise<Snapshot | undefined>;
  /** Whether the viewer may change a record, and so may see its history. Absent: administrators only. */
  mayChange?(ctx: RequestContext, id: number): Promise<boolean>;
  restoring?: RestoreMethod;
}

/** Record whose changes are logged. */
export interface AuditedRecord {
  kind: AuditedKind;
  id: number;
}
