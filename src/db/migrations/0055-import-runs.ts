import type { Migration } from '../migration.ts';

/** Imports that the server runs by itself, with their files and plans, and paused subscriptions. */
export const importRuns: Migration = {
  name: '0055-import-runs',
  statements: ({ kind, idType, keyType }) => [
    `CREATE TABLE import_runs (
      id ${idType},
      kind ${keyType} NOT NULL,
      state ${keyType} NOT NULL,
      user_id BIGINT NOT NULL,
      means TEXT NOT NULL,
      created_utc TEXT NOT NULL,
      changed_utc TEXT NOT NULL,
      planned_utc TEXT,
      begun_utc TEXT,
      finished_utc TEXT,
      erased_utc TEXT,
      file_name TEXT NOT NULL,
      address TEXT NOT NULL,
      options TEXT NOT NULL,
      login TEXT NOT NULL,
      secret TEXT NOT NULL,
      size BIGINT NOT NULL,
      received BIGINT NOT NULL DEFAULT 0,
      columns TEXT NOT NULL DEFAULT '',
      step TEXT NOT NULL DEFAULT '',
      page INTEGER NOT NULL DEFAULT 0,
      done INTEGER NOT NULL DEFAULT 0,
      plan_counts TEXT NOT NULL DEFAULT '{}',
      counts TEXT NOT NULL DEFAULT '{}',
      gone TEXT NOT NULL DEFAULT '{}',
      problem TEXT NOT NULL DEFAULT '',
      detail TEXT NOT NULL DEFAULT '',
      is_stopping INTEGER NOT NULL DEFAULT 0,
      tries INTEGER NOT NULL DEFAULT 0,
      owner TEXT NOT NULL DEFAULT '',
      import_id BIGINT
    )`,
    'CREATE INDEX import_runs_state ON import_runs (state, changed_utc)',
    'CREATE INDEX import_runs_changed ON import_runs (changed_utc)',
    `CREATE TABLE import_chunks (
      run_id BIGINT NOT NULL REFERENCES import_runs (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      bytes ${kind === 'postgres' ? 'BYTEA' : 'BLOB'} NOT NULL,
      PRIMARY KEY (run_id, number)
    )`,
    `CREATE TABLE import_plans (
      run_id BIGINT NOT NULL REFERENCES import_runs (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      action ${keyType} NOT NULL,
      kind ${keyType} NOT NULL,
      foreign_id BIGINT NOT NULL,
      name TEXT NOT NULL,
      title TEXT NOT NULL,
      fields TEXT NOT NULL,
      notes TEXT NOT NULL,
      PRIMARY KEY (run_id, number)
    )`,
    'CREATE INDEX import_plans_action ON import_plans (run_id, action, kind, number)',
    'CREATE INDEX import_plans_kind ON import_plans (run_id, kind, number)',
    'ALTER TABLE subscriptions ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0',
  ],
};
