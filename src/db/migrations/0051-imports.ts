import type { Migration } from '../migration.ts';

/** Imports from other sites: their progress, which record became which, and what they had to say. */
export const imports: Migration = {
  name: '0051-imports',
  statements: ({ idType, keyType }) => [
    `CREATE TABLE imports (
      id ${idType},
      source ${keyType} NOT NULL,
      started_utc TEXT NOT NULL,
      finished_utc TEXT,
      step INTEGER NOT NULL DEFAULT 0,
      page INTEGER NOT NULL DEFAULT 1,
      pass INTEGER NOT NULL DEFAULT 1,
      counts TEXT NOT NULL DEFAULT '{}'
    )`,
    'CREATE INDEX imports_source ON imports (source, id)',
    `CREATE TABLE import_links (
      source ${keyType} NOT NULL,
      kind ${keyType} NOT NULL,
      foreign_id BIGINT NOT NULL,
      foreign_start ${keyType} NOT NULL DEFAULT '',
      record_id BIGINT,
      hash TEXT NOT NULL,
      fields TEXT NOT NULL,
      revision INTEGER,
      import_id BIGINT NOT NULL,
      seen_utc TEXT NOT NULL,
      PRIMARY KEY (source, kind, foreign_id, foreign_start)
    )`,
    'CREATE INDEX import_links_record ON import_links (kind, record_id)',
    'CREATE INDEX import_links_seen ON import_links (import_id, kind)',
    `CREATE TABLE import_findings (
      id ${idType},
      import_id BIGINT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      kind ${keyType} NOT NULL,
      foreign_id BIGINT NOT NULL,
      code ${keyType} NOT NULL,
      detail TEXT NOT NULL
    )`,
    'CREATE UNIQUE INDEX import_findings_once ON import_findings (import_id, kind, foreign_id, code, detail)',
  ],
};
