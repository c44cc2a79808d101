import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { EVENT_TEXTS, type TranslatedKind } from '../../db/tables/calendar.ts';
import type { AddProblem, LookupContext, RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { LINKED_KINDS, perLinkedKind } from '../../lib/linked-kinds.ts';
import { cleanHtml, paragraphs } from '../../lib/text/html.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import { isBlank, plainText } from '../../lib/text/text.ts';

/**
 * Rules for the texts of records in several languages. Texts in the site's first language are in the record's own
 * columns; other languages have translations with the texts that exist, and the rest falls back.
 */

/**
 * Translated texts of each kind of record: columns, or attributes of linked posts, with the parameter that writes each.
 * The name comes first.
 */
export const TEXT_FIELDS: Readonly<Record<TranslatedKind, Readonly<Record<string, string>>>> = {
  event: Object.fromEntries(EVENT_TEXTS.map((column) => [column, column])),
  ...perLinkedKind((kind) => ({
    title: kind,
    description: 'description',
    ...Object.fromEntries(LINKED_KINDS[kind].translatedAttributes.map((name) => [name, name])),
  })),
  category: { name: 'name', description: 'description' },
  tag: { name: 'name', description: 'description' },
  ticket: { title: 'name', description: 'description' },
  media: { alt: 'alt' },
};

/** Kinds whose first text may be empty. */
const NAMELESS: readonly TranslatedKind[] = ['media'];
export const isNameless = (kind: TranslatedKind): boolean => NAMELESS.includes(kind);

/** HTML texts; all others are plain text. */
const HTML_TEXTS: readonly string[] = ['description', 'excerpt'];

/** Only shown to users who may edit a record; built by `Translations.coverage`. */
export const translationsSchema = z
  .record(z.string(), z.array(z.string()))
  .describe(
    'Language -> the fields with a text in it. Only for users who may edit the record, once there is a text in ' +
      'a language other than the first.',
  )
  .meta({ id: 'Translations' });

/** The column of the name of a kind of record. */
export const nameColumn = (kind: TranslatedKind): string => Object.keys(TEXT_FIELDS[kind])[0] ?? 'title';

/** Texts by column. */
export type Texts = Readonly<Record<string, string>>;

/** The texts of a record in one language other than the site's first. */
export interface Translation {
  language: string;
  /** Non-empty texts only. */
  texts: Texts;
  /** Columns whose text the record's own column shows too, until it has one in the first language. */
  provisional: readonly string[];
}

/** All texts of a record. */
export interface RecordTexts {
  /** Texts in the first language, or provisional ones in another. */
  own: Texts;
  translations: readonly Translation[];
}

/** The language in which a request reads; undefined for the site's first. */
export const readLanguage = ({
  language,
  context,
}: Pick<RequestContext, 'language' | 'context'>): string | undefined =>
  language === context.config.languages[0] ? undefined : language;

/**
 * The language in which a request writes; undefined for the site's first. Only the parameter counts: browsers send
 * `Accept-Language` by themselves, and a client unaware of languages must not start a translation.
 */
export const writtenLanguage = ({ askedLanguage, context }: RequestContext): string | undefined =>
  askedLanguage === context.config.languages[0] ? undefined : askedLanguage;

/** The language named by a filter, in the form of `readLanguage`; throws for a language that the site does not have. */
export function findLanguage(
  name: string,
  language: string | undefined,
  { ctx, addProblem }: LookupContext,
): { language: string | undefined } | undefined {
  const { languages } = ctx.context.config;
  if (language === undefined) return undefined;
  if (!languages.includes(language))
    addProblem(name, { key: 'param.one_of', values: { allowed: languages.join(', ') } });
  return { language: language === languages[0] ? undefined : language };
}

/**
 * The texts of a record after a write in one language, which changes that language only; an empty text removes one. The
 * texts of a record created in a language other than the first are provisional in the first until it gets its own, so
 * that fallbacks always find a text.
 */
function writeTexts(
  before: RecordTexts | undefined,
  changes: Texts,
  { language, name }: { language: string | undefined; name: string },
): RecordTexts {
  const { own, translations } = before ?? { own: {}, translations: [] };
  const isChanged = (column: string): boolean => Object.hasOwn(changes, column);
  if (language === undefined) {
    const kept = translations.map((translation) => ({
      ...translation,
      provisional: translation.provisional.filter((column) => !isChanged(column)),
    }));
    return { own: { ...own, ...changes }, translations: kept };
  }
  const known = translations.find((translation) => translation.language === language) ?? {
    language,
    texts: {},
    provisional: [],
  };
  // A record without a name in the first language does not exist in it yet.
  const isOriginal = !own[name] || known.provisional.length > 0;
  const isLent = (column: string): boolean => known.provisional.includes(column) || (isOriginal && !own[column]);
  const texts = filled({ ...known.texts, ...changes });
  const lending = Object.keys(changes).filter(isLent);
  const provisional = [...new Set([...known.provisional, ...lending])].filter((column) => texts[column] !== undefined);
  const others = translations.filter((translation) => translation !== known);
  return {
    own: { ...own, ...Object.fromEntries(lending.map((column) => [column, changes[column] ?? ''])) },
    translations: withTexts(others, { language, texts, provisional }),
  };
}

const withTexts = (others: readonly Translation[], translation: Translation): readonly Translation[] =>
  Object.keys(translation.texts).length > 0 ? [...others, translation] : others;

/** Merges the texts of two records: `other` fills in where `one` has no text in a language. */
export function joinTexts(one: RecordTexts, other: RecordTexts): RecordTexts {
  const lentBy = ({ translations }: RecordTexts) => translations.flatMap(({ provisional }) => provisional);
  const [lent, otherLent] = [lentBy(one), lentBy(other)];
  const gained = lent.filter((column) => other.own[column] && !otherLent.includes(column));
  const languages = [...one.translations, ...other.translations].map(({ language }) => language);
  const find = ({ translations }: RecordTexts, language: string) =>
    translations.find((translation) => translation.language === language);
  return {
    own: { ...one.own, ...Object.fromEntries(gained.map((column) => [column, other.own[column] ?? ''])) },
    translations: [...new Set(languages)].map((language) => {
      const [mine, theirs] = [find(one, language), find(other, language)];
      return {
        language,
        texts: { ...theirs?.texts, ...mine?.texts },
        provisional: (mine?.provisional ?? []).filter((column) => !gained.includes(column)),
      };
    }),
  };
}

/**
 * The texts of a record after `to` replaces `from` as the site's first language. Existing texts stay in their
 * languages; if `to` has no text, the record keeps showing its current one as provisional.
 */
export function moveTexts({ own, translations }: RecordTexts, { from, to }: { from: string; to: string }): RecordTexts {
  const brought = translations.find(({ language }) => language === to)?.texts ?? {};
  const isMissing = (column: string): boolean => brought[column] === undefined;
  const borrowed = translations.flatMap(({ provisional }) => provisional);
  const texts = filled(Object.fromEntries(Object.entries(own).filter(([column]) => !borrowed.includes(column))));
  const others = translations
    // Other texts of `from` would be outdated ones that were never visible.
    .filter(({ language }) => language !== from && language !== to)
    .map((translation) => ({ ...translation, provisional: translation.provisional.filter(isMissing) }));
  return {
    own: { ...own, ...brought },
    translations: withTexts(others, { language: from, texts, provisional: Object.keys(texts).filter(isMissing) }),
  };
}

const filled = (texts: Texts): Texts => Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));

