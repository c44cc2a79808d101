import type { Migration } from '../migration.ts';

/** When a session last proved its account by password or second factor; null if it never did. */
export const confirmedSessions: Migration = {
  name: '0028-confirmed-sessions',
  statements: () => ['ALTER TABLE sessions ADD COLUMN confirmed_utc TEXT'],
};
