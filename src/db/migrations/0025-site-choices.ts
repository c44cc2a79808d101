import type { Migration } from '../migration.ts';

/** Lets the site choose its languages, zone and currency, where the environment of the server does not. */
export const siteChoices: Migration = {
  name: '0025-site-choices',
  statements: () => [
    'ALTER TABLE site_settings ADD COLUMN languages TEXT',
    'ALTER TABLE site_settings ADD COLUMN timezone TEXT',
    'ALTER TABLE site_settings ADD COLUMN currency TEXT',
    'ALTER TABLE site_settings ADD COLUMN currency_symbol TEXT',
  ],
};
