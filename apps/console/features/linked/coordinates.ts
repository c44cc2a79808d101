/** A point on the map. */
export interface Coordinates {
  lat: number;
  lng: number;
}

/** Why a text is not read as a point. */
export type Unreadable = 'unreadable' | 'short_link';

/** Longer texts are no address of a map. */
const LONGEST = 2000;

/** About ten centimetres. */
const DECIMALS = 6;

const NUMBER = String.raw`[-+]?\d{1,3}(?:\.\d{1,20})?`;
const PAIR = new RegExp(String.raw`^(${NUMBER})(?:\s*[,;]\s*|\s+)(${NUMBER})$`);
/** Decimal commas of German and French: `47,37 8,54`. */
const COMMA_PAIR = /^([-+]?\d{1,3},\d{1,20})(?:\s*;\s*|,?\s+)([-+]?\d{1,3},\d{1,20})$/;
const SEXAGESIMAL =
  /^(\d{1,2})°\s?(\d{1,2})[′']\s?(\d{1,2}(?:[.,]\d{1,6})?)[″"]\s?([NS]),?\s+(\d{1,3})°\s?(\d{1,2})[′']\s?(\d{1,2}(?:[.,]\d{1,6})?)[″"]\s?([EWO])$/;

/** Parses coordinates: two numbers, degrees and minutes, `geo:`, or a link of a well-known map. */
export function readCoordinates(text: string): Coordinates | Unreadable {
  const typed = text.trim();
  if (typed.length > LONGEST) return 'unreadable';
  if (isLink(typed)) return readLink(typed);
  return pair(typed) ?? sexagesimal(typed) ?? 'unreadable';
}

/** Whether a text is the address of something, and not typed numbers. */
export const isLink = (text: string): boolean => /^\s*(?:https?:\/\/|geo:)/i.test(text);

/** As the form shows a point: `47.376889, 8.541694`. */
export const coordinatesText = ({ lat, lng }: Coordinates): string => `${lat}, ${lng}`;

/** A point on the earth, rounded; undefined for other numbers. */
function point(lat: number, lng: number): Coordinates | undefined {
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return undefined;
  // Adding zero turns -0 into 0.
  return { lat: Number(lat.toFixed(DECIMALS)) + 0, lng: Number(lng.toFixed(DECIMALS)) + 0 };
}

function pair(text: string): Coordinates | undefined {
  const [, lat, lng] = PAIR.exec(text) ?? COMMA_PAIR.exec(text) ?? [];
  if (lat === undefined || lng === undefined) return undefined;
  return point(Number(lat.replace(',', '.')), Number(lng.replace(',', '.')));
}

function sexagesimal(text: string): Coordinates | undefined {
  const found = SEXAGESIMAL.exec(text.toUpperCase());
  if (!found) return undefined;
  const degrees = (from: number): number => {
    const [whole = 0, minutes = 0, seconds = 0] = found
      .slice(from, from + 3)
      .map((part) => Number(part.replace(',', '.')));
    return minutes < 60 && seconds < 60 ? whole + minutes / 60 + seconds / 3600 : Number.NaN;
  };
  // "O" is west in French and east in German, so it is neither.
  if (found[8] === 'O') return undefined;
  return point(degrees(1) * (found[4] === 'S' ? -1 : 1), degrees(5) * (found[8] === 'W' ? -1 : 1));
}

function readLink(text: string): Coordinates | Unreadable {
  const url = URL.parse(text);
  if (!url) return 'unreadable';
  if (url.protocol === 'geo:') return geo(url) ?? 'unreadable';
  if (SHORT_LINKS.has(url.hostname)) return 'short_link';
  const map = MAPS.find(({ host }) => host.test(url.hostname));
  return map?.read(url) ?? 'unreadable';
}

/** `geo:47.3,8.5;u=10`. Android writes `geo:0,0?q=47.3,8.5(Name)` for a point with a name. */
function geo({ pathname, searchParams }: URL): Coordinates | undefined {
  const named = pair((searchParams.get('q') ?? '').replace(/\(.*$/s, '').trim());
  const [lat = '', lng = ''] = (pathname.split(';')[0] ?? '').split(',');
  const own = pair(`${lat},${lng}`);
  const isNowhere = own?.lat === 0 && own.lng === 0 && searchParams.has('q');
  return named ?? (isNowhere ? undefined : own);
}

/** Short links, which reveal their target only when opened. */
const SHORT_LINKS: ReadonlySet<string> = new Set(['maps.app.goo.gl', 'goo.gl', 'maps.apple']);

/** The first parameter of a link that is a point. */
const parameter = ({ searchParams }: URL, ...names: readonly string[]): Coordinates | undefined =>
  names.map((name) => pair((searchParams.get(name) ?? '').trim())).find(Boolean);

const MAPS: readonly { host: RegExp; read: (url: URL) => Coordinates | undefined }[] = [
  { host: /^(?:www\.)?(?:openstreetmap\.org|osm\.org)$/, read: openStreetMap },
  { host: /^(?:www\.|maps\.)?google\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/, read: google },
  { host: /^maps\.apple\.com$/, read: (url) => parameter(url, 'coordinate', 'll', 'q', 'daddr', 'sll', 'center') },
];

/** The marker, else the centre of the map. */
function openStreetMap({ searchParams, hash }: URL): Coordinates | undefined {
  const marker = pair(`${searchParams.get('mlat') ?? ''},${searchParams.get('mlon') ?? ''}`);
  const [, lat, lng] = /[#&]map=\d{1,2}(?:\.\d{1,9})?\/([-\d.]{1,24})\/([-\d.]{1,24})/.exec(hash) ?? [];
  return marker ?? pair(`${lat},${lng}`);
}

/** The place, else the search, else the centre of the map. */
function google(url: URL): Coordinates | undefined {
  const places = [...url.pathname.matchAll(/!3d([-\d.]{1,24})!4d([-\d.]{1,24})/g)].at(-1);
  const middle = /\/@([-\d.]{1,24}),([-\d.]{1,24})/.exec(url.pathname);
  return (
    (places && pair(`${places[1]},${places[2]}`)) ??
    parameter(url, 'query', 'q', 'destination', 'daddr', 'll', 'center') ??
    (middle ? pair(`${middle[1]},${middle[2]}`) : undefined)
  );
}
