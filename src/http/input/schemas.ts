import { z } from 'zod';
import { type DateExpression, isZone, parseDate } from '../../lib/dates/dates.ts';
import type { MessageKey, MessageValues } from '../../lib/i18n.ts';
import { isMailAddress } from '../../lib/text/email.ts';
import { membersOf, parseIds, parseList } from '../../lib/text/list.ts';
import { isNumeric, MAX_NUMBER_LENGTH, scalarText } from '../../lib/text/scalar-text.ts';
import { isBlank, isLongerThan, plainLines, plainText, storable } from '../../lib/text/text.ts';
import type { Problem } from '../core/errors.ts';

/**
 * Schemas of parameters. Each accepts the variants that clients send (text, numbers, several spellings of a flag),
 * returns the value that rules use, and carries the JSON Schema that documents it.
 */

/** Refuses a value. The issue carries a message key, which is translated later. */
function reject(context: z.RefinementCtx, key: MessageKey, values: MessageValues = {}): typeof z.NEVER {
  context.addIssue({ code: 'custom', message: key, params: { values } });
  return z.NEVER;
}

/** A JSON Schema or part of one. */
export type Json = Readonly<Record<string, unknown>>;

/** A copy of a schema with another description, typed by its output only. */
const described = <T>(schema: z.ZodType<T>, json: Json): z.ZodType<T> => schema.meta(json);

/**
 * A schema that accepts any value and returns what a function reads from it. It takes a kilobyte: hundreds of
 * parameters exist, and a described pipe of `z.unknown()` takes three.
 */
const readAs = <T>(json: Json, read: (value: unknown, context: z.RefinementCtx) => T): z.ZodType<T> =>
  z.transform(read).register(z.globalRegistry, json);

/**
 * Creates a schema from a function that returns the value, or undefined if it is invalid. Text longer than the
 * `maxLength` of its JSON Schema is refused before the function is called.
 */
export function field<T>(json: Json, key: MessageKey, read: (value: unknown) => T | undefined): z.ZodType<T> {
  return limitedField(json, { key, max: typeof json.maxLength === 'number' ? json.maxLength : Infinity }, read);
}

/** Like `field`, for values documented as another type that may be sent as text. */
function limitedField<T>(
  json: Json,
  { key, max }: { key: MessageKey; max: number },
  read: (value: unknown) => T | undefined,
): z.ZodType<T> {
  return readAs(json, (value, context): T => {
    if (typeof value === 'string' && isLongerThan(value, max)) return reject(context, 'param.too_long', { max });
    return read(value) ?? reject(context, key);
  });
}

/** Problem reported by a schema of this file. */
export function problemOf(error: z.ZodError): Problem {
  const issue = error.issues[0];
  const values = issue && 'params' in issue ? (issue.params?.values as MessageValues | undefined) : undefined;
  // Every schema uses a message key as its message.
  return { key: (issue?.message ?? 'param.text') as MessageKey, values, code: 'rest_invalid_type' };
}

/** Reads a text. Booleans are refused, since they are usually meant for another field. */
const readText = (value: unknown): string | undefined => {
  const read = typeof value === 'boolean' ? undefined : scalarText(value);
  return read === undefined ? undefined : storable(read);
};

/** Maximum length of a long text: cleaning the worst HTML of this length takes a tenth of a second. */
const MAX_TEXT = 50_000;
const MAX_LINE = 2000;
const MAX_EMAIL = 254;
const MAX_DATE = 100;
const MAX_ZONE = 64;

interface TextOptions {
  /** Maximum number of characters. */
  max?: number;
}

/** Text that may be empty. Numbers are read as text. */
export const text = (description: string, { max = MAX_TEXT }: TextOptions = {}): z.ZodType<string> =>
  field({ type: 'string', description, maxLength: max }, 'param.text', readText);

/** Text that is not blank. */
export const filledText = (description: string, { max = MAX_LINE }: TextOptions = {}): z.ZodType<string> =>
  field({ type: 'string', description, minLength: 1, maxLength: max }, 'param.filled_text', (value) => {
    const read = readText(value);
    return read === undefined || isBlank(read) ? undefined : read;
  });

