import { hash } from 'node:crypto';
import { addSeconds, isLocalTime, isZone, type LocalTime, secondsBetween, utcToLocal } from '../lib/dates/dates.ts';
import { isRecord } from '../lib/text/list.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import type { Item } from './source.ts';
import { importedTitle, isCut } from './texts.ts';

/** Records of the REST interface of a source, as parameters of our own endpoints but with foreign ids. */

type Kind =
  | 'account'
  | 'category'
  | 'tag'
  | 'venue'
  | 'organizer'
  | 'event'
  | 'series'
  | 'ticket'
  | 'order'
  | 'attendee';

/** A problem of a record, for the report: a code, whose sentence is in `report.ts`, and details. */
export interface Finding {
  code: string;
  detail: string;
}

/** An image of a record. Without a URL the source has lost it. */
export interface ForeignImage {
  id: number;
  url: string;
  /** Title, text and date, if they have been read already. */
  details?: Item;
}

export interface Draft {
  kind: Kind;
  id: number;
  /** Parameters of a write, with foreign ids and texts as the source has them. */
  fields: Readonly<Record<string, unknown>>;
  /** UTC time of the last change, at which it counts as written; empty for now. */
  at: LocalTime;
  image?: ForeignImage;
  findings: readonly Finding[];
  /** Why it cannot be imported. */
  cannot?: Finding;
  /** Records to which it refers, in case their own lists lack them. */
  related?: readonly Draft[];
}

const textOf = (value: unknown): string => scalarText(value) ?? '';

/** Largest id that is kept: a forged one must not use up the ids of this site. */
const MAX_ID = 2_000_000_000;

export function idOf(value: unknown): number {
  const id = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 && id <= MAX_ID ? id : 0;
}

const listOf = (value: unknown): readonly Item[] => {
  if (Array.isArray(value)) return value.filter(isRecord);
  if (!isRecord(value)) return [];
  return 'id' in value ? [value] : Object.values(value).filter(isRecord);
};

/** The later of two times, which may be missing. */
const later = (...times: readonly unknown[]): LocalTime => times.filter(isLocalTime).sort().at(-1) ?? '';

/** The earlier of a time and the second before a limit; either may be missing. */
const earlier = (time: unknown, limit: unknown): LocalTime => {
  const before = isLocalTime(limit) ? addSeconds(limit, -1) : '';
  return [time, before].filter(isLocalTime).sort()[0] ?? '';
};

/** Members that are not empty. */
const filled = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && value !== null),
  );

const brokenText = (item: Item): Finding[] =>
  Object.entries(item).flatMap(([name, value]) =>
    typeof value === 'string' && value.includes('\ufffd') ? [{ code: 'broken-text', detail: name }] : [],
  );

const withoutId = (kind: Kind, item: Item): Draft => ({
  kind,
  id: 0,
  fields: {},
  at: '',
  findings: [],
  cannot: { code: 'no-id', detail: textOf(item.id).slice(0, 40) },
});

/** Reads a category or a tag, from its own list or from an event. */
export function readTerm(kind: 'category' | 'tag', item: Item): Draft {
  const id = idOf(item.id);
  if (id === 0) return withoutId(kind, item);
  const slug = textOf(item.slug);
  const name = importedTitle(textOf(item.name)) || slug || `${kind} ${id}`;
  const parent = kind === 'category' ? { parent: idOf(item.parent) } : {};
  const fields = { name, slug, description: textOf(item.description), ...parent };
  return { kind, id, fields, at: '', findings: brokenText(item) };
}

