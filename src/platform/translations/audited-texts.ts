import type { Database } from '../../db/database.ts';
import type { Snapshot } from '../audit/kind.ts';
import { TEXT_FIELDS } from './rules.ts';
import { findTranslations, type RecordName } from './store.ts';

/** The translated texts of a record for the audit log, by language and parameter. */
export async function auditedTexts(db: Database, record: RecordName): Promise<Snapshot['texts']> {
  const fields = TEXT_FIELDS[record.kind];
  const translations = await findTranslations(db, record);
  return Object.fromEntries(
    translations.map(({ language, texts }) => [
      language,
      Object.fromEntries(Object.entries(texts).map(([column, text]) => [fields[column] ?? column, text])),
    ]),
  );
}
