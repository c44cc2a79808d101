/** Classifies errors of both databases. */

import type { Tables } from './tables.ts';

interface DatabaseFault {
  code?: unknown;
  errcode?: unknown;
  message?: unknown;
}

const asFault = (error: unknown): DatabaseFault => (typeof error === 'object' && error !== null ? error : {});

/** Primary result codes of SQLite, the lower byte of the extended one. */
const SQLITE = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  /** Lost a race for the lock of the write-ahead log. */
  protocol: 15,
  notADatabase: 26,
  constraintForeignKey: 787,
  constraintUnique: 2067,
  constraintKey: 1555,
};
/** Classes: connection, resources, statement timeout, shutdown, read-only, idle timeout, system. */
const POSTGRES_UNAVAILABLE = /^(08|53|57014|57P|25006|25P03|58)/;
const POSTGRES_DAMAGED = /^XX00[12]$/;
/** PostgreSQL ended the connection or a statement of a transaction: whether it committed is unknown. */
const POSTGRES_BROKEN = /^(08|57014|57P0[12]|58)/;
/** An established connection broke. */
const BROKEN = new Set(['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ERR_STREAM_DESTROYED']);
/** No connection could be made. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
]);
/** Disk full, over quota, file too large, read-only, I/O error, or too many open files. */
const STORAGE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO', 'EMFILE', 'ENFILE']);
/** Driver messages without a code for a connection that broke or timed out. */
const BROKEN_MESSAGES =
  /^(Connection terminated|Client (has encountered|was closed)|Query read timeout|write after end)/;
/** Messages of the driver and Kysely when no connection is available; the last ones during shutdown. */
const UNREACHABLE_MESSAGES =
  /^(Connection terminated due to|timeout exceeded when|Postgres connection has been discarded|Cannot use a pool after|driver has already been)/;

/** Whether a write failed because a unique index already holds its key. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = asFault(error);
  return code === '23505' || errcode === SQLITE.constraintUnique || errcode === SQLITE.constraintKey;
}

/** Whether a foreign key was violated: the referenced row is gone, or the row to be deleted is still referenced. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode } = asFault(error);
  return code === '23503' || errcode === SQLITE.constraintForeignKey;
}

/** Thrown when a record was edited after the transaction had read it. */
export class EditConflict extends Error {
  readonly row: RowOf;

  constructor(row: RowOf) {
    super(`${row.table} ${row.id} was edited concurrently`);
    this.row = row;
  }
}

/** Identifies a row by its `id`. */
export interface RowOf {
  table: keyof Tables;
  id: number;
}

/** Whether retrying the transaction may succeed: a lost race, not a mistake. */
export function isLostRace(error: unknown): boolean {
  if (error instanceof EditConflict) return true;
  const { code } = asFault(error);
  return code === '40001' || code === '40P01';
}

/** Whether another process holds the lock of the SQLite file, so that a retry makes sense. */
export function isBusy(error: unknown): boolean {
  const primary = primaryCode(error);
  return primary === SQLITE.busy || primary === SQLITE.protocol;
}

/** Whether stored data is damaged: the file was truncated, overwritten, or is not a database. */
export function isDamaged(error: unknown): boolean {
  const primary = primaryCode(error);
  if (primary !== undefined) return primary === SQLITE.corrupt || primary === SQLITE.notADatabase;
  const { code } = asFault(error);
  return typeof code === 'string' && POSTGRES_DAMAGED.test(code);
}

/** Whether the database is unavailable: full, read-only, locked or contended for too long, damaged, or unreachable. */
export function isUnavailable(error: unknown): boolean {
  const primary = primaryCode(error);
  if (primary !== undefined) return SQLITE_UNAVAILABLE.has(primary);
  return isOutOfReach(error) || isDamaged(error) || isLostRace(error) || STORAGE.has(String(asFault(error).code));
}

/** The storage fault that an error indicates; undefined for other causes. */
export function storageFaultOf(error: unknown): 'damaged' | 'unavailable' | undefined {
  if (isDamaged(error)) return 'damaged';
  return isUnavailable(error) ? 'unavailable' : undefined;
}

/** Whether the condition is likely temporary: the database is starting, or busy. */
export const isTransient = (error: unknown): boolean =>
  primaryCode(error) === undefined ? isOutOfReach(error) : isBusy(error);

function isOutOfReach(error: unknown): boolean {
  const { code, message } = asFault(error);
  if (typeof code === 'string' && (UNREACHABLE.has(code) || POSTGRES_UNAVAILABLE.test(code))) return true;
  return isConnectionBroken(error) || (typeof message === 'string' && UNREACHABLE_MESSAGES.test(message));
}

/**
 * Whether the connection of a transaction broke, so that it may have been committed although it failed here. On SQLite,
 * the outcome is always known.
 */
export function isConnectionBroken(error: unknown): boolean {
  const { code, message } = asFault(error);
  if (typeof code === 'string' && (BROKEN.has(code) || POSTGRES_BROKEN.test(code))) return true;
  return typeof message === 'string' && BROKEN_MESSAGES.test(message) && !UNREACHABLE_MESSAGES.test(message);
}

/** Primary result code, without the extended bits; undefined for errors that are not from SQLite. */
function primaryCode(error: unknown): number | undefined {
  const { errcode } = asFault(error);
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

const SQLITE_UNAVAILABLE: ReadonlySet<number> = new Set([
  SQLITE.busy,
  SQLITE.readOnly,
  SQLITE.ioError,
  SQLITE.corrupt,
  SQLITE.full,
  SQLITE.cantOpen,
  SQLITE.protocol,
  SQLITE.notADatabase,
]);

/** Whether PostgreSQL rejected the login: wrong password, database name or permissions. */
export function isLoginRejected(error: unknown): boolean {
  const { code } = asFault(error);
  return typeof code === 'string' && /^(28|3D|42501)/.test(code);
}

/** Whether SQLite cannot open a file, write to it, or recognise it as a database. */
export const isUnusableFile = (error: unknown): boolean =>
  primaryCode(error) === undefined ? /^E[A-Z]+$/.test(String(asFault(error).code)) : isUnavailable(error);
