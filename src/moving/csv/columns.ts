import { type MessageKey, translate } from '../../lib/i18n.ts';

/** Columns of tables: of the original's importer, of our own exports, and under common names. */

export const CSV_KINDS = ['events', 'venues', 'organizers', 'attendees'] as const;
export type CsvKind = (typeof CSV_KINDS)[number];

type Names = Readonly<Record<string, readonly string[]>>;

/** Names of the columns of each field, the ones of the original first. Spaces do not matter. */
const NAMES: Readonly<Record<CsvKind, Names>> = {
  events: {
    id: ['Event ID', 'UID', 'ID'],
    title: ['Event Name', 'Event Title', 'Title', 'Name', 'Subject', 'Summary'],
    description: ['Event Description', 'Description', 'Details'],
    excerpt: ['Event Excerpt', 'Excerpt'],
    start_date: ['Event Start Date', 'Start Date', 'Start', 'Date'],
    start_time: ['Event Start Time', 'Start Time', 'Time'],
    end_date: ['Event End Date', 'End Date', 'End'],
    end_time: ['Event End Time', 'End Time'],
    timezone: ['Event Time Zone', 'Timezone', 'Event Timezone', 'Time Zone'],
    all_day: ['All Day Event', 'All Day', 'All-day event'],
    hide_from_listings: ['Hide Event From Event Listings', 'Hide From Event Listings', 'Hide From Listings'],
    sticky: ['Event Sticky in Month View', 'Sticky in Month View', 'Sticky'],
    featured: ['Feature Event', 'Featured Event', 'Featured'],
    venue: ['Event Venue Name', 'Event Venue', 'Venue Name', 'Venue', 'Location', 'Place'],
    organizer: [
      'Event Organizer Name(s) or ID(s)',
      'Event Organizer Name',
      'Event Organizers',
      'Organizers',
      'Organizer',
    ],
    show_map_link: ['Event Show Map Link', 'Show Map Link'],
    show_map: ['Event Show Map', 'Show Map'],
    cost: ['Event Cost', 'Cost', 'Price'],
    currency_symbol: ['Event Currency Symbol', 'Currency Symbol'],
    currency_position: ['Event Currency Position', 'Currency Position'],
    categories: ['Event Category', 'Event Categories', 'Categories', 'Category'],
    tags: ['Event Tags', 'Tags'],
    website: ['Event Website', 'Website', 'Event URL'],
    image: ['Event Featured Image', 'Featured Image', 'Image'],
    status: ['Event Publication Status', 'Status'],
    event_status: ['Event Status'],
  },
  venues: {
    venue: ['Venue Name', 'Venue', 'Name', 'Title'],
    description: ['Venue Description', 'Description'],
    country: ['Venue Country', 'Country'],
    address: ['Venue Address', 'Address', 'Street'],
    address2: ['Venue Address 2', 'Address 2'],
    city: ['Venue City', 'City', 'Town'],
    stateprovince: ['Venue State/Province', 'State/Province', 'State', 'Province'],
    zip: ['Venue Zip', 'Zip', 'Postal Code', 'Postcode'],
    phone: ['Venue Phone', 'Phone', 'Telephone'],
    website: ['Venue Website', 'Venue URL', 'Website'],
    image: ['Venue Featured Image', 'Featured Image', 'Image'],
    geo_lat: ['Venue Latitude', 'Latitude', 'Lat'],
    geo_lng: ['Venue Longitude', 'Longitude', 'Lng', 'Lon'],
  },
  organizers: {
    organizer: ['Organizer Name', 'Organizer', 'Name', 'Title'],
    description: ['Organizer Description', 'Description'],
    email: ['Organizer Email', 'Email', 'E-mail'],
    website: ['Organizer Website', 'Website', 'URL'],
    phone: ['Organizer Phone', 'Phone', 'Telephone'],
    image: ['Organizer Featured Image', 'Featured Image', 'Image'],
  },
  attendees: {
    id: ['Attendee ID', 'ID'],
    event: ['Event Name', 'Event Title', 'Event Name or ID', 'Event'],
    event_id: ['Event ID'],
    start_date: ['Event Start Date', 'Event Date', 'Start Date'],
    ticket: ['Ticket Name', 'Ticket Type', 'RSVP Name', 'Ticket'],
    full_name: ['Attendee Name', 'Ticket Holder Name', 'Full Name', 'Name', 'PurchaserName', 'Guest'],
    email: ['Attendee Email', 'Ticket Holder Email Address', 'Email', 'E-mail', 'PurchaserEmailAddress'],
    order: ['Order ID', 'Order', 'Order Number'],
    price: ['Price Paid', 'Price', 'Paid', 'Amount'],
    optout: ['Hide from list', 'Opt Out'],
    going: ['Going', 'RSVP', 'RSVP Status'],
    checked_in: ['Check in', 'Checked In', 'Check-in'],
    date: ['Registered', 'Purchase Time', 'Order Date', 'Purchased'],
  },
};

