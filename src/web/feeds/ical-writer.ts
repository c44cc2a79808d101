/** The properties and components of iCalendar in the form of jCal (RFC 7265), and their text. The only file that uses ical.js. */

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
/** Octets of a line without its end (RFC 5545, 3.1). */
const MAX_OCTETS = 75;

let loading: Promise<IcalWriter> | undefined;

/** The writer; the library is loaded when it is needed for the first time. */
export function icalWriter(): Promise<IcalWriter> {
  loading ??= load();
  return loading;
}

async function load(): Promise<IcalWriter> {
  const { default: ical } = await import('ical.js');
  // ical.js does not count the space at the beginning of a continuation line.
  ical.foldLength = MAX_OCTETS - 1;
  const { component, property } = ical.stringify;
  const design = { ...ical.design.defaultSet, property: { ...ical.design.defaultSet.property, ...MORE_PROPERTIES } };
  return {
    component: (one) => component(one, design),
    property: (one) => property(one, design, false),
  };
}

/** Default types of properties that ical.js does not know: those of RFC 7986, and two of which every program knows. */
const MORE_PROPERTIES = {
  name: { defaultType: 'text' },
  image: { defaultType: 'unknown' },
  source: { defaultType: 'unknown' },
  'x-wr-calname': { defaultType: 'text' },
  'x-wr-caldesc': { defaultType: 'text' },
  'x-published-ttl': { defaultType: 'duration' },
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const CONTROLS = /[\0-\x09\x0b-\x1f\x7f-\x9f]/g;

/**
 * A text as the value of a property: line breaks are `\n`, which the writer escapes, and there are no other control
 * characters, which could begin a line.
 */
export const textValue = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\x85]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(CONTROLS, '');

/** A text as the value of a parameter, on one line. */
export const parameterValue = (text: string): string => textValue(text).replaceAll('\n', ' ');
