import type { Migration } from '../migration.ts';

/** Mails that came back, by mailbox. */
export const bounces: Migration = {
  name: '0048-bounces',
  statements: () => [`CREATE INDEX mails_bounced ON mails (mailbox) WHERE status = 'bounced'`],
};
