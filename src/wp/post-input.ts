import type { AddProblem, Fields, RequestContext } from '../http/core/endpoint.ts';
import { ApiError, type Problem } from '../http/core/errors.ts';
import { custom } from '../http/input/schemas.ts';
import { readInput } from '../http/input/validate.ts';
import { MAX_COST_LENGTH } from '../lib/money/cost.ts';
import { isRecord } from '../lib/text/list.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import type { PostRow, PostType } from './post-type.ts';
import { nameFromRequest, textFromRequest } from './texts.ts';

/** Translates writes of `wp/v2` to the fields of the resources, whose own schemas and rules then validate them. */

const TEXT = { type: ['string', 'object'] };

/** Parameters of a write common to all types. */
const SHARED_FIELDS = {
  title: custom('Title: a text, or an object with `raw` or `rendered`. Tags in it are removed.', TEXT),
  content: custom('Description: a text, or an object with `raw` or `rendered`. HTML is cleaned.', TEXT),
  status: custom('Publication status; `draft` for a new record when absent.', { type: 'string' }),
  slug: custom('Slug; derived from the title by default.', { type: ['string', 'null'] }),
  author: custom('Account of the author.', { type: ['integer', 'null'] }),
  date: custom('Publication date in the time zone of the site.', { type: ['string', 'null'] }),
  date_gmt: custom('Publication date in UTC.', { type: ['string', 'null'] }),
  featured_media: custom('Id of the image; 0 for none.', { type: ['integer', 'null'] }),
};

const OWN_FIELDS: Readonly<Record<string, Fields[string]>> = {
  excerpt: custom('Excerpt: a text, or an object with `raw` or `rendered`. HTML is cleaned.', TEXT),
  password: custom('Password required to read the event; an empty text removes it.', { type: ['string', 'null'] }),
  tags: custom('Ids of tags.', { type: 'array', items: { type: 'integer' } }),
  tribe_events_cat: custom('Ids of categories.', { type: 'array', items: { type: 'integer' } }),
};

/** The parameters of a write of a type. */
export const writeFields = ({ names, meta }: Pick<PostType, 'names' | 'meta'>): Fields => ({
  ...SHARED_FIELDS,
  ...Object.fromEntries(Object.entries(OWN_FIELDS).filter(([name]) => name in names)),
  meta: custom(`Further fields: ${Object.keys(meta).join(', ')}. Others are ignored.`, { type: 'object' }),
});

/** Parameter -> field of the resource. */
const SHARED_NAMES = { status: 'status', slug: 'slug', author: 'author', date: 'date', date_gmt: 'date_utc' };

/** Values by field of the resource, and the parameter that sent each. */
interface ResourceValues {
  values: Map<string, unknown>;
  sentAs: ReadonlyMap<string, string>;
}

function toResourceValues(
  { names, meta }: Pick<PostType, 'names' | 'meta'>,
  sent: Readonly<Record<string, unknown>>,
): ResourceValues {
  const values = new Map<string, unknown>();
  const sentAs = new Map<string, string>();
  const take = (field: string, name: string, value: unknown) => {
    sentAs.set(field, name);
    if (value !== undefined) values.set(field, value);
  };
  for (const [name, field] of Object.entries({ ...SHARED_NAMES, ...names }))
    take(field, name, withoutShape(name, sent[name]));
  take('image', 'featured_media', isNothing(sent.featured_media) ? null : sent.featured_media);
  const sentMeta = isRecord(sent.meta) ? sent.meta : {};
  for (const [key, { field }] of Object.entries(meta)) take(field, `meta.${key}`, metaOf(key, sentMeta));
  return { values, sentAs };
}

function withoutShape(name: string, value: unknown): unknown {
  if (name === 'title') return nameFromRequest(value);
  return name === 'content' || name === 'excerpt' ? textFromRequest(value) : value;
}

/** Values that clients send for "no image". */
const isNothing = (value: unknown): boolean => value === 0 || value === '0' || value === '' || value === false;

/** Maximum length of a currency sign or code. */
const MAX_SYMBOL = 10;

/**
 * The value of a meta key. A cost is combined with its currency symbol; overlong values stay unchanged, so that the
 * schema rejects them.
 */
function metaOf(key: string, meta: Readonly<Record<string, unknown>>): unknown {
  const value = meta[key];
  const symbol = meta._EventCurrencySymbol;
  if (key !== '_EventCost' || typeof symbol !== 'string' || symbol.length > MAX_SYMBOL) return value;
  const cost = scalarText(value);
  if (cost === undefined || cost.length > MAX_COST_LENGTH || cost.includes(symbol) || !/\d/.test(cost)) return value;
  return cost.replace(/\d[\d.,]*/g, (amount) => `${symbol}${amount}`);
}

interface WriteContext<Row> {
  ctx: RequestContext;
  addProblem: AddProblem;
  current?: Row;
  isUpdate: boolean;
}

/**
 * Validates a write by the schemas of its resource, and looks up its references. Problems are reported under the names
 * of the request.
 * @throws {ApiError} rest_missing_callback_param
 */
export async function readWrite<Row extends PostRow, R>(
  type: PostType<Row, R>,
  sent: Readonly<Record<string, unknown>>,
  { ctx, addProblem, current, isUpdate }: WriteContext<Row>,
) {
  const { values, sentAs } = toResourceValues(type, sent);
  const nameOf = (field: string): string => sentAs.get(field) ?? field;
  if (!isUpdate) {
    requireValues(type.required.filter((field) => (values.get(field) ?? '') === '').map(nameOf));
    if (!values.has('status')) values.set('status', 'draft');
  }
  const refuseField = (field: string, problem: Problem) => addProblem(nameOf(field), problem);
  const { input, problems } = readInput(type.fields, [], values);
  for (const [field, problem] of problems) refuseField(field, problem);
  return { input, references: await type.references(input, { ctx, addProblem: refuseField, current, isUpdate }) };
}

function requireValues(missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw new ApiError('rest_missing_callback_param', {
    data: { params: missing },
    values: { count: missing.length, params: missing.join(', ') },
  });
}
