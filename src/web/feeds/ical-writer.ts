/** Properties and components of iCalendar as jCal (RFC 7265), and their text. The only file that writes with ical.js. */

/** Name, parameters, type and values of a property, the names in lower case. */
export type Property = [
  name: string,
  parameters: Readonly<Record<string, string>>,
  type: string,
  ...values: (string | number | readonly number[])[],
];

/** Name, properties and inner components. */
export type Component = [name: string, properties: Property[], components: Component[]];

/** Writes components and properties as lines of at most 75 octets, without the end of the last one. */
export interface IcalWriter {
  component(component: Component): string;
  property(property: Property): string;
}

export const LINE_END = '\r\n';
/** Maximum octets of a line without its end and the space before a continuation (RFC 5545, 3.1: 75 with it). */
const MAX_OCTETS = 74;

let loading: Promise<IcalWriter> | undefined;

/** Creates the writer. The library is loaded on first use. */
export function icalWriter(): Promise<IcalWriter> {
  loading ??= load();
  return loading;
}

async function load(): Promise<IcalWriter> {
  const { default: ical } = await import('ical.js');
  const { property } = ical.stringify;
  const design = { ...ical.design.defaultSet, property: { ...ical.design.defaultSet.property, ...MORE_PROPERTIES } };
  const writeProperty = (one: Property) => folded(property(one, design, true));
  const writeComponent = ([name, properties, inner]: Component): string => {
    const word = name.toUpperCase();
    const lines = [`BEGIN:${word}`, ...properties.map(writeProperty), ...inner.map(writeComponent), `END:${word}`];
    return lines.join(LINE_END);
  };
  return { component: writeComponent, property: writeProperty };
}

/**
 * Folds a line. The folding of ical.js reads each character, does not count the space before a continuation, and takes
 * half of the time of a calendar.
 */
function folded(line: string): string {
  const octets = Buffer.byteLength(line);
  if (octets <= MAX_OCTETS) return line;
  const pieces: string[] = [];
  for (let from = 0; from < line.length; ) {
    const to = octets === line.length ? from + MAX_OCTETS : endOfPiece(line, from);
    pieces.push(line.slice(from, to));
    from = to;
  }
  return pieces.join(`${LINE_END} `);
}

/** End of a piece, between two characters. */
function endOfPiece(line: string, from: number): number {
  let [at, left] = [from, MAX_OCTETS];
  while (at < line.length) {
    const code = line.codePointAt(at) ?? 0;
    left -= octetsOf(code);
    if (left < 0) return at;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

/** Octets of a character in UTF-8. */
function octetsOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

/** Types of properties unknown to ical.js: those of RFC 7986, and two common extensions. */
const MORE_PROPERTIES = {
  name: { defaultType: 'text' },
  conference: { defaultType: 'unknown' },
  image: { defaultType: 'unknown' },
  source: { defaultType: 'unknown' },
  'x-wr-calname': { defaultType: 'text' },
  'x-wr-caldesc': { defaultType: 'text' },
  'x-published-ttl': { defaultType: 'duration' },
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const CONTROLS = /[\0-\x09\x0b-\x1f\x7f-\x9f]/g;

/**
 * Text as the value of a property. Line breaks are `\n`, which the writer escapes; other control characters, which
 * could begin a line, are removed.
 */
export const textValue = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\x85]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(CONTROLS, '');

/** Text as the value of a parameter, on one line. */
export const parameterValue = (text: string): string => textValue(text).replaceAll('\n', ' ');