const VENUE_TEXTS = ['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'phone', 'website'];
const ORGANIZER_TEXTS = ['phone', 'website', 'email', 'organizer_type'];

/** Reads a venue or an organizer, from its own list or from an event. */
export function readLinked(kind: 'venue' | 'organizer', item: Item): Draft {
  const id = idOf(item.id);
  if (id === 0) return withoutId(kind, item);
  const texts = kind === 'venue' ? VENUE_TEXTS : ORGANIZER_TEXTS;
  const name = importedTitle(textOf(item[kind]));
  const image = imageOf(item.image);
  const hasPlace = kind === 'venue' && typeof item.geo_lat === 'number' && typeof item.geo_lng === 'number';
  const fields = {
    ...publicationOf(item),
    [kind]: name || `${kind === 'venue' ? 'Venue' : 'Organizer'} ${id}`,
    ...(image && { image: image.id }),
    ...filled({
      description: textOf(item.description),
      slug: textOf(item.slug),
      ...Object.fromEntries(texts.map((member) => [member, textOf(item[member])])),
    }),
    ...(kind === 'venue' && {
      show_map: item.show_map === true,
      show_map_link: item.show_map_link === true,
      ...(hasPlace && { geo_lat: item.geo_lat, geo_lng: item.geo_lng }),
    }),
  };
  const findings = [...textFindings(item), ...(name ? [] : [{ code: 'no-title', detail: '' }])];
  return { kind, id, fields, at: writtenAt(item), findings, ...(image && { image }) };
}

const textFindings = (item: Item): Finding[] => [
  ...brokenText(item),
  ...(isCut(textOf(item.description)) ? [{ code: 'text-cut', detail: 'description' }] : []),
];

/** Status and publication date, in UTC if the source has it. */
function publicationOf({ status, date, date_utc }: Item): Record<string, unknown> {
  if (isLocalTime(date_utc)) return { status, date_utc };
  return { status, ...(isLocalTime(date) && { date }) };
}

/** A published record counts as written at its publication or later, a scheduled one before it. */
const writtenAt = ({ modified_utc, date_utc, status }: Item): LocalTime =>
  status === 'future' ? earlier(modified_utc, date_utc) : later(modified_utc, date_utc);

function imageOf(value: unknown): ForeignImage | undefined {
  if (!isRecord(value)) return undefined;
  const id = idOf(value.id);
  return id === 0
    ? undefined
    : { id, url: textOf(value.url), ...(isRecord(value.details) && { details: value.details }) };
}

const IMPORTED_TEXTS = [
  ...['description', 'excerpt', 'timezone', 'event_status', 'event_status_reason'],
  ...['attendance_mode', 'online_access', 'online_url', 'door_time', 'accessibility'],
];
/** The source names the page of an event as its website if it has no other. */
export const websiteOf = ({ website, url }: Item): string => (website === url ? '' : textOf(website));

const EVENT_FLAGS = ['show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured', 'all_day'] as const;

/** Whether an event is shown without its content, because readers need its password. */
export const isLocked = (item: Item): boolean => item.ticketed === null && item.featured === null;

/**
 * Reads an event.
 * @param isProtected whether visitors need a password. The source keeps it secret, so the event becomes private
 */
export function readEvent(item: Item, { isProtected }: { isProtected: boolean }): Draft {
  const id = idOf(item.id);
  if (id === 0) return withoutId('event', item);
  const title = importedTitle(textOf(item.title));
  const times = readTimes(item);
  const linked = { venue: listOf(item.venue), organizer: listOf(item.organizer) };
  const terms = { category: listOf(item.categories), tag: listOf(item.tags) };
  const image = imageOf(item.image);
  const isHidden = isProtected || isLocked(item);
  const publication = publicationOf(item);
  const slug = textOf(item.slug).replace(/__trashed(?:-\d+)?$/, '');
  const fields = {
    ...publication,
    ...(isHidden && publication.status === 'publish' && { status: 'private' }),
    title: title || `Event ${id}`,
    ...filled({ slug, ...Object.fromEntries(IMPORTED_TEXTS.map((member) => [member, textOf(item[member])])) }),
    ...filled({ website: websiteOf(item) }),
    ...(isLocalTime(item.previous_start_date) && { previous_start_date: item.previous_start_date }),
    ...Object.fromEntries(EVENT_FLAGS.map((member) => [member, item[member] === true])),
    ...times.fields,
    cost: costOf(item),
    ...(image && { image: image.id }),
    venue: linked.venue.map((one) => idOf(one.id)),
    organizer: linked.organizer.map((one) => idOf(one.id)),
    categories: terms.category.map((one) => idOf(one.id)),
    tags: terms.tag.map((one) => idOf(one.id)),
  };
  return {
    ...{ kind: 'event', id, fields, at: writtenAt(item), ...(image && { image }), cannot: times.cannot },
    findings: [
      ...textFindings(item),
      ...times.findings,
      ...(title ? [] : [{ code: 'no-title', detail: '' }]),
      ...(isHidden ? [{ code: 'password', detail: '' }] : []),
    ],
    related: [
      ...linked.venue.map((one) => readLinked('venue', one)),
      ...linked.organizer.map((one) => readLinked('organizer', one)),
      ...terms.category.map((one) => readTerm('category', one)),
      ...terms.tag.map((one) => readTerm('tag', one)),
    ],
  };
}

interface Times {
  fields: Record<string, unknown>;
  findings: Finding[];
  cannot?: Finding;
}

/** Times of an event. A broken end becomes the start; an event without a start cannot be imported. */
function readTimes({ start_date, end_date, all_day, timezone, ...utc }: Item): Times {
  if (!isLocalTime(start_date)) {
    const detail = typeof start_date === 'string' ? start_date.slice(0, 80) : '';
    return { fields: {}, findings: [], cannot: { code: 'no-start', detail } };
  }
  const findings: Finding[] = [];
  let end = isLocalTime(end_date) ? end_date : undefined;
  if (end === undefined) findings.push({ code: 'no-end', detail: '' });
  else if (end < start_date) findings.push({ code: 'ends-early', detail: end });
  if (end === undefined || end < start_date) end = start_date;
  if (all_day !== true) {
    const zone = textOf(timezone);
    const fields = {
      start_date: momentOf(start_date, { utc: utc.utc_start_date, zone }),
      end_date: momentOf(end, { utc: utc.utc_end_date, zone }),
    };
    const differs = isLocalTime(utc.utc_start_date) && isZone(zone) && fields.start_date === start_date;
    return {
      fields,
      findings: [...findings, ...(differs ? [{ code: 'utc-differs', detail: utc.utc_start_date as string }] : [])],
    };
  }
  // Days of some sites end later than midnight; here they do not.
  const cutOff = secondsBetween(`${start_date.slice(0, 10)} 00:00:00`, start_date);
  const last = end === start_date ? end : addSeconds(end, -cutOff);
  const first = addSeconds(start_date, -cutOff);
  return { fields: { start_date: first, end_date: last < first ? first : last }, findings };
}

/**
 * A time as an instant, since the local time alone is ambiguous when clocks are set back; as the local time if the
 * source contradicts itself.
 */
function momentOf(local: LocalTime, { utc, zone }: { utc: unknown; zone: string }): string {
  const fits = isLocalTime(utc) && isZone(zone) && utcToLocal(utc, zone) === local;
  return fits ? `${utc.replace(' ', 'T')}Z` : local;
}

/** Cost of an event. With priced tickets, the cost follows from the tickets. */
function costOf({ cost, cost_details: details, ticketed }: Item): string[] {
  if (Array.isArray(ticketed) && ticketed.some((provider) => provider !== 'rsvp')) return [];
  const { values, currency_symbol, currency_position } = isRecord(details) ? details : {};
  const symbol = importedTitle(textOf(currency_symbol));
  const texts = Array.isArray(values) ? values.map(textOf).filter((value) => value !== '') : [];
  // Without values, the cost comes from RSVPs.
  if (texts.length === 0) return [];
  const shown = importedTitle(textOf(cost));
  // The values have words as slugs; the displayed cost has the words as typed, and symbols that are stored nowhere
  // else.
  const isPlain = texts.every((value) => /^\d+(?:[.,]\d+)?$/.test(value));
  if (!isPlain || (symbol === '' && texts.length <= 2)) return shown === '' ? [] : [shown];
  if (symbol === '') return texts;
  const afterNumbers = shown.split(/\d/).slice(1).at(-1) ?? '';
  const gap = /^\s/.test(afterNumbers) ? ' ' : '';
  return texts.map((value) => (currency_position === 'prefix' ? `${symbol}${value}` : `${value}${gap}${symbol}`));
}

export function readTicket(item: Item): Draft {
  const id = idOf(item.id);
  if (id === 0) return withoutId('ticket', item);
  const name = importedTitle(textOf(item.title));
  const details = isRecord(item.cost_details) ? item.cost_details : {};
  const [price = ''] = Array.isArray(details.values) ? details.values.map(textOf) : [];
  const provider = textOf(item.provider);
  const fields = {
    post_id: idOf(item.post_id),
    provider,
    name: name || `Ticket ${id}`,
    description: textOf(item.description),
    ...(provider === 'tc' && { price: decimal(price) }),
    ...saleOf(item.available_from, 'start'),
    ...saleOf(item.available_until, 'end'),
    ...filled({ sku: textOf(item.sku) }),
    ticket: stockOf(item),
  };
  return {
    ...{ kind: 'ticket', id, fields, at: later(item.date_utc) },
    findings: [...textFindings(item), ...(name ? [] : [{ code: 'no-title', detail: '' }])],
    ...(fields.post_id === 0 && { cannot: { code: 'no-event', detail: textOf(item.post_id) } }),
  };
}

/** A price with a decimal point: the source may use a comma. */
const decimal = (price: string): string => price.replace(/^(\d+),(\d{1,3})$/, '$1.$2');

function saleOf(moment: unknown, name: 'start' | 'end'): Record<string, unknown> {
  const [date = '', time = ''] = textOf(moment).split(' ');
  return /^\d{4}-\d\d-\d\d$/.test(date) ? { [`${name}_date`]: date, [`${name}_time`]: time } : {};
}

const MODES = ['own', 'global', 'capped'];

function stockOf({ capacity, capacity_details, capacity_type, sale_price_data }: Item): Record<string, unknown> {
  const details = isRecord(capacity_details) ? capacity_details : {};
  const told = textOf(details.global_stock_mode);
  const seats = textOf(capacity);
  const isUnlimited = seats === '' || seats.startsWith('-') || capacity_type === 'unlimited';
  const limited = MODES.includes(told) ? told : 'own';
  const mode = isUnlimited && told !== 'global' ? '' : limited;
  const sale = isRecord(sale_price_data) ? sale_price_data : {};
  const isReduced = textOf(sale.enabled) === '1' && textOf(sale.sale_price) !== '';
  return {
    mode,
    ...(mode !== '' && mode !== 'global' && { capacity: Number(seats) || 0 }),
    ...(mode === 'global' && { event_capacity: isUnlimited ? null : Number(seats) || 0 }),
    ...(isReduced && {
      sale_price: {
        ...{ checked: true, price: decimal(textOf(sale.sale_price)) },
        ...{ start_date: textOf(sale.start_date), end_date: textOf(sale.end_date) },
      },
    }),
  };
}

/**
 * Reads an attendee.
 * @param orderStatus status of orders that the list was filtered by; empty if it is unknown
 */
export function readAttendee(item: Item, orderStatus: string): Draft {
  const id = idOf(item.id);
  if (id === 0) return withoutId('attendee', item);
  const payment = isRecord(item.payment) ? item.payment : {};
  const provider = textOf(item.provider);
  const name = importedTitle(textOf(item.title));
  const email = textOf(item.email).trim();
  const order = idOf(item.order);
  const isPaid = provider === 'tc';
  const checkIn = isRecord(item.checkin_details) ? item.checkin_details : {};
  const fields = {
    ...{ provider, ticket_id: idOf(item.ticket_id), post_id: idOf(item.post_id) },
    ...{ full_name: name, email, optout: item.optout === true, status: textOf(item.status) },
    ...(isPaid
      ? { order, price: decimal(textOf(payment.price)), order_status: orderStatus || 'completed' }
      : { going: item.rsvp_going !== false }),
    ...{ date_utc: isLocalTime(item.date_utc) ? item.date_utc : '', checked_in: item.checked_in === true },
    ...(item.checked_in === true && {
      checkin: isLocalTime(checkIn.date) ? checkIn.date : '',
      source: textOf(checkIn.source),
    }),
    ...(isRecord(item.information) && { information: item.information }),
  };
  const findings: Finding[] = [
    ...brokenText(item),
    ...(isPaid && order === 0 ? [{ code: 'no-order', detail: textOf(item.order).slice(0, 40) }] : []),
    ...(isPaid && orderStatus === '' ? [{ code: 'order-status-unknown', detail: '' }] : []),
    ...(name ? [] : [{ code: 'no-name', detail: '' }]),
  ];
  const isKnown = provider === 'tc' || provider === 'rsvp';
  return {
    ...{ kind: 'attendee', id, fields, at: later(item.date_utc), findings },
    ...(!isKnown && { cannot: { code: 'provider', detail: provider.slice(0, 40) } }),
  };
}

const digest = (value: unknown): string => hash('sha256', JSON.stringify(value) ?? '', 'hex').slice(0, 16);

/** Hash of each field of a draft. */
export const fieldHashes = ({ fields }: Draft): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, digest(value)]));

/** Hash of a whole draft. */
export const draftHash = ({ fields, image, cannot }: Draft): string => digest([fields, image, cannot]);
