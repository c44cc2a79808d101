/** Rules of Google for the structured data of events (https://developers.google.com/search/docs/appearance/structured-data/event). */

type Thing = Readonly<Record<string, unknown>>;

const SCHEMA = 'https://schema.org/';
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d))?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/;
const STATUSES = ['Scheduled', 'Cancelled', 'Postponed', 'Rescheduled', 'MovedOnline'];
const AVAILABILITIES = ['InStock', 'SoldOut', 'PreOrder'];

const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null;
const listOf = (value: unknown): Thing[] => (value === undefined ? [] : [value].flat().filter(isThing));
const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isUrl = (value: unknown): boolean => isFilled(value) && /^https?:\/\//.test(value) && URL.canParse(value);

/** Paths of empty texts anywhere in a value. */
function emptyIn(value: unknown, path = ''): string[] {
  if (value === '') return [`${path} is empty`];
  if (!isThing(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => emptyIn(member, `${path}.${name}`));
}

function offerProblems(offer: Thing): string[] {
  const { price, priceCurrency, availability, url, validFrom } = offer;
  const isPriced =
    price === undefined || (/^\d+(\.\d+)?$/.test(String(price)) && /^[A-Z]{3}$/.test(String(priceCurrency)));
  return [
    ...(isPriced ? [] : [`price ${price} ${priceCurrency}`]),
    ...(AVAILABILITIES.some((name) => availability === SCHEMA + name) ? [] : [`availability ${availability}`]),
    ...(isUrl(url) ? [] : ['offer without url']),
    ...(validFrom === undefined || INSTANT.test(String(validFrom)) ? [] : [`validFrom ${validFrom}`]),
  ];
}

function placeProblems(place: Thing): string[] {
  if (place['@type'] === 'VirtualLocation') return isUrl(place.url) ? [] : ['virtual location without url'];
  const { address } = place;
  const isPostal = isThing(address) && address['@type'] === 'PostalAddress' && Object.keys(address).length > 1;
  return [
    ...(place['@type'] === 'Place' && isFilled(place.name) ? [] : ['location without name']),
    ...(isPostal || isFilled(address) ? [] : ['location without address']),
  ];
}

/** Kinds of locations that an attendance mode requires. */
const LOCATIONS: Readonly<Record<string, string>> = {
  Offline: 'Place',
  Online: 'VirtualLocation',
  Mixed: 'Place,VirtualLocation',
};

function locationProblems({ location, eventAttendanceMode }: Thing): string[] {
  const places = listOf(location);
  const kinds = [...new Set(places.map((place) => String(place['@type'])))].sort().join();
  const [, mode = ''] = /^https:\/\/schema\.org\/(\w+)EventAttendanceMode$/.exec(String(eventAttendanceMode)) ?? [];
  return [...(kinds === LOCATIONS[mode] ? [] : [`${mode} in ${kinds}`]), ...places.flatMap(placeProblems)];
}

const personProblems = (name: string, value: unknown): string[] =>
  [value].flat().flatMap((one) => {
    const isNamed = isThing(one) && ['Person', 'Organization'].includes(String(one['@type'])) && isFilled(one.name);
    return one === undefined || isNamed ? [] : [`${name} is neither a person nor an organization`];
  });

/** Violations of the rules in the data of an event, in words. */
export function eventDataProblems(event: Thing): string[] {
  const { name, startDate, endDate, previousStartDate, eventStatus, image, offers, organizer, performer } = event;
  const dates = { startDate, endDate, ...(previousStartDate !== undefined && { previousStartDate }) };
  return [
    ...(isFilled(name) && !/[<>]/.test(name) ? [] : ['no name']),
    ...Object.entries(dates).flatMap(([key, date]) => (DATE.test(String(date)) ? [] : [`${key} ${date}`])),
    ...(new Date(String(endDate)) < new Date(String(startDate)) ? ['ends before it starts'] : []),
    ...(STATUSES.some((status) => eventStatus === `${SCHEMA}Event${status}`) ? [] : [`status ${eventStatus}`]),
    ...(isUrl(image) ? [] : ['no image']),
    ...locationProblems(event),
    ...listOf(offers).flatMap(offerProblems),
    ...personProblems('organizer', organizer),
    ...personProblems('performer', performer),
    ...emptyIn(event),
  ];
}

/** Structured data of a page. */
export const structuredDataOf = (html: string): Thing[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) => JSON.parse(json));
