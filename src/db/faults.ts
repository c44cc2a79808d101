/** What errors of the two databases mean, whichever of them they come from. */

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
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
  constraintForeignKey: 787,
  constraintUnique: 2067,
  constraintKey: 1555,
};
const POSTGRES_UNAVAILABLE = /^(08|53|57P|25006|58)/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN']);

/** Whether a write failed because a unique index already holds its key. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = asFault(error);
  return code === '23505' || errcode === SQLITE.constraintUnique || errcode === SQLITE.constraintKey;
}

/** Whether what a row refers to is not there (any more), or what was to be deleted is referred to. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode } = asFault(error);
  return code === '23503' || errcode === SQLITE.constraintForeignKey;
}

/** Whether running the same transaction again may succeed: a lost race, not a mistake. */
export function isLostRace(error: unknown): boolean {
  const { code } = asFault(error);
  return code === '40001' || code === '40P01';
}

/** Whether the database cannot serve at the moment: full, read-only, locked for too long, or out of reach. */
export function isUnavailable(error: unknown): boolean {
  const { code, errcode, message } = asFault(error);
  if (typeof errcode === 'number') {
    const primary = errcode & 0xff;
    return [SQLITE.busy, SQLITE.readOnly, SQLITE.ioError, SQLITE.full, SQLITE.cantOpen].includes(primary);
  }
  if (typeof code === 'string' && (NETWORK.has(code) || POSTGRES_UNAVAILABLE.test(code))) return true;
  if (code === 'ENOSPC' || code === 'EROFS' || code === 'EDQUOT') return true;
  return (
    typeof message === 'string' && /^(Connection terminated|timeout exceeded when trying to connect)/.test(message)
  );
}

/** Whether PostgreSQL turned down who asks or what for: the password, the name of the database, the rights. */
export function isRefused(error: unknown): boolean {
  const { code } = asFault(error);
  return typeof code === 'string' && /^(28|3D|42501)/.test(code);
}

/** Whether SQLite cannot open a file, write to it, or recognise it as a database. */
export function isUnusableFile(error: unknown): boolean {
  const { code, errcode } = asFault(error);
  if (typeof errcode === 'number') return errcode === SQLITE.notADatabase || isUnavailable(error);
  return typeof code === 'string' && /^E[A-Z]+$/.test(code);
}
