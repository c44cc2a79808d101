import { hash } from 'node:crypto';
import { followMerges } from '../../calendar/library/merged-records.ts';
import type { Database } from '../../db/database.ts';
import { fold } from '../../lib/text/text.ts';
import type { LinkKind } from '../links.ts';
import type { KeyedRecord } from './keyed-record.ts';

/** Ids for the names of records in files, and records of this site with the same names. */

/** Longest name that is stored as it is. */
const MAX_NAME = 150;

const storedName = (key: string): string => (key.length <= MAX_NAME ? key : hash('sha256', key, 'hex'));

export interface Key {
  id: number;
  sequence: number;
}

export const findKey = (db: Database, source: string, kind: LinkKind, key: string): Promise<Key | undefined> =>
  db.query
    .selectFrom('import_keys')
    .select(['id', 'sequence'])
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('name', '=', storedName(key))
    .executeTakeFirst();

/** The id of a name, created when the name is first used. */
export async function keyOf(db: Database, source: string, kind: LinkKind, key: string): Promise<Key> {
  const known = await findKey(db, source, kind, key);
  if (known) return known;
  return db.query
    .insertInto('import_keys')
    .values({ source, kind, name: storedName(key) })
    .returning(['id', 'sequence'])
    .executeTakeFirstOrThrow();
}

export async function saveSequence(db: Database, { id }: Key, sequence: number): Promise<void> {
  await db.query.updateTable('import_keys').set({ sequence }).where('id', '=', id).execute();
}

/** A record of this site that a new one would duplicate. */
export async function findSame(db: Database, { kind, fields, title }: KeyedRecord): Promise<number | undefined> {
  if (kind === 'venue' || kind === 'organizer') return findLinked(db, kind, { title, address: fields.address });
  if (kind === 'category' || kind === 'tag') return findTerm(db, kind, title);
  return undefined;
}

/** Venues of the same name with different addresses are different venues. */
async function findLinked(
  db: Database,
  kind: 'venue' | 'organizer',
  { title, address }: { title: string; address: unknown },
): Promise<number | undefined> {
  const rows = await db.query
    .selectFrom('linked_posts')
    .select(['id', 'attributes'])
    .where('kind', '=', kind)
    .where('title_key', '=', fold(title))
    .where('status', '<>', 'trash')
    .orderBy('id')
    .limit(20)
    .execute();
  const wanted = typeof address === 'string' ? fold(address) : '';
  const same = rows.find(({ attributes }) => {
    // Written by this server.
    const { address: own = '' } = JSON.parse(attributes) as { address?: string };
    return wanted === '' || own === '' || fold(own) === wanted;
  });
  if (!same) return undefined;
  return (await followMerges(db, { [kind]: [same.id] }))[kind]?.[0];
}

const findTerm = async (db: Database, taxonomy: 'category' | 'tag', name: string): Promise<number | undefined> =>
  (
    await db.query
      .selectFrom('terms')
      .select('id')
      .where('taxonomy', '=', taxonomy)
      .where('name_key', '=', fold(name))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  )?.id;

/** The event that a series has on a day. */
export const findOccurrence = async (db: Database, series: number, day: string): Promise<number | undefined> =>
  (
    await db.query
      .selectFrom('occurrences')
      .select('event_id')
      .where('series_id', '=', series)
      .where('recurrence_id', '=', day)
      .executeTakeFirst()
  )?.event_id;
