import type { Migration } from '../migration.ts';

/** Orders and replies of an e-mail address, for people who ask for their tickets. */
export const myTickets: Migration = {
  name: '0050-my-tickets',
  statements: () => [
    'CREATE INDEX orders_mailbox ON orders (lower(purchaser_email), id)',
    `CREATE INDEX attendees_reply_email ON attendees (email_key, id) WHERE provider = 'rsvp'`,
  ],
};
