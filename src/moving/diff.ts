import { ApiError } from '../http/core/errors.ts';
import { Urls } from '../http/core/urls.ts';
import { callEndpoint } from '../http/pipeline/call.ts';
import { isRecord } from '../lib/text/list.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import { originalOf } from '../platform/media/former-files.ts';
import { getEndpoint, type InProcessContext } from '../platform/users/in-process-context.ts';
import { type Finding, idOf, websiteOf } from './drafts.ts';
import { isOfFile } from './file-differences.ts';
import { findStoredImages } from './images.ts';
import { wasFile } from './links.ts';
import { type Item, type Source, SourceRefusal } from './source.ts';
import { wholeTicket } from './steps.ts';
import { imagesIn, importedHtml, importedTitle } from './texts.ts';

/** Compares a source with this site, record by record and field by field, as clients of its interface see them. */

export interface DiffOptions {
  source: Source;
  ctx: InProcessContext;
  /** Reports a difference; with `isKnown`, the report of the import explains it. */
  onDifference(difference: Difference): void;
}

interface Difference {
  kind: string;
  id: number;
  /** Empty for a record that is missing. */
  field: string;
  there: string;
  here: string;
  isKnown: boolean;
}

interface List {
  kind: 'category' | 'tag' | 'venue' | 'organizer' | 'event' | 'ticket' | 'attendee';
  path: string;
  key: string;
  endpoint: string;
  query?: Record<string, string>;
  needsAccount?: boolean;
}

const EVENTS = 'tribe/events/v1';
const TICKETS = 'tribe/tickets/v1';

const LISTS: readonly List[] = [
  {
    kind: 'category',
    path: `${EVENTS}/categories`,
    key: 'categories',
    endpoint: 'categories.read',
    query: { hide_empty: 'false' },
  },
  { kind: 'tag', path: `${EVENTS}/tags`, key: 'tags', endpoint: 'tags.read', query: { hide_empty: 'false' } },
  { kind: 'venue', path: `${EVENTS}/venues`, key: 'venues', endpoint: 'venues.read' },
  { kind: 'organizer', path: `${EVENTS}/organizers`, key: 'organizers', endpoint: 'organizers.read' },
  {
    ...{ kind: 'event', path: `${EVENTS}/events`, key: 'events', endpoint: 'events.read' },
    query: { start_date: '1970-01-02', end_date: '2200-01-01' },
  },
  {
    kind: 'ticket',
    path: `${TICKETS}/tickets`,
    key: 'tickets',
    endpoint: 'tickets.read',
    query: { orderby: 'id', order: 'ASC' },
  },
  {
    ...{ kind: 'attendee', path: `${TICKETS}/attendees`, key: 'attendees', endpoint: 'attendees.read' },
    ...{ query: { orderby: 'id', order: 'ASC' }, needsAccount: true },
  },
];

/** Members that are not compared, wherever they are; docs/moving.md names the most important ones. */
const KNOWN_MEMBERS = new Set([
  // Addresses of the interface follow from ids and the host.
  ...['rest_url', 'urls', '_links', 'global_id', 'global_id_lineage', 'meta', 'filter', 'term_group', 'type'],
  // Accounts stay behind, and the time of an import is a time of change.
  ...['author', 'modified', 'modified_utc', 'translations', 'json_ld', 'revision'],
  // Compared in their own lists, or following from records that are compared.
  ...['attendees', 'fees', 'count', 'attendance'],
  // Formats of the site, and members that only one of the sites has.
  ...['currency_code', 'currency_config', 'currency_decimal_separator', 'currency_thousand_separator'],
  ...['currency_decimal_numbers', 'formatted_price', 'raw_price', 'price_suffix', 'suffix', 'iac', 'custom_fields'],
  ...['supports_attendee_information', 'is_subscribed', 'is_purchaser', 'available_from_start_time'],
  ...['available_from_end_time', 'start_sale', 'end_sale'],
  // Images are stored without their metadata, in sizes of this site.
  ...['sizes', 'filesize', 'extension', 'alt', 'focus'],
]);

/** Kinds of the ids in members, by patterns of their path. */
const ID_KINDS: readonly [RegExp, string][] = [
  [/^venue(\.\d+)?\.id$/, 'venue'],
  [/^organizer\.\d+\.id$/, 'organizer'],
  [/^categories\.\d+\.(?:id|term_taxonomy_id|parent)$/, 'category'],
  [/^tags\.\d+\.(?:id|term_taxonomy_id|parent)$/, 'tag'],
  [/(?:^|\.)image\.id$/, 'media'],
  [/^post_id$/, 'event'],
  [/^ticket_id$|^ticket\.id$/, 'ticket'],
  [/^order$/, 'order'],
  [/^parent$/, 'category'],
];

type Flat = Map<string, unknown>;

