import type { Migration } from '../migration.ts';

/** Records that an import created, changed or found, with the former values of changed ones, so that it can be undone. */
export const importChanges: Migration = {
  name: '0054-import-changes',
  statements: ({ idType, keyType }) => [
    `CREATE TABLE import_changes (
      id ${idType},
      import_id BIGINT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
      kind ${keyType} NOT NULL,
      record_id BIGINT NOT NULL,
      foreign_id BIGINT NOT NULL,
      action ${keyType} NOT NULL,
      revision INTEGER,
      former TEXT NOT NULL,
      outcome ${keyType} NOT NULL DEFAULT '',
      reason TEXT NOT NULL DEFAULT ''
    )`,
    'CREATE INDEX import_changes_import ON import_changes (import_id, kind, id)',
    'CREATE INDEX import_changes_record ON import_changes (kind, record_id, import_id)',
    'ALTER TABLE imports ADD COLUMN undone_utc TEXT',
  ],
};
