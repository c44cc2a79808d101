import type { Migration } from '../migration.ts';

/** Renames the column that names the texts of a record that another language provides for now. */
export const provisionalTexts: Migration = {
  name: '0011-provisional-texts',
  up: () => ['ALTER TABLE translations RENAME COLUMN lent TO provisional'],
};