/** One line of plain text that is not empty after tags are removed: for names shown to others. */
export const plainLine = (description: string, { max = MAX_LINE }: TextOptions = {}): z.ZodType<string> =>
  field(
    { type: 'string', description: `${description} Plain text.`, minLength: 1, maxLength: max },
    'param.filled_text',
    (value) => {
      const line = plainText(readText(value) ?? '');
      return isBlank(line) ? undefined : line;
    },
  );

/** Lines of plain text that are not empty after tags are removed. */
export const plainBlock = (description: string, { max = MAX_TEXT }: TextOptions = {}): z.ZodType<string> =>
  field({ type: 'string', description, maxLength: max }, 'param.filled_text', (value) => {
    const lines = typeof value === 'string' ? plainLines(storable(value)) : '';
    return isBlank(lines) ? undefined : lines;
  });

/** A field of a record that `null` and `""` clear, both of which give null. */
export function clearable<T>(schema: z.ZodType<T>): z.ZodType<T | null> {
  return readAs({ ...schema.meta(), nullable: true }, (value, context): T | null => {
    if (value === null || value === '') return null;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const { key, values } = problemOf(result.error);
    return reject(context, key, values);
  });
}

interface OtherForm {
  /** Converts the other form to one that the schema accepts. */
  convert?(value: unknown): unknown;
  /** Documents both forms. */
  json?: Json;
}

/** Extends a schema to accept the form that its values have in responses. */
export const alsoAs = <T>(schema: z.ZodType<T>, { convert = (value) => value, json }: OtherForm): z.ZodType<T> =>
  described(z.transform(convert).pipe(schema), { ...(json ?? schema.meta()) });

/** Values for documented defaults. */
export interface SiteDefaults {
  /** Default page size of lists. */
  perPage: number;
  /** Time zone of the site. */
  timezone: string;
  now: Date;
  /** Product word of the namespaces. */
  word: string;
}

/**
 * Documents the default of a parameter; the endpoint applies it. A function computes a default that depends on the site
 * or the day.
 */
export const withDefault = <T>(
  schema: z.ZodType<T>,
  preset: unknown | ((site: SiteDefaults) => unknown),
): z.ZodType<T> => described(schema, { ...schema.meta(), default: preset });

/** A query parameter of many endpoints, described once in the OpenAPI document as the component with this name. */
export const sharedParameter = <T>(component: string, schema: z.ZodType<T>): z.ZodType<T> =>
  described(schema, { ...schema.meta(), component });

/** Query parameters that some endpoints share, as components whose names begin with `prefix`. */
export const sharedParameters = <F extends Readonly<Record<string, z.ZodType>>>(prefix: string, fields: F): F => {
  const shared = Object.entries(fields).map(([name, schema]) => [
    name,
    schema.meta()?.component ? schema : sharedParameter(`${prefix}_${name}`, schema),
  ]);
  // Each schema keeps its type.
  return Object.fromEntries(shared) as F;
};

/**
 * A translatable text of a record, written in the language of the request.
 * @example
 * translatable(text('Line below the title.', { max: 500 }))
 */
export const translatable = <T>(schema: z.ZodType<T>): z.ZodType<T> =>
  described(schema, { ...schema.meta(), 'x-translatable': true });

const readNumber = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !isNumeric(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
};

interface NumberRange {
  min?: number;
  max?: number;
}

/** A whole number, also as text (`"5"`, `" 5"`, `"5.0"`, `"5e0"`). */
export function integer(description: string, { min = 0, max = Number.MAX_SAFE_INTEGER }: NumberRange = {}) {
  const json = { type: 'integer', description, minimum: min, ...(max < Number.MAX_SAFE_INTEGER && { maximum: max }) };
  return limitedField(json, { key: 'param.integer', max: MAX_NUMBER_LENGTH }, (value) => {
    const number = readNumber(value);
    // The sum makes a negative zero positive.
    return number !== undefined && Number.isInteger(number) && number >= min && number <= max ? number + 0 : undefined;
  });
}

