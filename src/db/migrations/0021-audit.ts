import type { Migration } from '../migration.ts';

/** Who changed which record, and what was there before. No public answer shows it, so its changes are not counted. */
export const audit: Migration = {
  name: '0021-audit',
  statements: ({ idType, keyType }) => [
    `CREATE TABLE audit (
      id ${idType}, date_utc ${keyType} NOT NULL, user_id BIGINT, user_name TEXT NOT NULL, means TEXT NOT NULL,
      credential_id BIGINT, credential_name TEXT NOT NULL, network TEXT NOT NULL, request_id TEXT NOT NULL,
      action ${keyType} NOT NULL, kind ${keyType} NOT NULL, record_id BIGINT NOT NULL, title TEXT NOT NULL,
      revision INTEGER, fields TEXT NOT NULL, changes TEXT NOT NULL)`,
    'CREATE INDEX audit_date ON audit (date_utc, id)',
    // The columns after the id are filters that are then read from the index.
    'CREATE INDEX audit_kind ON audit (kind, date_utc, id, action, user_id)',
    'CREATE INDEX audit_action ON audit (action, date_utc, id, user_id)',
    'CREATE INDEX audit_record ON audit (kind, record_id, date_utc, id)',
    'CREATE INDEX audit_user ON audit (user_id, date_utc, id, action)',
  ],
};
