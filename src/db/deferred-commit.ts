import { sql } from 'kysely';
import { type Database, inTransaction, type Work, withRetries } from './database.ts';

/**
 * A database whose first transaction stays open after its work, so that a later step can be committed with it. From
 * then on, all queries on `db` run inside that transaction. Further transactions become savepoints, which are rolled
 * back individually if they fail.
 */
export interface DeferredCommit {
  db: Database;
  /** Runs a final step in the open transaction, or in a new one if none is open, and commits. */
  commit(last: Work<void>): Promise<void>;
  /** Rolls back. Never throws: an error that prevents the rollback has already ended the transaction. */
  rollback(): Promise<void>;
}

/**
 * Maximum time in milliseconds that a transaction stays open after its work. On SQLite, it blocks the only connection
 * of the process.
 */
const MAX_OPEN = 10_000;

/** @param timeout milliseconds until an open transaction is rolled back, even if work is still pending */
export function deferCommit(root: Database, timeout = MAX_OPEN): DeferredCommit {
  let open: OpenTransaction | undefined;
  const undos: ((reason: unknown) => Promise<void>)[] = [];
  const undoAll = async (reason: unknown) => {
    for (const undo of undos.splice(0)) await undo(reason);
  };
  const begin = async <T>(work: Work<T>): Promise<T> => {
    const started = await openTransaction(root);
    try {
      const value = await work(started.db);
      started.endWithin(timeout);
      open = started;
      return value;
    } catch (error) {
      await started.rollback();
      throw error;
    }
  };
  const db: Database = {
    get query() {
      return open?.db.query ?? root.query;
    },
    dialect: root.dialect,
    transaction: (work) => withRetries(open ? behindSavepoint(open.db) : begin, inTransaction(work)),
    onRollback: (undo) => void undos.push(undo),
    announce: (topic) => (open?.db ?? root).announce(topic),
    listen: root.listen,
    close: async () => undefined,
    load: root.load,
    memory: root.memory,
  };
  return {
    db,
    async commit(last) {
      try {
        await (open ? open.commit(last) : root.transaction(last));
      } catch (error) {
        await undoAll(error);
        throw error;
      }
    },
    async rollback() {
      await open?.rollback();
      await undoAll(new Error('rolled back'));
    },
  };
}

interface OpenTransaction {
  db: Database;
  /** Rolls the transaction back if it is still open after the timeout. */
  endWithin(timeout: number): void;
  commit(last: Work<void>): Promise<void>;
  rollback(): Promise<void>;
}

/** Prevents `db.transaction` from retrying work that may run only once. */
class Undone extends Error {}

async function openTransaction(root: Database): Promise<OpenTransaction> {
  const opened = Promise.withResolvers<Database>();
  const ending = Promise.withResolvers<Work<void>>();
  let isBegun = false;
  const once = async (trx: Database): Promise<void> => {
    if (isBegun) throw new Undone('a transaction that stayed open cannot run again');
    isBegun = true;
    opened.resolve(trx);
    const last = await ending.promise;
    await last(trx);
  };
  const ended = root.transaction((trx) => once(trx).catch(undo)).catch(causeOf);
  // Without a connection, the transaction never opens.
  ended.catch(opened.reject);
  return {
    db: await opened.promise,
    endWithin(timeout) {
      const expire = () => ending.reject(new Error(`a transaction stayed open for ${timeout} ms`));
      const timer = setTimeout(expire, timeout).unref();
      ended.catch(() => undefined).finally(() => clearTimeout(timer));
    },
    commit(last) {
      ending.resolve(last);
      return ended;
    },
    async rollback() {
      ending.reject(new Error('rolled back'));
      await ended.catch(() => undefined);
    },
  };
}

function undo(cause: unknown): never {
  throw new Undone('', { cause });
}

function causeOf(error: unknown): never {
  throw error instanceof Undone ? (error.cause ?? error) : error;
}

const behindSavepoint =
  (db: Database) =>
  async <T>(work: Work<T>): Promise<T> => {
    await sql`SAVEPOINT step`.execute(db.query);
    try {
      const value = await work(db);
      await sql`RELEASE SAVEPOINT step`.execute(db.query);
      return value;
    } catch (error) {
      await sql`ROLLBACK TO SAVEPOINT step`.execute(db.query).catch(() => Promise.reject(error));
      await sql`RELEASE SAVEPOINT step`.execute(db.query);
      throw error;
    }
  };