/** A number with or without a fraction, also as text. */
export const decimal = (description: string, { min = -Infinity, max = Infinity }: NumberRange = {}) =>
  limitedField({ type: 'number', description }, { key: 'param.number', max: MAX_NUMBER_LENGTH }, (value) => {
    const number = readNumber(value);
    return number !== undefined && number >= min && number <= max ? number : undefined;
  });

const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

/** true, false, 1, 0, yes, no, on, off in any letter case; undefined for anything else. */
export const readBoolean = (value: unknown): boolean | undefined =>
  FLAGS.get(scalarText(value)?.trim().toLowerCase() ?? '');

export const boolean = (description: string): z.ZodType<boolean> =>
  limitedField({ type: 'boolean', description }, { key: 'param.boolean', max: MAX_NUMBER_LENGTH }, readBoolean);

/** Maximum number of items: each is looked up, and a statement takes a limited number of values. */
const MAX_ITEMS = 1000;
/** Maximum length of a list sent as one text; a query is shorter. */
const MAX_LIST = 20_000;

interface ListOptions {
  /** Maximum number of items. */
  max?: number;
  /** Maximum length of an item. */
  maxLength?: number;
}

/** The limit that a list exceeds, checked before it is parsed. */
function excessOf(value: unknown, max: number): { key: MessageKey; values: MessageValues } | undefined {
  const texts = typeof value === 'string' ? [value] : (membersOf(value) ?? []);
  if (texts.length > max) return { key: 'param.too_many', values: { max } };
  const isLong = texts.some((text) => typeof text === 'string' && text.length > MAX_LIST);
  return isLong ? { key: 'param.too_long', values: { max: MAX_LIST } } : undefined;
}

interface ListRule<T> {
  key: MessageKey;
  /** Values for the message. */
  values?: MessageValues;
  /** Maximum number of items. */
  max: number;
  /** Maximum number of characters of an item. */
  maxLength: number;
  read(value: unknown): T[] | undefined;
}

/** A non-empty list; its length is checked before it is parsed. */
const list = <T extends string | number>(
  json: Json,
  { key, values, max, maxLength, read }: ListRule<T>,
): z.ZodType<T[]> =>
  readAs({ type: 'array', maxItems: max, ...json }, (value, context): T[] => {
    const excess = excessOf(value, max);
    if (excess) return reject(context, excess.key, excess.values);
    const items = read(value);
    if (!items?.length) return reject(context, key, values);
    if (items.length > max) return reject(context, 'param.too_many', { max });
    const isLong = items.some((item) => typeof item === 'string' && isLongerThan(item, maxLength));
    return isLong ? reject(context, 'param.item_too_long', { max: maxLength }) : items;
  });

/**
 * Ids as CSV, list or single number.
 * @example
 * ids('Ids of events.').parse('3,5'); // [3, 5]
 */
export const ids = (description: string): z.ZodType<number[]> =>
  list(
    { items: { type: 'integer', minimum: 1 }, description },
    { key: 'param.ids', max: MAX_ITEMS, maxLength: MAX_NUMBER_LENGTH, read: parseIds },
  );

const readTexts = (value: unknown) => parseList(value, { splitItems: true })?.map(storable);

/** Texts as CSV, list or single text; at least one. */
export const texts = (
  description: string,
  { max = MAX_ITEMS, maxLength = 300 }: ListOptions = {},
): z.ZodType<string[]> =>
  list({ items: { type: 'string', maxLength }, description }, { key: 'param.list', max, maxLength, read: readTexts });

/** Maximum length of a slug or name of a record. */
const MAX_REFERENCE = 300;
const referenceSchema = { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: MAX_REFERENCE }] };

/** A record named by a filter, by its id or by text such as its slug. Both are returned as text. */
export const reference = (description: string): z.ZodType<string> =>
  field({ ...referenceSchema, description }, 'param.filled_text', (value) => readText(value)?.trim() || undefined);

