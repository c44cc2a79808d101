import type { Database } from './database.ts';

const LANGUAGE = 'language';

/** Makes everything that asks for the first language in order to keep or change it run one after the other. */
export const lockFirstLanguage = (db: Database): Promise<void> => db.dialect.lock(db, 'marquee-language');

/** The language of the records' own texts; undefined as long as no server has been started on the database. */
export async function findFirstLanguage(db: Database): Promise<string | undefined> {
  const row = await db.query.selectFrom('site').select('value').where('name', '=', LANGUAGE).executeTakeFirst();
  return row?.value;
}

export async function saveFirstLanguage(db: Database, value: string): Promise<void> {
  await db.query
    .insertInto('site')
    .values({ name: LANGUAGE, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The language of the records' own texts: the one that it was settled to be, from now on `preset` if it was not. */
export const settleFirstLanguage = (db: Database, preset: string): Promise<string> =>
  db.transaction(async (trx) => {
    await lockFirstLanguage(trx);
    const settled = await findFirstLanguage(trx);
    if (settled === undefined) await saveFirstLanguage(trx, preset);
    return settled ?? preset;
  });