/** @throws {SourceError} if the source does not respond */
export async function diffSite({
  source,
  ctx,
  onDifference,
}: DiffOptions): Promise<{ records: number; differences: number }> {
  const links = await loadLinks(ctx, source.address);
  const findings = await loadFindings(ctx, source.address);
  const isFromFile = await wasFile(ctx.context.db, source.address);
  const found = { records: 0, differences: 0 };
  const note = (difference: Difference) => {
    if (!difference.isKnown) found.differences += 1;
    onDifference(difference);
  };
  for (const list of LISTS) {
    if (list.needsAccount && !source.hasCredentials) continue;
    for await (const item of itemsOf(source, list)) {
      found.records += 1;
      await compare(list.kind === 'ticket' ? await wholeTicket(source, item) : item, {
        list,
        links,
        findings,
        isFromFile,
        source,
        ctx,
        note,
      });
    }
  }
  return found;
}

async function loadLinks({ context: { db } }: InProcessContext, source: string): Promise<Map<string, number | null>> {
  const rows = await db.query
    .selectFrom('import_links')
    .select(['kind', 'foreign_id', 'record_id'])
    .where('source', '=', source)
    .execute();
  return new Map(rows.map(({ kind, foreign_id, record_id }) => [`${kind} ${foreign_id}`, record_id]));
}

async function* itemsOf(source: Source, { path, key, query }: List): AsyncGenerator<Item> {
  for (let page = 1, pages = 1; page <= pages; page++) {
    try {
      const found = await source.page(path, { ...query, page }, key);
      pages = found.pages;
      yield* found.items;
    } catch (error) {
      // A list that has become shorter, or that the source does not have.
      if (error instanceof SourceRefusal) return;
      throw error;
    }
  }
}

interface Comparing {
  list: List;
  links: ReadonlyMap<string, number | null>;
  findings: ReadonlyMap<string, Finding[]>;
  /** Whether files of the source were imported. */
  isFromFile: boolean;
  source: Source;
  ctx: InProcessContext;
  note(difference: Difference): void;
}

async function compare(item: Item, comparing: Comparing): Promise<void> {
  const { list, links, findings, ctx, note } = comparing;
  const { kind } = list;
  const id = idOf(item.id);
  const own = links.get(`${kind} ${id}`);
  const missing = { kind, id, field: '', there: 'a record', here: 'none' };
  if (own === undefined || own === null) return note({ ...missing, isKnown: own === null });
  const record = await readOwn(list.endpoint, own, ctx);
  if (!record) return note({ ...missing, isKnown: false });
  const there = await normalized(item, comparing);
  const here = flat(record, ctx.urls.origin);
  for (const field of new Set([...there.keys(), ...here.keys()])) {
    if (isKnown(field, { item, kind })) continue;
    const [one, other] = [there.get(field), here.get(field)];
    if (isEqual(one, other)) continue;
    if (comparing.isFromFile && isOfFile({ kind, field, there: one, here: other })) continue;
    note({
      kind,
      id,
      field,
      there: shown(one),
      here: shown(other),
      isKnown: isExplained(field, { item, findings: findings.get(`${kind} ${id}`) ?? [] }),
    });
  }
}

/** The record as the interface of this site shows it to an administrator. */
async function readOwn(name: string, id: number, ctx: InProcessContext): Promise<Item | undefined> {
  const endpoint = getEndpoint(ctx, name);
  const urls = new Urls(ctx.urls.origin, '/wp-json', 'tribe');
  const response = await callEndpoint(endpoint, { ...ctx, urls }, { id }).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  const body: unknown = response && JSON.parse(JSON.stringify(response.body));
  return isRecord(body) ? body : undefined;
}

/** Members by path: `venue.city`. Addresses of the site itself are relative to it. */
function flat(value: unknown, origin: string, path = '', found: Flat = new Map()): Flat {
  if (Array.isArray(value) && value.length === 0) return found.set(path, '');
  if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      if (!KNOWN_MEMBERS.has(name) && !name.endsWith('_details'))
        flat(member, origin, path ? `${path}.${name}` : name, found);
      else if (['cost_details', 'capacity_details', 'checkin_details'].includes(name))
        flat(member, origin, path ? `${path}.${name}` : name, found);
    return found;
  }
  const isUrl = /(?:^|\.)url$/.test(path);
  const text = isUrl && typeof value === 'string' && value.startsWith(origin) ? value.slice(origin.length) : value;
  return found.set(path, text);
}

const TITLES = /(?:^|\.)(?:title|name|venue|organizer)$/;
const HTML = /(?:^|\.)(?:description|excerpt)$/;

/** Members of a record of the source, as this site should show them. */
async function normalized(item: Item, { links, source, ctx, list }: Comparing): Promise<Flat> {
  const members = flat(item, source.address);
  if (list.kind === 'event') members.set('website', websiteOf(item));
  if (members.get('cost_details.currency_position') === 'suffix')
    members.set('cost_details.currency_position', 'postfix');
  for (const [field, value] of members) {
    const kind = field === 'id' ? list.kind : ID_KINDS.find(([pattern]) => pattern.test(field))?.[1];
    const own = kind && idOf(value) !== 0 ? links.get(`${kind} ${idOf(value)}`) : undefined;
    if (typeof own === 'number') members.set(field, own);
    else if (/(?:^|\.)url$/.test(field))
      members.set(field, withOwnId(scalarText(value) ?? '', { field, links, kind: list.kind }));
    else if (typeof value === 'string' && (TITLES.test(field) || field === 'cost'))
      members.set(field, importedTitle(value));
    else if (typeof value === 'string' && HTML.test(field)) members.set(field, await htmlOf(value, { source, ctx }));
  }
  return members;
}

