import { sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Migration } from '../migration.ts';

/** Titles of images and what they are found by, the addresses of replaced files, and merges that can be undone. */
export const library: Migration = {
  name: '0023-library',
  statements: ({ idType, keyType }: Dialect) => [
    `ALTER TABLE media ADD COLUMN title TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE media ADD COLUMN title_key ${keyType} NOT NULL DEFAULT ''`,
    `ALTER TABLE media ADD COLUMN search_text TEXT NOT NULL DEFAULT ''`,
    'CREATE INDEX media_file ON media (file)',
    'CREATE INDEX linked_posts_image ON linked_posts (image_id) WHERE image_id IS NOT NULL',
    `CREATE TABLE former_files (
      file ${keyType} PRIMARY KEY, media_id BIGINT NOT NULL REFERENCES media (id) ON DELETE CASCADE, size TEXT NOT NULL)`,
    'CREATE INDEX former_files_media ON former_files (media_id)',
    `CREATE TABLE merges (
      id ${idType}, kind TEXT NOT NULL, survivor_id BIGINT NOT NULL, user_id BIGINT NOT NULL,
      made_utc ${keyType} NOT NULL, survivor TEXT NOT NULL, merged TEXT NOT NULL)`,
    'CREATE INDEX merges_made ON merges (made_utc)',
    `CREATE TABLE merged_records (
      kind TEXT NOT NULL, record_id BIGINT NOT NULL, survivor_id BIGINT NOT NULL,
      merge_id BIGINT NOT NULL REFERENCES merges (id) ON DELETE CASCADE, PRIMARY KEY (kind, record_id))`,
    'CREATE INDEX merged_records_merge ON merged_records (merge_id)',
    `CREATE TABLE merged_links (
      merge_id BIGINT NOT NULL REFERENCES merges (id) ON DELETE CASCADE, target_id BIGINT NOT NULL,
      event_id BIGINT NOT NULL, position INTEGER NOT NULL, is_moved INTEGER NOT NULL,
      PRIMARY KEY (merge_id, target_id, event_id))`,
  ],
  // The keys count as no edit of the image.
  async up({ query }) {
    const { rows } = await sql<Row>`SELECT id, file, alt, revision FROM media ORDER BY id`.execute(query);
    for (const { id, file, alt, revision } of rows) {
      const name = slugOf(file);
      await sql`UPDATE media SET title_key = ${name}, search_text = ${`${name} ${fold(alt)}`.trim()} WHERE id = ${id}`.execute(
        query,
      );
      await sql`UPDATE media SET revision = ${revision} WHERE id = ${id}`.execute(query);
    }
  },
};

interface Row {
  id: number;
  file: string;
  alt: string;
  revision: number;
}

/** Characters between the name of the upload and the extension. */
const SUFFIX = 13;
const slugOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1, file.lastIndexOf('.') - SUFFIX);

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd' };

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßøæœłđ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
    .normalize('NFC');
