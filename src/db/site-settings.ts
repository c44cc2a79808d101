import type { Database } from './database.ts';

const LANGUAGE = 'language';
const CALENDAR_ID = 'calendar_id';

/** Serialises transactions that set or change the first language. */
export const lockFirstLanguage = (db: Database): Promise<void> => db.dialect.lock(db, 'marquee-language');

/** The language of the records' own texts; undefined as long as no server has been started on the database. */
export async function findFirstLanguage(db: Database): Promise<string | undefined> {
  const row = await db.query.selectFrom('site').select('value').where('name', '=', LANGUAGE).executeTakeFirst();
  return row?.value;
}

/**
 * A random name of the calendar, made by migration 0015 and never changed, for the `UID` of events in feeds:
 * `EVENT_ID@CALENDAR_ID` stays with an event whatever host serves it.
 */
export async function getCalendarId(db: Database): Promise<string> {
  const row = await db.query
    .selectFrom('site')
    .select('value')
    .where('name', '=', CALENDAR_ID)
    .executeTakeFirstOrThrow();
  return row.value;
}

export async function saveFirstLanguage(db: Database, value: string): Promise<void> {
  await db.query
    .insertInto('site')
    .values({ name: LANGUAGE, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

const WITH_TEXTS = ['events', 'linked_posts', 'terms', 'tickets'] as const;

/** Whether no record has texts yet. */
async function isWithoutTexts({ query }: Database): Promise<boolean> {
  for (const table of WITH_TEXTS)
    if (await query.selectFrom(table).select('id').limit(1).executeTakeFirst()) return false;
  return true;
}

/**
 * The language of the records' own texts: the stored one, or `preset`, which is stored if there was none or no record
 * has texts yet.
 */
export const settleFirstLanguage = (db: Database, preset: string): Promise<string> =>
  db.transaction(async (trx) => {
    await lockFirstLanguage(trx);
    const settled = await findFirstLanguage(trx);
    if (settled !== undefined && (settled === preset || !(await isWithoutTexts(trx)))) return settled;
    await saveFirstLanguage(trx, preset);
    return preset;
  });
