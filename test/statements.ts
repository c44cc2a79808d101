import { type AbortableQueryOptions, type CompiledQuery, Kysely, type KyselyProps, Transaction } from 'kysely';
import type { Database } from '../src/db/database.ts';
import type { Tables } from '../src/db/tables.ts';

/** Hooks into the statements of a server, for faults that no client can cause. */
export interface StatementHooks {
  /** The SQL to run instead, with the same parameters. */
  rewrite?(query: CompiledQuery): string;
  /** Before a transaction begins. */
  begin?(): Promise<void> | void;
  /** Before a statement runs; it fails with what is thrown here. */
  before?(sql: string): Promise<void> | void;
  /** After a statement was committed, with its number of rows. */
  committed?(sql: string, rows: number): Promise<void> | void;
}

/** The same database, with hooks for its statements. */
export function withHooks(db: Database, hooks: StatementHooks): Database {
  return {
    ...db,
    query: hooked(db.query, hooks),
    async transaction(work) {
      await hooks.begin?.();
      let statements: [sql: string, rows: number][] = [];
      const result = await db.transaction((trx) => {
        statements = [];
        return work(withHooks(trx, { ...hooks, begin: undefined, committed: (...ran) => void statements.push(ran) }));
      });
      for (const ran of statements) await hooks.committed?.(...ran);
      return result;
    },
  };
}

function hooked(query: Database['query'], hooks: StatementHooks): Database['query'] {
  const executor = query.getExecutor();
  const executeQuery = async <Row>(statement: CompiledQuery<Row>, options?: AbortableQueryOptions) => {
    await hooks.before?.(statement.sql);
    const sql = hooks.rewrite?.(statement) ?? statement.sql;
    const result = await executor.executeQuery({ ...statement, sql }, options);
    await hooks.committed?.(statement.sql, result.rows.length);
    return result;
  };
  const watching = new Proxy(executor, {
    get(target, name) {
      if (name === 'executeQuery') return executeQuery;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  // Statements need an executor; the rest would begin transactions, which the database does.
  const props = { config: {}, driver: {}, dialect: {}, executor: watching } as unknown as KyselyProps;
  return query.isTransaction ? new Transaction<Tables>(props) : new Kysely<Tables>(props);
}

/**
 * The guards that keep two requests from getting the same thing, and the statements without them.
 * The races also run without the guards, and must fail then.
 */
const GUARDS: readonly [guarded: RegExp, unguarded: string][] = [
  [/\(capacity IS NULL OR sold \+ held \+ /, '(1 = 1 OR capacity IS NULL OR sold + held + '],
  [/(?<=^(?:WITH changed AS \()?update "attendees" .*) and ("checked_in" = (?:\?|\$\d+))/, ' and (1 = 1 or $1)'],
  [/(?<=^update "events" .*) and ("revision" = (?:\?|\$\d+))/, ' and (1 = 1 or $1)'],
  [/^delete from "nonces" (.*) returning "hash"$/, 'select "hash" from "nonces" $1'],
  [/(?<=^insert into "idempotency_keys" .*)("idempotency_keys"."expires_utc" <= (?:\?|\$\d+))/, '(1 = 1 or $1)'],
  [/(?<=^delete from "jobs" where "id" = (?:\?|\$1) and )("owner" = (?:\?|\$2))/, '(1 = 1 or $1)'],
  [/(?<=^SELECT\s+a\.id, a\.event_id.*) FOR UPDATE OF "a"$/s, ''],
  // On SQLite, whose one writer no statement undoes: undos that arrive before their scans.
  [/(?<=FROM door_scans\s+WHERE device_id IN \(\?.*)undoes <> ''/s, '1 = 0'],
  // Every transaction that has begun, instead of every one that has ended.
  [/pg_snapshot_xmin(?=\(pg_current_snapshot)/, 'pg_snapshot_xmax'],
  [/(?<=^update "idempotency_keys" set "answer" .*)("owner" = (?:\?|\$\d+))/, '(1 = 1 or $1)'],
];

/** The same database without the guards. */
export const unguarded: StatementHooks = {
  rewrite({ sql, parameters }) {
    if (sql.startsWith('SELECT pg_advisory_xact_lock') && /^(network|post)-/.test(String(parameters[0])))
      return 'SELECT $1::text';
    return GUARDS.reduce((text, [guard, without]) => text.replace(guard, without), sql);
  },
};

const CLAIMS = 'insert into "idempotency_keys"';
const KEEPS = 'update "idempotency_keys" set "answer"';

/** Stages of a request with an Idempotency-Key. */
export interface KeyHooks {
  /** It has claimed its key. */
  afterClaim?(): Promise<void> | void;
  /** It renews its claim periodically, and begins its own transaction. */
  beforeWork?(): Promise<void> | void;
  /** Its work is done, and the response is about to be stored. */
  beforeKeep?(): Promise<void> | void;
}

/** The hooks are looked up at each stage, so that tests can change them. */
export function keyHooks(hooks: KeyHooks): StatementHooks {
  let isClaimed = false;
  return {
    async begin() {
      if (!isClaimed) return;
      isClaimed = false;
      await hooks.beforeWork?.();
    },
    async before(sql) {
      if (sql.startsWith(KEEPS)) await hooks.beforeKeep?.();
    },
    async committed(sql, rows) {
      if (!sql.startsWith(CLAIMS) || rows === 0) return;
      isClaimed = hooks.beforeWork !== undefined;
      await hooks.afterClaim?.();
    },
  };
}
