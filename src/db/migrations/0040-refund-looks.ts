import type { Migration } from '../migration.ts';

/** Lets refunds keep their name at the gateway, and be looked at in turn. */
export const refundLooks: Migration = {
  name: '0040-refund-looks',
  statements: () => [
    "ALTER TABLE refunds ADD COLUMN gateway_key TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE refunds ADD COLUMN checked_utc TEXT NOT NULL DEFAULT ''",
    'DROP INDEX refunds_open',
    "CREATE INDEX refunds_open ON refunds (checked_utc, id) WHERE status IN ('requested', 'pending')",
  ],
};