/** An address of a record without a slug names its id. */
function withOwnId(
  url: string,
  { field, links, kind }: Pick<Comparing, 'links'> & { field: string; kind: string },
): string {
  const about = field === 'url' ? kind : (field.split('.')[0] ?? '');
  return url.replace(/(?<=[?&]p=)\d+$/, (id) => String(links.get(`${about} ${id}`) ?? id));
}

async function htmlOf(html: string, { source, ctx }: Pick<Comparing, 'source' | 'ctx'>): Promise<string> {
  const stored = await findStoredImages(ctx.context.db, imagesIn(html, source.address));
  return importedHtml(html, {
    address: source.address,
    imageAt: (url) => stored.get(originalOf(url))?.path,
    onShortcode: () => undefined,
  });
}

/** Members that are not compared in a record. */
function isKnown(field: string, { item, kind }: { item: Item; kind: string }): boolean {
  // An image that is missing is a difference of its id.
  if (/(?:^|\.)image\.(?:url|width|height)$/.test(field)) return true;
  // Local times depend on the zone of the site. A draft has no UTC time, so its local time is compared.
  if (/\.date$/.test(field) && field !== 'checkin_details.date') return true;
  if (field === 'date') return !(scalarText(item.date_utc) ?? '').startsWith('0000');
  if (/^payment\.(?:provider|currency)$|^ticket\.(?:title|description)$/.test(field)) return true;
  // The cost of an event with prices follows from its tickets, in the format of this site.
  if (/^cost(?:$|_)/.test(field) && kind === 'event' && isPriced(item)) return true;
  // The source chooses the beginning of tag addresses.
  if (/^tags\.\d+\.url$/.test(field) || (kind === 'tag' && field === 'url')) return true;
  return kind === 'ticket' && /^(?:cost|date|date_utc)$/.test(field);
}

const isPriced = ({ ticketed }: Item): boolean =>
  Array.isArray(ticketed) && ticketed.some((provider) => provider !== 'rsvp');

/** Fields whose differences are explained by a finding of the import, by its code. */
const EXPLAINED: Readonly<Record<string, RegExp>> = {
  'no-title': /^title$/,
  'no-end': /^(?:utc_)?end_date$/,
  'ends-early': /^(?:utc_)?end_date$/,
  'utc-differs': /^utc_/,
  password: /./,
  'no-order': /^(?:order|payment\.\w+)$/,
  price: /^payment\./,
  'custom-fields': /^description$/,
  archived: /^status$/,
  email: /^email$/,
  'several-values': /^(?:cost|cost_details\..+)$/,
  'image-missing': /^image/,
  'reference-missing': /^(?:venue|organizer|categories|tags)/,
  'parent-missing': /^(?:parent|url)$/,
  'parent-loop': /^(?:parent|url)$/,
  'slug-changed': /^(?:slug|url)$/,
  shortcode: /^(?:description|excerpt)$/,
  'text-cut': /^description$/,
  'changed-here': /./,
};

/** Findings of all imports of a source, by record. */
async function loadFindings({ context: { db } }: InProcessContext, source: string): Promise<Map<string, Finding[]>> {
  const rows = await db.query
    .selectFrom('import_findings')
    .innerJoin('imports', 'imports.id', 'import_findings.import_id')
    .select(['kind', 'foreign_id', 'code', 'detail'])
    .where('source', '=', source)
    .execute();
  return Map.groupBy(rows, ({ kind, foreign_id }) => `${kind} ${foreign_id}`);
}

interface Explaining {
  item: Item;
  findings: readonly Finding[];
}

function isExplained(field: string, { item, findings }: Explaining): boolean {
  // Days of the source may end later than midnight.
  const hasCutOff = item.all_day === true && !(scalarText(item.start_date) ?? '').endsWith('00:00:00');
  if (hasCutOff && /^(?:utc_)?(?:start|end)_date$/.test(field)) return true;
  return findings.some(
    ({ code, detail }) =>
      EXPLAINED[code]?.test(field) || (code === 'left-out' && detail.split(':')[0]?.split(', ').includes(field)),
  );
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '' || value === false;

/** Texts with line breaks become paragraphs on both sides; numbers may be texts. */
function isEqual(one: unknown, other: unknown): boolean {
  if (isEmpty(one) && isEmpty(other)) return true;
  return comparable(one) === comparable(other);
}

const comparable = (value: unknown): string => {
  const text = (scalarText(value) ?? JSON.stringify(value) ?? '').replace(/\s+/g, ' ').trim();
  // Amounts with a decimal comma.
  const amount = /^\d+,\d{1,2}$/.test(text) ? text.replace(',', '.') : text;
  return /^\d{1,12}\.\d{1,3}$/.test(amount) ? String(Number(amount)) : amount;
};

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
};
