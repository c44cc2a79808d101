import { isDeepStrictEqual } from 'node:util';
import { EVENT_TEXTS, type LinkKind } from '../../../db/tables/calendar.ts';
import { addSeconds, secondsBetween } from '../../../lib/dates/dates.ts';
import { moveTexts, type Translation, textsOf as textsOfRow } from '../../../platform/translations/rules.ts';
import { movedTimes } from '../copy.ts';
import { type Event, type EventValues, type Links, valuesOf } from '../store.ts';
import type { EventTimes } from '../times.ts';

/** Fields that the occurrences of a series share, and fields that one of them has changed for itself. */

/** Columns that every occurrence has of its own. A parent may be deleted, or be an occurrence itself. */
const OWN = [
  ...(['modified', 'modified_utc', 'slug', 'trashed_from', 'utc_previous_start_date', 'parent_id'] as const),
] as const;

const TIMES = [
  ...(['all_day', 'start_date', 'end_date', 'utc_start_date', 'utc_end_date', 'timezone', 'timezone_abbr'] as const),
] as const;

/** The time of publication is shared by scheduled events. */
const PUBLICATION = ['status', 'date', 'date_utc'] as const;

const COST = ['cost', 'currency_symbol', 'currency_position', 'currency_code'] as const;

type OwnColumn = (typeof OWN)[number];
type SharedValues = Omit<EventValues, OwnColumn>;

/** Values of the occurrences; the day of its times has no meaning. */
export interface Template {
  values: SharedValues;
  links: Links;
  translations: readonly Translation[];
  /** Version of the series that changed each field last; absent for fields unchanged since the beginning. */
  changed?: Readonly<Record<SharedField, number>>;
}

/** A field: `times`, `cost`, a kind of links, a column, or a text in another language such as `title@fr`. */
export type SharedField = string;

const isOwn = (column: string): boolean => OWN.some((name) => name === column);

/** The field of a column; undefined for columns that are not shared. */
function fieldOf(column: string): SharedField | undefined {
  if (isOwn(column)) return undefined;
  if (TIMES.some((name) => name === column)) return 'times';
  if (PUBLICATION.some((name) => name === column)) return 'status';
  return COST.some((name) => name === column) ? 'cost' : column;
}

export function templateOf(event: Event, links: Links, translations: readonly Translation[]): Template {
  const shared = Object.entries(valuesOf(event)).filter(([column]) => !isOwn(column));
  // All columns but the ones left out.
  return { values: Object.fromEntries(shared) as SharedValues, links, translations };
}

/** The field of a text in a language other than the first, such as `title@fr`. */
const translatedField = (column: string, language: string): SharedField => `${column}@${language}`;

/** Texts in other languages by field. */
const textsOf = (translations: readonly Translation[]): Map<SharedField, string> =>
  new Map(
    translations.flatMap(({ language, texts }) =>
      Object.entries(texts).map(([column, text]): [SharedField, string] => [translatedField(column, language), text]),
    ),
  );

/** The fields that differ between two states. The trash is not among them: it belongs to the dates. */
export function changedFields(before: Template, after: Template): SharedField[] {
  const columns = Object.keys(after.values) as (keyof SharedValues)[];
  const changed = columns.filter((column) => !isDeepStrictEqual(before.values[column], after.values[column]));
  const statuses = [before, after].map(({ values }) => values.status);
  const isChange = (column: string): boolean =>
    fieldOf(column) !== 'status' ||
    (!statuses.includes('trash') && (column === 'status' || after.values.status === 'future'));
  const fields = changed.filter(isChange).flatMap((column) => fieldOf(column) ?? []);
  const [former, texts] = [textsOf(before.translations), textsOf(after.translations)];
  const translated = [...former.keys(), ...texts.keys()].filter((field) => former.get(field) !== texts.get(field));
  const kinds = Object.keys({ ...before.links, ...after.links }) as LinkKind[];
  const links = kinds.filter((kind) => !isDeepStrictEqual(before.links[kind] ?? [], after.links[kind] ?? []));
  return [...new Set([...fields, ...translated, ...links])];
}

/** A template with some fields of another state. */
export function withFields(template: Template, fields: readonly SharedField[], state: Template): Template {
  const columns = Object.entries(state.values).filter(([column]) => fields.includes(fieldOf(column) ?? ''));
  const links = Object.entries(state.links).filter(([kind]) => fields.includes(kind));
  const gone = Object.keys(template.links).filter((kind) => fields.includes(kind) && !(kind in state.links));
  return {
    ...template,
    values: { ...template.values, ...Object.fromEntries(columns) },
    links: {
      ...template.links,
      ...Object.fromEntries(gone.map((kind) => [kind, []])),
      ...Object.fromEntries(links),
    },
    translations: joined(template.translations, state.translations, fields),
  };
}