/**
 * Cached by the input of a write: sanitising a long text takes a tenth of a second, and a transaction may run again.
 */
const CLEANED = new WeakMap<object, Texts>();

/** The texts of a write by column, as plain text or sanitised HTML. */
export function textsToWrite(kind: TranslatedKind, input: object): Texts {
  const cached = CLEANED.get(input);
  if (cached) return cached;
  const texts = cleanTexts(kind, input);
  CLEANED.set(input, texts);
  return texts;
}

function cleanTexts(kind: TranslatedKind, input: object): Texts {
  const sent = input as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(TEXT_FIELDS[kind]).flatMap(([column, field]) => {
      const value = sent[field];
      if (value === undefined) return [];
      const text = typeof value === 'string' ? value : '';
      return [[column, HTML_TEXTS.includes(column) ? cleanHtml(text) : plainText(text)]];
    }),
  );
}

/** Rejects a name that consists of tags only. It may be cleared, since the translation of a name can be removed. */
export function checkName(
  kind: TranslatedKind,
  input: object,
  { ctx, addProblem, isUpdate }: { ctx: RequestContext; addProblem: AddProblem; isUpdate: boolean },
): void {
  const field = TEXT_FIELDS[kind][nameColumn(kind)] ?? '';
  const name = (input as Readonly<Record<string, unknown>>)[field];
  if (name === undefined) return;
  const mayGo = isUpdate && writtenLanguage(ctx) !== undefined;
  const isFilled = typeof name === 'string' && !isBlank(plainText(name));
  if (!isFilled && !(name === null && mayGo)) addProblem(field, { key: 'param.filled_text' });
}

