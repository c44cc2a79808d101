import { hash } from 'node:crypto';
import { isZone, type LocalTime, localToUtc, parseDate, resolveDate, utcToLocal } from '../../lib/dates/dates.ts';
import { withoutEscape } from '../../lib/text/csv-reader.ts';
import { scalarText } from '../../lib/text/scalar-text.ts';
import type { Finding } from '../drafts.ts';
import { relatedRecord } from '../ical/entry-fields.ts';
import type { KeyedRecord } from '../keyed/keyed-record.ts';
import { htmlOfText, isWebAddress } from '../texts.ts';
import type { CsvKind } from './columns.ts';

/** Rows of tables as records. */

/** The cell of a field; empty if the file does not have it. */
export type Cells = (field: string) => string;

export interface RowOptions {
  siteZone: string;
  now: Date;
  /** Status of events that name none. */
  status: string;
  /** Counts how often a row of attendees has been seen. */
  repetition(row: string): number;
}

export function recordOf(kind: CsvKind, line: number, cells: Cells, options: RowOptions): KeyedRecord {
  const cell: Cells = (field) => withoutEscape(cells(field)).trim();
  const record = READERS[kind](cell, options);
  const broken = record.title.includes('\ufffd') || scalarText(record.fields.description)?.includes('\ufffd') === true;
  const findings = [...record.findings, ...(broken ? [{ code: 'broken-text', detail: '' }] : [])];
  return { ...record, line, findings };
}

type Reader = (cell: Cells, options: RowOptions) => KeyedRecord;

const EMPTY = { line: 0, at: '', findings: [] } as const;

const isYes = (text: string): boolean => /^(?:1|true|yes|y|x|on|ja|j|oui|o|wahr|vrai)$/i.test(text);

/** Fields with a value. A field whose cell has become empty is cleared by the import. */
const texts = (cell: Cells, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, cell(name)] as const).filter(([, value]) => value !== ''));

const flags = (cell: Cells, names: readonly string[]): Record<string, boolean> =>
  Object.fromEntries(
    names
      .map((name) => [name, cell(name)] as const)
      .flatMap(([name, value]) => (value === '' ? [] : [[name, isYes(value)]])),
  );

/** Keeps HTML, and converts plain text to HTML. */
const htmlOf = (text: string): string => (/<\/?[a-z][^<>]{0,500}>/i.test(text) ? text : htmlOfText(text));

const namesIn = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((name) => (name.split('>').at(-1) ?? '').trim().slice(0, 200))
    .filter((name) => name !== '')
    .slice(0, 30);

const STATUSES = ['publish', 'draft', 'pending', 'private', 'future'];

function readEvent(cell: Cells, options: RowOptions): KeyedRecord {
  const findings: Finding[] = [];
  const title = cell('title').slice(0, 300);
  const { start, end, isAllDay, zone } = timesOf(cell, options, findings);
  const key = cell('id') === '' ? `${title}|${start?.local ?? ''}` : `id ${cell('id')}`;
  const related = relatedOf(cell);
  const keysOf = (kind: RelatedKind) => related.filter((one) => one.kind === kind).map((one) => one.key);
  const cost = costOf(cell);
  const image = cell('image');
  const fields = {
    title,
    ...(cell('description') !== '' && { description: htmlOf(cell('description')) }),
    ...(cell('excerpt') !== '' && { excerpt: htmlOf(cell('excerpt')) }),
    start_date: isAllDay ? start?.local.slice(0, 10) : start?.local,
    end_date: isAllDay ? end?.local.slice(0, 10) : end?.local,
    all_day: isAllDay,
    timezone: zone,
    status: STATUSES.find((one) => one === cell('status').toLowerCase()) ?? options.status,
    ...texts(cell, ['event_status']),
    ...(isWebAddress(cell('website')) && { website: cell('website') }),
    ...flags(cell, ['hide_from_listings', 'sticky', 'featured', 'show_map', 'show_map_link']),
    ...(cost !== '' && { cost }),
    ...{ venue: keysOf('venue'), organizer: keysOf('organizer'), categories: keysOf('category'), tags: keysOf('tag') },
  };
  const cannot = title === '' ? { code: 'no-title-row', detail: '' } : noStart(start, cell);
  return {
    ...{ ...EMPTY, kind: 'event', key, fields, title, related, findings },
    ...(cannot && { cannot }),
    ...(isWebAddress(image) && { image }),
  };
}

/** Start and end of an event in its zone. An end before the start is noted, and left out. */
function timesOf(cell: Cells, { siteZone, now }: RowOptions, findings: Finding[]) {
  const [startTime, endTime] = [cell('start_time'), cell('end_time')];
  const zone = zoneOf(cell('timezone'), siteZone, findings);
  const start = momentOf(cell('start_date'), startTime, { zone, now });
  const endDate = cell('end_date') || (endTime === '' ? '' : cell('start_date'));
  const told = momentOf(endDate, endTime, { zone, now });
  if (told && start && told.local < start.local) findings.push({ code: 'ends-early', detail: told.local });
  const end = told && start && told.local >= start.local ? told : start;
  const isAllDay = isYes(cell('all_day')) || (start?.isDay === true && startTime === '' && endTime === '');
  return { start, end, isAllDay, zone };
}

type RelatedKind = 'venue' | 'organizer' | 'category' | 'tag';

