/** Lines of iCalendar as a tree of components, with the numbers of broken lines. */

/** A property as jCal (RFC 7265), with its text and its line. */
export interface CalendarProperty {
  name: string;
  /** Parameters, with names in lower case. */
  parameters: Readonly<Record<string, string | readonly string[]>>;
  values: readonly unknown[];
  /** The value as it is written. */
  raw: string;
  line: number;
}

export interface CalendarComponent {
  /** In lower case. */
  name: string;
  properties: CalendarProperty[];
  components: CalendarComponent[];
  line: number;
}

export interface ReadCalendar {
  /** Calendars of the file; most have one. */
  calendars: CalendarComponent[];
  /** Lines that cannot be read: number and beginning. */
  broken: { line: number; text: string }[];
  /** Number of broken lines; `broken` has the first ones. */
  brokenCount: number;
  /** Whether every component has an end: a truncated file has not. */
  isComplete: boolean;
}

/** Maximum characters of a property: inline images are longer, and are left out. */
const MAX_LINE = 200_000;
/** Maximum depth of components: a calendar needs three. */
const MAX_DEPTH = 8;
const MAX_BROKEN = 100;

/** Whether a text begins like a calendar, and not like a web page. */
export const isCalendar = (text: string): boolean => /^[\s\uFEFF]{0,200}BEGIN:VCALENDAR\s/i.test(text.slice(0, 400));

/** Reads the lines of calendars. A broken line does not affect the others. */
export async function readCalendarLines(text: string): Promise<ReadCalendar> {
  const { default: ical } = await import('ical.js');
  const calendars: CalendarComponent[] = [];
  const open: CalendarComponent[] = [];
  const broken: ReadCalendar['broken'] = [];
  let brokenCount = 0;
  let [tooDeep, isComplete] = [0, true];
  const refuse = (line: number, content: string): void => {
    brokenCount += 1;
    if (broken.length < MAX_BROKEN) broken.push({ line, text: content.slice(0, 60) });
  };
  for (const { content, line } of unfolded(text)) {
    const [, edge = '', name = ''] = /^(BEGIN|END)\s*:\s*([\w-]{1,40})\s*$/i.exec(content) ?? [];
    if (edge.toUpperCase() === 'BEGIN') {
      if (open.length >= MAX_DEPTH || tooDeep > 0) {
        tooDeep += 1;
        continue;
      }
      const component = { name: name.toLowerCase(), properties: [], components: [], line };
      (open.at(-1)?.components ?? calendars).push(component);
      open.push(component);
    } else if (edge !== '') {
      if (tooDeep > 0) tooDeep -= 1;
      else isComplete = close(open, name.toLowerCase()) && isComplete;
    } else if (content.length > MAX_LINE) refuse(line, content);
    else if (tooDeep === 0) {
      const property = propertyOf(content, line, ical.parse.property);
      if (property && open.length > 0) open.at(-1)?.properties.push(property);
      else refuse(line, content);
    }
  }
  return { calendars, broken, brokenCount, isComplete: isComplete && open.length === 0 && tooDeep === 0 };
}

/** Ends a component and those inside it that have no end; false if something is out of order. */
function close(open: CalendarComponent[], name: string): boolean {
  const at = open.findLastIndex((component) => component.name === name);
  if (at === -1) return false;
  const isInOrder = at === open.length - 1;
  open.length = at;
  return isInOrder;
}

/** Unfolds content lines (RFC 5545, section 3.1). */
function* unfolded(text: string): Generator<{ content: string; line: number }> {
  let parts: string[] = [];
  let first = 0;
  let number = 0;
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    const line = text.slice(from, to).replace(/(?<!\r)\r+$/, '');
    from = to + 1;
    number += 1;
    if (parts.length > 0 && /^[ \t]/.test(line)) {
      parts.push(line.slice(1));
      continue;
    }
    if (parts.length > 0) yield { content: parts.join(''), line: first };
    const content = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    parts = content.trim() === '' ? [] : [content];
    first = number;
  }
  if (parts.length > 0) yield { content: parts.join(''), line: first };
}

function propertyOf(content: string, line: number, parse: (text: string) => unknown): CalendarProperty | undefined {
  try {
    // jCal: name, parameters, type, then the values.
    const [name, parameters, , ...values] = parse(content) as [
      string,
      CalendarProperty['parameters'],
      string,
      ...unknown[],
    ];
    return { name, parameters, values: values.flat(1), raw: content.slice(content.indexOf(':') + 1).trim(), line };
  } catch {
    return undefined;
  }
}

/** The first property of a name. */
export const findProperty = (component: CalendarComponent, name: string): CalendarProperty | undefined =>
  component.properties.find((property) => property.name === name);

export const propertiesNamed = (component: CalendarComponent, name: string): CalendarProperty[] =>
  component.properties.filter((property) => property.name === name);

/** The text of the first property of a name; empty if there is none. */
export function textOf(component: CalendarComponent, name: string): string {
  const value = findProperty(component, name)?.values[0];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

export function parameterOf({ parameters }: CalendarProperty, name: string): string | undefined {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return typeof value === 'string' ? value : value?.[0];
}
