import type { Migration } from '../migration.ts';

/** Gives categories a colour, `#rrggbb` in small letters; null for none. */
export const categoryColors: Migration = {
  name: '0026-category-colors',
  statements: () => ['ALTER TABLE terms ADD COLUMN color TEXT'],
};
