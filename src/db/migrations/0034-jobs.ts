import type { Migration } from '../migration.ts';

/** Background jobs, and leases of work that one process at a time does. */
export const jobs: Migration = {
  name: '0034-jobs',
  statements: ({ idType }) => [
    `CREATE TABLE jobs (
      id ${idType},
      kind TEXT NOT NULL,
      key TEXT,
      payload TEXT NOT NULL,
      state TEXT NOT NULL,
      due_utc TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      owner TEXT NOT NULL DEFAULT '',
      error TEXT NOT NULL DEFAULT '',
      record_kind TEXT,
      record_id BIGINT,
      created_utc TEXT NOT NULL
    )`,
    `CREATE INDEX jobs_due ON jobs (due_utc, id) WHERE state <> 'dead'`,
    `CREATE INDEX jobs_dead ON jobs (due_utc, id) WHERE state = 'dead'`,
    `CREATE INDEX jobs_by_kind ON jobs (kind, state, due_utc)`,
    `CREATE UNIQUE INDEX jobs_ready_key ON jobs (key) WHERE state = 'ready'`,
    `CREATE UNIQUE INDEX jobs_running_key ON jobs (key) WHERE state = 'running'`,
    `CREATE TABLE leases (
      name TEXT PRIMARY KEY,
      holder TEXT NOT NULL,
      until_utc TEXT NOT NULL,
      next_utc TEXT NOT NULL
    )`,
  ],
};