/**
 * A template with the change of some fields. Of times, the time of the start, the length and the zone change by themselves:
 * an event with times of its own does not pass the others on.
 */
export function withChange(
  template: Template,
  fields: readonly SharedField[],
  { before, after }: { before: Template; after: Template },
): Template {
  const others = fields.filter((field) => field !== 'times');
  const whole = withFields(template, others, after);
  if (others.length === fields.length) return whole;
  return { ...whole, values: { ...whole.values, ...changedTimes(template.values, before.values, after.values) } };
}

function changedTimes(template: EventTimes, before: EventTimes, after: EventTimes): EventTimes {
  const isSame = (read: (times: EventTimes) => unknown): boolean => read(before) === read(after);
  const timeOf = ({ start_date }: EventTimes): string => start_date.slice(11);
  const lengthOf = ({ start_date, end_date }: EventTimes): number => secondsBetween(start_date, end_date);
  if (!isSame(({ all_day }) => all_day)) return pickTimes(after);
  const time = timeOf(isSame(timeOf) ? template : after);
  const start_date = `${template.start_date.slice(0, 10)} ${time}`;
  const timezone = isSame((times) => times.timezone) ? template.timezone : after.timezone;
  const end_date = addSeconds(start_date, lengthOf(isSame(lengthOf) ? template : after));
  return movedTimes({ ...pickTimes(template), timezone, start_date, end_date }, start_date);
}

/** The times of an event. */
export function pickTimes(event: EventTimes): EventTimes {
  const { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr } = event;
  return { all_day, start_date, end_date, utc_start_date, utc_end_date, timezone, timezone_abbr };
}

/** A template whose fields changed in a version of its series. */
export const changedIn = (version: number, template: Template, fields: readonly SharedField[]): Template => ({
  ...template,
  changed: { ...template.changed, ...Object.fromEntries(fields.map((field) => [field, version])) },
});

/** Another first language of the site. */
interface Languages {
  from: string;
  to: string;
}

/** A field after `to` replaced `from` as the first language, whose texts have the bare names. */
export function fieldAfterSwitch(field: SharedField, { from, to }: Languages): SharedField {
  if (EVENT_TEXTS.some((column) => column === field)) return translatedField(field, from);
  const [column = field, language] = field.split('@');
  return language === to ? column : field;
}

/** A template after another language became the first. */
export function templateAfterSwitch(template: Template, languages: Languages): Template {
  const { values, translations, changed = {} } = template;
  const moved = moveTexts({ own: textsOfRow('event', values), translations }, languages);
  const fields = Object.entries(changed).map(([field, version]) => [fieldAfterSwitch(field, languages), version]);
  return {
    ...template,
    values: { ...values, ...moved.own },
    translations: moved.translations,
    changed: Object.fromEntries(fields),
  };
}

/** The fields that changed after a version. Others may have changed in an event alone, for example by a merge. */
export const changedSince = (version: number, { changed = {} }: Template): SharedField[] =>
  Object.entries(changed).flatMap(([field, last]) => (last > version ? [field] : []));

/**
 * Translations with the texts of some fields from `other`, and all else from `base`. Whether the first language borrows a
 * text also follows the field of the first language.
 */
function joined(
  base: readonly Translation[],
  other: readonly Translation[],
  fields: readonly SharedField[],
): Translation[] {
  const languages = [...new Set([...base, ...other].map(({ language }) => language))];
  return languages.flatMap((language) => {
    const [kept, taken] = [base, other].map((list) => list.find((one) => one.language === language));
    const isTaken = (column: string): boolean => fields.includes(translatedField(column, language));
    const texts = {
      ...Object.fromEntries(Object.entries(kept?.texts ?? {}).filter(([column]) => !isTaken(column))),
      ...Object.fromEntries(Object.entries(taken?.texts ?? {}).filter(([column]) => isTaken(column))),
    };
    const provisional = Object.keys(texts).filter((column) =>
      (isTaken(column) || fields.includes(column) ? taken : kept)?.provisional.includes(column),
    );
    return Object.keys(texts).length > 0 ? [{ language, texts, provisional }] : [];
  });
}