/** A record before a write: its row and its translations. */
export interface PreviousTexts {
  record: object;
  translations: readonly Translation[];
}

/**
 * The texts of a record after a request.
 * @throws {InvalidParams} if its only name would be cleared
 */
export function applyTexts(
  kind: TranslatedKind,
  input: object,
  { ctx, before }: { ctx: RequestContext; before?: PreviousTexts },
): RecordTexts {
  const known = before && { own: textsOf(kind, before.record), translations: before.translations };
  const language = writtenLanguage(ctx);
  const sent = asStored(textsToWrite(kind, input), known && textsFor(known, language));
  const name = nameColumn(kind);
  const after = writeTexts(known, sent, { language, name });
  if (sent[name] === '' && !after.own[name] && !isNameless(kind))
    throw invalidParam(TEXT_FIELDS[kind][name] ?? name, 'param.only_text');
  return after;
}

/** The texts of a record in a language, without fallbacks. */
const textsFor = ({ own, translations }: RecordTexts, language: string | undefined): Texts | undefined =>
  language === undefined ? own : translations.find((translation) => translation.language === language)?.texts;

/** Keeps the stored text if the sent HTML equals its rendered form, with paragraphs instead of line breaks. */
const asStored = (sent: Texts, stored: Texts = {}): Texts =>
  Object.fromEntries(
    Object.entries(sent).map(([column, text]) => {
      const known = stored[column] ?? '';
      const isSame = HTML_TEXTS.includes(column) && paragraphs(text) === paragraphs(known);
      return [column, isSame ? known : text];
    }),
  );

/** The translations to store after a write; undefined if they do not change. */
export const changedTranslations = (
  { translations }: RecordTexts,
  before: readonly Translation[] = [],
): { translations?: readonly Translation[] } => (before.length > 0 || translations.length > 0 ? { translations } : {});

/** Whether a write leaves all translations of a record unchanged. */
export function isSameTranslations(one: readonly Translation[], other: readonly Translation[]): boolean {
  const byLanguage = (all: readonly Translation[]) =>
    Object.fromEntries(all.map(({ language, texts, provisional }) => [language, { texts, provisional }]));
  return isDeepStrictEqual(byLanguage(one), byLanguage(other));
}

/** The translated texts of a row. */
export function textsOf(kind: TranslatedKind, record: object): Texts {
  const columns = { ...attributesOf(record), ...record } as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(TEXT_FIELDS[kind]).map((column) => [column, scalarText(columns[column]) ?? '']),
  );
}

/** Replaces the texts of a row. Texts that are not columns are attributes, which are absent if empty. */
export function overlayTexts<T extends object>(record: T, texts: Texts): T {
  const attributes = attributesOf(record);
  const isColumn = ([name]: [string, string]): boolean => attributes === undefined || Object.hasOwn(record, name);
  const all = Object.entries(texts);
  const columns = Object.fromEntries(all.filter(isColumn));
  const others = all.filter((entry) => !isColumn(entry));
  if (others.length === 0) return { ...record, ...columns };
  return { ...record, ...columns, attributes: filled({ ...attributes, ...Object.fromEntries(others) }) };
}

/** The attributes of a linked post; undefined for other records. */
const attributesOf = (record: { attributes?: Texts }): Texts | undefined => record.attributes;