/** Fields of our own exports, whose headings are in the language of the export. */
const EXPORTED: Readonly<Partial<Record<CsvKind, Readonly<Record<string, MessageKey>>>>> = {
  events: {
    ...{ id: 'column.id', title: 'column.title', status: 'column.status', event_status: 'column.event_status' },
    ...{ start_date: 'column.start_date', end_date: 'column.end_date', timezone: 'column.timezone' },
    ...{ all_day: 'column.all_day', venue: 'column.venue', organizer: 'column.organizer' },
    ...{ categories: 'column.categories', tags: 'column.tags', cost: 'column.cost', featured: 'column.featured' },
    website: 'column.website',
  },
  attendees: {
    ...{ id: 'column.id', event: 'column.event', event_id: 'column.event_id', start_date: 'column.start_date' },
    ...{ ticket: 'column.ticket', full_name: 'column.full_name', email: 'column.email', order: 'column.order_id' },
    ...{ price: 'column.paid', optout: 'column.optout', checked_in: 'column.checked_in', date: 'column.date' },
  },
};

const LANGUAGES = ['en', 'fr', 'de'];

/** Letters and digits of a heading. */
const folded = (heading: string): string =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

export const fieldsOfKind = (kind: CsvKind): string[] => Object.keys(NAMES[kind]);

export interface ColumnMap {
  /** Number of the column of each field. */
  fields: ReadonlyMap<string, number>;
  /** Headings that are not imported. */
  unknown: string[];
  /** Headings of `--map` that the file does not have. */
  missing: string[];
}

/** The columns that a person has chosen: the field of each, or an empty text. */
export function chosenColumns(headings: readonly string[], chosen: readonly string[]): ColumnMap {
  const fields = new Map<string, number>();
  for (const [column, field] of chosen.entries())
    if (field !== '' && !fields.has(field) && column < headings.length) fields.set(field, column);
  const taken = new Set(fields.values());
  return { fields, unknown: headings.filter((heading, column) => !taken.has(column) && heading !== ''), missing: [] };
}

/** Required fields of each kind: one of each list. */
const NEEDED: Readonly<Record<CsvKind, readonly (readonly string[])[]>> = {
  events: [['title'], ['start_date']],
  venues: [['venue']],
  organizers: [['organizer']],
  attendees: [
    ['event', 'event_id'],
    ['full_name', 'email'],
  ],
};

/** Missing fields, one of which needs a column; undefined if the columns are sufficient. */
export const missingFields = (kind: CsvKind, fields: { has(name: string): boolean }): readonly string[] | undefined =>
  NEEDED[kind].find((names) => !names.some((name) => fields.has(name)));

/**
 * Maps the headings of a file, in any order, to fields.
 * @param chosen fields by heading, which come first
 */
export function mapColumns(kind: CsvKind, headings: readonly string[], chosen: ReadonlyMap<string, string>): ColumnMap {
  const found = headings.map(folded);
  const fields = new Map<string, number>();
  const taken = new Set<number>();
  const take = (field: string, column: number): void => {
    if (column < 0 || taken.has(column) || fields.has(field)) return;
    fields.set(field, column);
    taken.add(column);
  };
  for (const [heading, field] of chosen) take(field, found.indexOf(folded(heading)));
  const ofExport = Object.entries(EXPORTED[kind] ?? {});
  // An export has most of these headings; single ones mean other things elsewhere.
  for (const language of LANGUAGES) {
    const words = ofExport.map(([field, key]) => [field, folded(translate(language, key))] as const);
    if (words.length > 0 && words.filter(([, word]) => found.includes(word)).length > words.length / 2)
      for (const [field, word] of words) take(field, found.indexOf(word));
  }
  // The first names of all fields are tried before any later names.
  const depth = Math.max(...Object.values(NAMES[kind]).map(({ length }) => length));
  for (let rank = 0; rank < depth; rank++)
    for (const [field, names] of Object.entries(NAMES[kind])) {
      const name = names[rank];
      if (name !== undefined) take(field, found.indexOf(folded(name)));
    }
  return {
    fields,
    unknown: headings.filter((heading, column) => !taken.has(column) && heading.trim() !== ''),
    missing: [...chosen.keys()].filter((heading) => !found.includes(folded(heading))),
  };
}
