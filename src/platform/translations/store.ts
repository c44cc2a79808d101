import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { ListColumn, TranslatedKind, TranslationsTable } from '../../db/tables/calendar.ts';
import type { Tables } from '../../db/tables.ts';
import { can } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { LINKED_KINDS, type LinkedKind, perLinkedKind } from '../../lib/linked-kinds.ts';
import type { Snapshot } from '../audit/kind.ts';
import {
  isNameless,
  nameColumn,
  overlayTexts,
  readLanguage,
  TEXT_FIELDS,
  type Texts,
  type Translation,
  textsOf,
} from './rules.ts';

/** Identifies a record: the ids of terms are a separate sequence, so the kind is needed. */
export interface RecordName {
  kind: TranslatedKind;
  id: number;
}

/** Omits the columns that only SQL compares. */
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

/** The translations of a record. */
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

/** Sort and search keys for all texts of a record in one language. */
export interface Keys {
  name_key: string;
  search_text: string;
}

interface Replacement {
  /** The record's own texts. */
  own: Texts;
  translations: readonly Translation[];
  /**
   * Computes keys from the texts of a language including fallbacks, so that a search in it finds the displayed texts.
   */
  keysOf(texts: Texts): Keys;
  /** Columns copied from an event. */
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

/** Deletes the translations of a permanently deleted record. */
export async function removeTranslations(db: Database, { kind, id }: RecordName): Promise<void> {
  await db.query.deleteFrom('translations').where('record_id', '=', id).where('kind', '=', kind).execute();
}

/** Translations of several records, loaded for a request. */
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
    if (this.#known.size === 0) return [];
    return this.#known.get(`${kind} ${id}`) ?? [];
  }

  #wanted(kind: TranslatedKind, id: number): Stored | undefined {
    return this.#of(kind, id).find(({ language }) => language === this.#language);
  }

  /** A record with its texts in the language of the request, falling back to those of the first language. */
  show<T extends { id: number }>(kind: TranslatedKind, record: T): T {
    const found = this.#wanted(kind, record.id);
    return found ? { ...overlayTexts(record, found.texts), [`${nameColumn(kind)}_key`]: found.name_key } : record;
  }

  /** The language in which the name of a record is displayed. */
  languageOf(kind: TranslatedKind, { id }: { id: number }): string {
    const column = nameColumn(kind);
    const found = this.#wanted(kind, id);
    if (found?.texts[column] !== undefined) return found.language;
    return this.#of(kind, id).find(({ provisional }) => provisional.includes(column))?.language ?? this.#preset;
  }

  /** Fields of a stored record by language; undefined if all are in the first only. */
  coverage(kind: TranslatedKind, record: { id: number }): Record<string, string[]> | undefined {
    const all = this.#of(kind, record.id);
    if (all.length === 0) return undefined;
    const fields = (columns: readonly string[]) =>
      Object.entries(TEXT_FIELDS[kind]).flatMap(([column, field]) => (columns.includes(column) ? [field] : []));
    const provisional = all.flatMap((translation) => translation.provisional);
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

/** Reader of texts: a request, or a job for a language. */
export type TextReader = Pick<RequestContext, 'context' | 'viewer' | 'language'>;

/**
 * Loads the translations of some records for a reader: those in its language, or in every language with `withAll` and
 * for viewers who may edit.
 */
export async function loadTranslations(
  ctx: TextReader,
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

/** A record in a statement. */
interface Translated {
  kind: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
}

/** A column of the translation of a record in a language; null without one. */
export const translationIn = <T>(language: string, column: keyof TranslationsTable, { kind, id }: Translated) =>
  sql<T | null>`(SELECT tr.${sql.ref(column)} FROM translations AS tr
    WHERE tr.record_id = ${id} AND tr.kind = ${kind} AND tr.language = ${language})`;

/** The name or search text of a record in a language: from its translation, else from its own column `own`. */
export const keyIn = (
  language: string | undefined,
  column: keyof Keys,
  { own, ...record }: Translated & { own: RawBuilder<string> },
): RawBuilder<string> =>
  language === undefined ? own : sql<string>`coalesce(${translationIn(language, column, record)}, ${own})`;

/** Tables of the records, by kind. */
const TABLES: Readonly<Record<TranslatedKind, keyof Tables>> = {
  event: 'events',
  ...perLinkedKind(() => 'linked_posts' as const),
  category: 'terms',
  tag: 'terms',
  ticket: 'tickets',
  media: 'media',
};

/** Name of the table of a kind of record. */
export const tableOf = (kind: TranslatedKind): RawBuilder<unknown> => sql.table(TABLES[kind]);

interface Gap {
  kind: TranslatedKind;
  /** undefined is the site's first, whose columns may show texts of others. */
  language: string | undefined;
  /** Id of the record in the statement. */
  id: RawBuilder<number>;
}

/** Condition: a record has no text in a language. `Translations.coverage` has the same rule in TypeScript. */
export function hasNoText(db: Database, { kind, language, id }: Gap): RawBuilder<SqlBool> {
  if (language !== undefined)
    return sql`NOT EXISTS (SELECT 1 FROM translations AS tl
      WHERE tl.record_id = ${id} AND tl.kind = ${sql.lit(kind)} AND tl.language = ${language})`;
  const isLent = (column: string) => db.dialect.contains(sql.ref('tl.provisional'), JSON.stringify(column));
  const isEmpty = (column: string) => sql`${sql.ref(`own.${column}`)} = ''`;
  const [name = 'title', ...others] = columnsOf(kind);
  const lent = others.map(
    (column) => sql`AND (${isEmpty(column)} OR EXISTS (SELECT 1 FROM translations AS tl
      WHERE tl.record_id = own.id AND tl.kind = ${sql.lit(kind)} AND ${isLent(column)}))`,
  );
  const isNameLent = sql<SqlBool>`${id} IN (SELECT own.id FROM translations AS tl JOIN ${tableOf(kind)} AS own ON own.id = tl.record_id
    WHERE tl.kind = ${sql.lit(kind)} AND ${isLent(name)} ${sql.join(lent, sql` `)})`;
  if (!isNameless(kind)) return isNameLent;
  return sql`(${isNameLent} OR EXISTS (SELECT 1 FROM ${tableOf(kind)} AS own WHERE own.id = ${id} AND ${isEmpty(name)}))`;
}

/** Translated columns of a kind, without attributes of linked posts. */
const columnsOf = (kind: TranslatedKind): string[] =>
  Object.keys(TEXT_FIELDS[kind]).filter((column) => !attributesOf(kind).includes(column));

const attributesOf = (kind: TranslatedKind): readonly string[] =>
  isLinkedKind(kind) ? LINKED_KINDS[kind].translatedAttributes : [];

const isLinkedKind = (kind: TranslatedKind): kind is LinkedKind => Object.hasOwn(LINKED_KINDS, kind);

/** Translated texts of a record for the audit log, by language and parameter. */
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