const relatedOf = (cell: Cells): KeyedRecord[] => [
  ...(cell('venue') === '' ? [] : [named('venue', cell('venue').slice(0, 300))]),
  ...namesIn(cell('organizer')).map((name) => named('organizer', name)),
  ...namesIn(cell('categories')).map((name) => named('category', name)),
  ...namesIn(cell('tags')).map((name) => named('tag', name)),
];

const noStart = (start: unknown, cell: Cells): Finding | undefined =>
  start ? undefined : { code: 'no-start', detail: `${cell('start_date')} ${cell('start_time')}`.trim().slice(0, 80) };

const named = (kind: RelatedKind, name: string): KeyedRecord =>
  relatedRecord(kind, name, {
    fields: kind === 'venue' || kind === 'organizer' ? { [kind]: name } : { name },
    ...{ title: name, line: 0 },
  });

function zoneOf(text: string, siteZone: string, findings: Finding[]): string {
  if (text === '' || isZone(text)) return text || siteZone;
  findings.push({ code: 'zone-of-site', detail: text.slice(0, 80) });
  return siteZone;
}

/** A date and a time in any written form; undefined if they are not valid. */
function momentOf(
  date: string,
  time: string,
  context: { zone: string; now: Date },
): { local: LocalTime; isDay: boolean } | undefined {
  if (date === '' || !/\d/.test(date)) return undefined;
  const text = `${date} ${time}`.trim();
  const expression = parseDate(text.slice(0, 100));
  const resolved = expression && resolveDate(expression, context);
  if (!resolved) return undefined;
  const local = resolved.kind === 'local' ? resolved.local : utcToLocal(resolved.utc, context.zone);
  // A time that clocks skip moves forward.
  return { local: localToUtc(local, context.zone).local, isDay: !/\d:\d|\d\s?[ap]m|T\d/i.test(text) };
}

/** Cost with its symbol, for which tables of the original have separate columns. */
function costOf(cell: Cells): string {
  const [cost, symbol] = [cell('cost'), cell('currency_symbol')];
  if (cost === '' || symbol === '' || cost.includes(symbol) || !/\d/.test(cost)) return cost.slice(0, 200);
  const isSuffix = /^(?:suffix|postfix|after)$/i.test(cell('currency_position'));
  return cost
    .replace(/\d+(?:[.,]\d+)*/g, (number) => (isSuffix ? `${number}${symbol}` : `${symbol}${number}`))
    .slice(0, 200);
}

function readVenue(cell: Cells): KeyedRecord {
  const title = cell('venue').slice(0, 300);
  const address = [cell('address'), cell('address2')].filter((one) => one !== '').join(', ');
  const [lat, lng] = [Number(cell('geo_lat')), Number(cell('geo_lng'))];
  const hasPlace = cell('geo_lat') !== '' && cell('geo_lng') !== '' && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  const fields = {
    venue: title,
    ...(cell('description') !== '' && { description: htmlOf(cell('description')) }),
    ...(address !== '' && { address }),
    ...texts(cell, ['country', 'city', 'stateprovince', 'zip', 'phone', 'website']),
    ...(hasPlace && { geo_lat: lat, geo_lng: lng }),
  };
  return linkedRecord('venue', title, fields, cell);
}

function readOrganizer(cell: Cells): KeyedRecord {
  const title = cell('organizer').slice(0, 300);
  const fields = {
    organizer: title,
    ...(cell('description') !== '' && { description: htmlOf(cell('description')) }),
    ...texts(cell, ['email', 'website', 'phone']),
  };
  return linkedRecord('organizer', title, fields, cell);
}

const linkedRecord = (
  kind: 'venue' | 'organizer',
  title: string,
  fields: KeyedRecord['fields'],
  cell: Cells,
): KeyedRecord => ({
  ...{ ...EMPTY, kind, key: title.toLowerCase(), fields, title },
  ...(title === '' && { cannot: { code: 'no-title-row', detail: '' } }),
  ...(isWebAddress(cell('image')) && { image: cell('image') }),
});

function readAttendee(cell: Cells, options: RowOptions): KeyedRecord {
  const name = cell('full_name').slice(0, 200);
  const { zone, now } = { zone: options.siteZone, now: options.now };
  const start = momentOf(cell('start_date'), '', { zone, now });
  const row = ['event', 'event_id', 'start_date', 'ticket', 'full_name', 'email', 'order'].map(cell).join('\n');
  const registered = momentOf(cell('date'), '', { zone, now });
  const fields = {
    ...{ event: cell('event'), event_id: cell('event_id'), event_day: start?.local.slice(0, 10) ?? '' },
    ...{ ticket: cell('ticket'), full_name: name, email: cell('email').slice(0, 200), order: cell('order') },
    ...{ price: cell('price'), optout: isYes(cell('optout')), checked_in: isYes(cell('checked_in')) },
    going: !/^(?:0|no|not going|non|nein)$/i.test(cell('going')),
    date_utc: registered ? localToUtc(registered.local, zone).utc : '',
  };
  const key = cell('id') === '' ? hash('sha256', `${row}\n${options.repetition(row)}`, 'hex') : `id ${cell('id')}`;
  return {
    ...EMPTY,
    kind: 'attendee',
    key,
    fields,
    title: name,
    findings: name === '' ? [{ code: 'no-name', detail: '' }] : [],
  };
}

const READERS: Readonly<Record<CsvKind, Reader>> = {
  events: readEvent,
  venues: readVenue,
  organizers: readOrganizer,
  attendees: readAttendee,
};
