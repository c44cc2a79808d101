import { scalarText } from '../../lib/text/scalar-text.ts';
import type { Finding } from '../drafts.ts';
import type { KeyedRecord } from '../keyed/keyed-record.ts';
import { htmlOfText, isWebAddress } from '../texts.ts';
import { type CalendarComponent, findProperty, parameterOf, propertiesNamed, textOf } from './calendar-lines.ts';
import { type Moment, writtenMoment } from './entry-times.ts';

/** Fields of a calendar entry, as parameters of an event. */

export interface EntryOptions {
  /** Status of new events. */
  status: string;
  /** Names of categories of all events, besides their own. */
  categories: readonly string[];
}

const MAX_NAME = 300;
const MAX_CATEGORIES = 20;

/** Fields of an entry with the venue, the organizer and the categories that it names. */
export function fieldsOf(
  entry: CalendarComponent,
  { start, end }: { start: Moment; end: Moment },
  options: EntryOptions & { isCancelled: boolean; findings: Finding[] },
): Pick<KeyedRecord, 'fields' | 'title' | 'related' | 'image'> {
  const { findings, isCancelled } = options;
  const title = textOf(entry, 'summary').replace(/\s+/g, ' ').slice(0, MAX_NAME);
  if (title === '') findings.push({ code: 'untitled', detail: '' });
  const place = placeOf(entry);
  const venue = place.name === '' ? undefined : venueOf(place, entry);
  const organizer = organizerOf(entry);
  const categories = categoriesOf(entry, options.categories);
  const online = [place.online, ...conferencesOf(entry)].find((address) => address !== '') ?? '';
  const url = textOf(entry, 'url');
  const related = [venue, organizer, ...categories].filter((one) => one !== undefined);
  const image = imageOf(entry);
  return {
    title: title || 'Untitled event',
    related,
    ...(image !== undefined && { image }),
    fields: {
      title: title || 'Untitled event',
      description: descriptionOf(entry),
      start_date: writtenMoment(start),
      end_date: writtenMoment(end),
      all_day: start.isDay,
      ...(!start.isDay && { timezone: start.zone }),
      status: /^(?:PRIVATE|CONFIDENTIAL)$/i.test(textOf(entry, 'class')) ? 'private' : options.status,
      website: isWebAddress(url) ? url : '',
      event_status: isCancelled ? 'cancelled' : 'scheduled',
      ...(online !== '' && {
        ...{ attendance_mode: venue ? 'mixed' : 'online', online_access: 'everyone', online_url: online },
      }),
      venue: venue ? [venue.key] : [],
      organizer: organizer ? [organizer.key] : [],
      categories: categories.map(({ key }) => key),
    },
  };
}

/** The description as HTML, which some programs add beside the plain text. */
function descriptionOf(entry: CalendarComponent): string {
  const html = findProperty(entry, 'x-alt-desc');
  const isHtml = html && parameterOf(html, 'fmttype')?.toLowerCase() === 'text/html';
  const body = isHtml ? unescaped(html.raw) : '';
  return /<[a-z]/i.test(body) ? body : htmlOfText(textOf(entry, 'description'));
}

/** ical.js leaves values of unknown properties as they are. */
const unescaped = (text: string): string =>
  text.replace(/\\([nN,;\\])/g, (_whole, character: string) => (character.toLowerCase() === 'n' ? '\n' : character));

interface Place {
  name: string;
  address: string;
  online: string;
}

/** A location is a name and maybe an address, or a link. */
function placeOf(entry: CalendarComponent): Place {
  const text = textOf(entry, 'location');
  const link = /https?:\/\/[^\s<>"]{1,1900}/i.exec(text)?.[0] ?? '';
  const place = (link === '' ? text : text.replace(link, '')).trim();
  const [name = '', ...rest] = place.split(/\n|, /);
  return {
    name: name.trim().slice(0, MAX_NAME),
    address: rest
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join(', ')
      .slice(0, MAX_NAME),
    online: isWebAddress(link) ? link : '',
  };
}

function venueOf({ name, address }: Place, entry: CalendarComponent): KeyedRecord {
  const [lat, lng] = findProperty(entry, 'geo')?.values.map(Number) ?? [];
  const isPosition = lat !== undefined && lng !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  const fields = { venue: name, ...(address !== '' && { address }), ...(isPosition && { geo_lat: lat, geo_lng: lng }) };
  return relatedRecord('venue', address === '' ? name : `${name}, ${address}`, {
    fields,
    title: name,
    line: entry.line,
  });
}

/** A record that another one refers to by name. */
export const relatedRecord = (
  kind: 'venue' | 'organizer' | 'category' | 'tag',
  key: string,
  { fields, title, line }: Pick<KeyedRecord, 'fields' | 'title' | 'line'>,
): KeyedRecord => ({ kind, key: key.toLowerCase().slice(0, MAX_NAME), fields, title, line, findings: [], at: '' });

function organizerOf(entry: CalendarComponent): KeyedRecord | undefined {
  const property = findProperty(entry, 'organizer');
  if (!property) return undefined;
  const address = scalarText(property.values[0]) ?? '';
  const email = /^mailto:/i.test(address) ? decoded(address.slice(7)).trim() : '';
  const isMailbox = /^[^\s@<>]+@[^\s@<>]+$/.test(email) && email.length <= 200;
  // The organizer of a shared calendar has the address of the calendar, not of a person.
  const name = (parameterOf(property, 'cn') ?? '').trim() || (isMailbox && !/calendar\./.test(email) ? email : '');
  if (name === '') return undefined;
  const fields = {
    organizer: name.slice(0, MAX_NAME),
    ...(isMailbox && !/calendar\./.test(email) && { email }),
    ...(isWebAddress(address) && { website: address }),
  };
  return relatedRecord('organizer', name, { fields, title: name, line: property.line });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function categoriesOf(entry: CalendarComponent, more: readonly string[]): KeyedRecord[] {
  const own = propertiesNamed(entry, 'categories').flatMap(({ values }) => values.map(String));
  const names = new Map([...more, ...own].map((name) => [name.trim().toLowerCase(), name.trim().slice(0, 200)]));
  names.delete('');
  return [...names.values()]
    .slice(0, MAX_CATEGORIES)
    .map((name) => relatedRecord('category', name, { fields: { name }, title: name, line: entry.line }));
}

const conferencesOf = (entry: CalendarComponent): string[] =>
  ['conference', 'x-google-conference', 'x-microsoft-skypeteamsmeetingurl']
    .map((name) => textOf(entry, name))
    .filter(isWebAddress);

function imageOf(entry: CalendarComponent): string | undefined {
  const images = [
    ...propertiesNamed(entry, 'image'),
    ...propertiesNamed(entry, 'attach').filter((one) => /^image\//i.test(parameterOf(one, 'fmttype') ?? '')),
  ];
  return images.map(({ raw }) => raw).find(isWebAddress);
}
