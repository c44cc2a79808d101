import { type RawBuilder, type Selectable, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { ListColumn, TranslatedKind, TranslationsTable } from '../../db/tables.ts';
import { can } from '../../http/auth.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { nameColumn, overlayTexts, readLanguage, TEXT_FIELDS, type Texts, type Translation, textsOf } from './rules.ts';

/** Names a record: terms count their ids by themselves. */
export interface RecordName {
  kind: TranslatedKind;
  id: number;
}

/** Without what only SQL compares. */
const READ = ['kind', 'record_id', 'language', 'texts', 'provisional', 'name_key'] as const;

type Row = Pick<Selectable<TranslationsTable>, (typeof READ)[number]>;
type Stored = Pick<Row, 'language' | 'name_key'> & Translation;

const read = ({ language, name_key, texts, provisional }: Row): Stored => ({
  language,
  name_key,
  // Both written by `saveTranslations`.
  texts: JSON.parse(texts) as Texts,
  provisional: JSON.parse(provisional) as string[],
});

/** What a record says in languages other than the first. */
export async function findTranslations(db: Database, { kind, id }: RecordName): Promise<Translation[]> {
  const rows = await db.query
    .selectFrom('translations')
    .select(READ)
    .where('record_id', '=', id)
    .where('kind', '=', kind)
    .orderBy('language')
    .execute();
  return rows.map(read);
}

/** What sorting and searching compare, made from all texts of a record in one language. */
export interface Keys {
  name_key: string;
  search_text: string;
}

interface Replacement {
  /** The record's own texts. */
  own: Texts;
  translations: readonly Translation[];
  /** Gets the texts of a language with what falls back, so that a search in it finds what its readers see. */
  keysOf(texts: Texts): Keys;
  /** Of an event. */
  listed?: ListColumn;
}

/** Replaces the translations of a record. */
export async function saveTranslations(
  db: Database,
  { kind, id }: RecordName,
  { own, translations, keysOf, listed }: Replacement,
): Promise<void> {
  await removeTranslations(db, { kind, id });
  const rows = translations.map(({ language, texts, provisional }) => ({
    kind,
    record_id: id,
    language,
    texts: JSON.stringify(texts),
    provisional: JSON.stringify(provisional),
    ...listed,
    ...keysOf({ ...own, ...texts }),
  }));
  if (rows.length > 0) await db.query.insertInto('translations').values(rows).execute();
}

/** Forgets the translations of a record that is removed for good. */
export async function removeTranslations(db: Database, { kind, id }: RecordName): Promise<void> {
  await db.query.deleteFrom('translations').where('record_id', '=', id).where('kind', '=', kind).execute();
}

/** The translations of some records, as far as a request needs them. */
export class Translations {
  readonly #language: string | undefined;
  readonly #preset: string;
  readonly #known: ReadonlyMap<string, readonly Stored[]>;

  constructor(
    known: ReadonlyMap<string, readonly Stored[]>,
    { language, preset }: { language: string | undefined; preset: string },
  ) {
    this.#known = known;
    this.#language = language;
    this.#preset = preset;
  }

  #of(kind: TranslatedKind, id: number): readonly Stored[] {
    return this.#known.get(`${kind} ${id}`) ?? [];
  }

  #wanted(kind: TranslatedKind, id: number): Stored | undefined {
    return this.#of(kind, id).find(({ language }) => language === this.#language);
  }

  /** A record with its texts in the language of the request; where that has none, with those of the first language. */
  show<T extends { id: number }>(kind: TranslatedKind, record: T): T {
    const found = this.#wanted(kind, record.id);
    return found ? { ...overlayTexts(record, found.texts), [`${nameColumn(kind)}_key`]: found.name_key } : record;
  }

  /** The language in which the name of a record is shown. */
  languageOf(kind: TranslatedKind, { id }: { id: number }): string {
    const column = nameColumn(kind);
    const found = this.#wanted(kind, id);
    if (found?.texts[column] !== undefined) return found.language;
    return this.#of(kind, id).find(({ provisional }) => provisional.includes(column))?.language ?? this.#preset;
  }

  /** Which fields of a record, as it is stored, exist in which language; undefined while all are in the first. */
  coverage(kind: TranslatedKind, record: { id: number }): Record<string, string[]> | undefined {
    const all = this.#of(kind, record.id);
    if (all.length === 0) return undefined;
    const fields = (columns: readonly string[]) =>
      Object.entries(TEXT_FIELDS[kind]).flatMap(([column, field]) => (columns.includes(column) ? [field] : []));
    const provisional = all.flatMap((one) => one.provisional);
    const own = Object.entries(textsOf(kind, record)).flatMap(([column, text]) =>
      text !== '' && !provisional.includes(column) ? [column] : [],
    );
    const coverage = all.map(({ language, texts }): [string, string[]] => [language, fields(Object.keys(texts))]);
    return Object.fromEntries([...(own.length > 0 ? [[this.#preset, fields(own)] as const] : []), ...coverage]);
  }
}

const inAllLanguages = byIds((query, ids) =>
  query.selectFrom('translations').select(READ).where('record_id', 'in', ids).orderBy('language'),
);

const inLanguage = byIds((query, ids, language: string) =>
  query.selectFrom('translations').select(READ).where('record_id', 'in', ids).where('language', '=', language),
);

/**
 * Loads the translations that a request shows of some records: of the language it reads; `withAll`, or for callers who
 * may edit, of every language.
 */
export async function loadTranslations(
  ctx: RequestContext,
  records: readonly RecordName[],
  { withAll = false }: { withAll?: boolean } = {},
): Promise<Translations> {
  const { db, config } = ctx.context;
  const language = readLanguage(ctx);
  const setting = { language, preset: config.languages[0] ?? 'en' };
  const isWhole = withAll || can(ctx.viewer, 'edit');
  if (records.length === 0 || (language === undefined && !isWhole)) return new Translations(new Map(), setting);
  const ids = records.map(({ id }) => id);
  const rows = await (isWhole || language === undefined ? inAllLanguages(db, ids) : inLanguage(db, ids, language));
  const known = Map.groupBy(rows, ({ kind, record_id }) => `${kind} ${record_id}`);
  return new Translations(new Map([...known].map(([name, own]) => [name, own.map(read)])), setting);
}

/** A record that a statement reads. */
interface Translated {
  kind: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
}

/** A column of the translation of a record in a language; null without one. */
export const translationIn = <T>(language: string, column: keyof TranslationsTable, { kind, id }: Translated) =>
  sql<T | null>`(SELECT tr.${sql.ref(column)} FROM translations AS tr
    WHERE tr.record_id = ${id} AND tr.kind = ${kind} AND tr.language = ${language})`;

/** What a record is called, or has to be searched, in a language: its translation's, or its own column `own`. */
export const keyIn = (
  language: string | undefined,
  column: keyof Keys,
  { own, ...record }: Translated & { own: RawBuilder<string> },
): RawBuilder<string> =>
  language === undefined ? own : sql<string>`coalesce(${translationIn(language, column, record)}, ${own})`;