/** Records named by a filter, by id or text, as CSV, list or single value; at least one. */
export const references = (description: string, { max = MAX_ITEMS }: Pick<ListOptions, 'max'> = {}) =>
  list<string>(
    { items: referenceSchema, description },
    { key: 'param.list', max, maxLength: MAX_REFERENCE, read: readTexts },
  );

/**
 * One of several words, spelled exactly.
 * @example
 * oneOf('Order of the list.', ['asc', 'desc'])
 */
export const oneOf = <const T extends string>(description: string, allowed: readonly T[]): z.ZodType<T> =>
  readAs({ type: 'string', enum: [...allowed], description }, (value, context): T => {
    const found = allowed.find((item) => item === value);
    return found ?? reject(context, 'param.one_of', { allowed: allowed.join(', ') });
  });

/** Some of several words, spelled exactly, as CSV, list or single text; at least one. */
export function someOf<const T extends string>(description: string, allowed: readonly T[]): z.ZodType<T[]> {
  const isAllowed = (item: string): item is T => (allowed as readonly string[]).includes(item);
  const read = (value: unknown): T[] | undefined => {
    const items = readTexts(value);
    return items?.every(isAllowed) ? [...new Set(items)] : undefined;
  };
  return list(
    { items: { type: 'string', enum: [...allowed] }, description },
    { key: 'param.one_of', values: { allowed: allowed.join(', ') }, max: MAX_ITEMS, maxLength: MAX_REFERENCE, read },
  );
}

/** Date in any accepted format. Rules resolve it, since they know the time zone. */
export const date = (description: string): z.ZodType<DateExpression> =>
  field({ type: 'string', description, maxLength: MAX_DATE }, 'param.date', (value) => {
    const read = readText(value);
    return read === undefined ? undefined : parseDate(read);
  });

const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d(?::00)?$/;

/** A time of day as `HH:MM`; also with seconds, as browsers may send it. */
export const timeOfDay = (description: string): z.ZodType<string> =>
  field({ type: 'string', description, maxLength: 8, examples: ['19:30'] }, 'param.time', (value) =>
    typeof value === 'string' && TIME_OF_DAY.test(value) ? value.slice(0, 5) : undefined,
  );

const COLOR = /^#[0-9a-f]{6}$/i;

/** A colour as `#rrggbb`, in lower case. */
export const color = (description: string): z.ZodType<string> =>
  field({ type: 'string', pattern: '^#[0-9A-Fa-f]{6}$', description }, 'param.color', (value) =>
    typeof value === 'string' && COLOR.test(value) ? value.toLowerCase() : undefined,
  );

/** A time zone: an IANA name, or an offset such as `UTC+2`. */
export const zone = (description: string): z.ZodType<string> =>
  field({ type: 'string', description, maxLength: MAX_ZONE }, 'param.zone', (value) =>
    typeof value === 'string' && isZone(value.trim()) ? value.trim() : undefined,
  );

/** An absolute URL with a scheme allowed for links. */
export const url = (description: string): z.ZodType<string> =>
  field({ type: 'string', format: 'uri', description, maxLength: MAX_LINE }, 'param.url', (value) => {
    if (typeof value !== 'string') return undefined;
    const address = value.trim();
    if (!/^(https?|ftps?):\/\/[^\s/?#]/i.test(address) || /[\s"<>\p{Cc}\p{Cs}]/u.test(address)) return undefined;
    return URL.canParse(address) ? address : undefined;
  });

/** An e-mail address that mails can be sent to. */
export const email = (description: string): z.ZodType<string> =>
  field({ type: 'string', format: 'email', description, maxLength: MAX_EMAIL }, 'param.email', (value) => {
    const { data } = z.email().safeParse(value);
    return data !== undefined && isMailAddress(data) ? data : undefined;
  });

/** A value that the endpoint validates itself. */
export const custom = (description: string, json: Json = {}): z.ZodType<unknown> =>
  z.unknown().meta({ ...json, description });

/** Search text of a list filter. Unlike fields of records, filters refuse empty values. */
export const searchText = (description: string): z.ZodType<string> => filledText(description, { max: 500 });
