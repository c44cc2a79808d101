import { z } from 'zod';
import type { Flag } from '../../db/columns.ts';
import { EVENT_TEXTS, type EventsTable } from '../../db/tables/calendar.ts';
import {
  boolean,
  clearable,
  filledText,
  text,
  timeOfDay,
  translatable,
  url,
  withDefault,
} from '../../http/input/schemas.ts';
import { paragraphs } from '../../lib/text/html.ts';
import { foldAll, htmlToText } from '../../lib/text/text.ts';
import type { Texts } from '../../platform/translations/rules.ts';

/**
 * Texts and flags of events, each in the column of its name. The parameter of a write, the stored value and the copy
 * follow from an entry; for texts, details and flags also the member of responses, the mask of protected events, the
 * audit log and the search. Members of `REASON` and `ATTENDANCE` depend on more than their column: `view.ts`,
 * `attendance.ts` and `audited.ts` name them. Translations follow from `EVENT_TEXTS` of `db/tables/calendar.ts`.
 */

interface TextField {
  /** Schema of the parameter, before it becomes translatable. */
  parameter: z.ZodType<string | null>;
  isHtml?: boolean;
  /** Whether readers without the password of the event see it. */
  isPublic?: boolean;
  /** Whether the search covers it. */
  isSearched?: boolean;
  /** Whether a copy of the event starts without it. */
  isNotCopied?: boolean;
}

type TextColumn = { [C in keyof EventsTable]: EventsTable[C] extends string ? C : never }[keyof EventsTable];

/** In the order of responses, after the address of an event. */
const TEXTS = {
  title: {
    parameter: clearable(filledText('Title. `null` removes its translation.')),
    isPublic: true,
    isSearched: true,
  },
  description: { parameter: clearable(text('Description. HTML is cleaned.')), isHtml: true, isSearched: true },
  excerpt: {
    parameter: clearable(text('Excerpt. HTML is cleaned.', { max: 10_000 })),
    isHtml: true,
    isSearched: true,
  },
} satisfies Partial<Record<TextColumn, TextField>>;

/** Belongs to the status of an event in responses; see `view.ts`. */
const REASON = {
  event_status_reason: {
    parameter: clearable(text('Why it does not take place as announced. Plain text.', { max: 2000 })),
    isNotCopied: true,
  },
} satisfies Partial<Record<TextColumn, TextField>>;

/** Belongs to the way people attend an event in responses; see `attendance.ts`. */
const ATTENDANCE = {
  online_url: {
    parameter: clearable(
      url(
        'Address for attending online. Shown to holders of a ticket that admits, unless `online_access` is `everyone`.',
      ),
    ),
    // Holders for another date know it.
    isNotCopied: true,
  },
  door_time: {
    parameter: clearable(
      timeOfDay('When the doors open, in the time zone of the event; later than its start: the evening before.'),
    ),
  },
  accessibility: {
    parameter: clearable(text('Information for people with disabilities. Plain text.', { max: 2000 })),
  },
} satisfies Partial<Record<TextColumn, TextField>>;

/** In the order of responses, after the cost. */
const DETAILS = {
  website: { parameter: withDefault(clearable(url('Web address of the event.')), null) },
} satisfies Partial<Record<TextColumn, TextField>>;

/** Flags with their descriptions; they come after the details. */
const FLAGS = {
  show_map: 'Show a map on the page.',
  show_map_link: 'Show a link to a map on the page.',
  hide_from_listings: 'Hide it from lists.',
  sticky: 'Pin it in the calendar view.',
  featured: 'Mark it as featured.',
} satisfies Partial<Record<keyof EventsTable, string>>;

/** Flags of the status of an event, off in copies. Responses show them only while they are set; see `view.ts`. */
const STATUS_FLAGS = {
  sale_stays_open: 'Keep selling its tickets while it is postponed.',
} satisfies Partial<Record<keyof EventsTable, string>>;

const STATUS_FLAG_NAMES = Object.keys(STATUS_FLAGS) as (keyof typeof STATUS_FLAGS)[];

const ALL_FLAGS = { ...FLAGS, ...STATUS_FLAGS };

type Text = keyof typeof TEXTS;
type Detail = keyof typeof DETAILS;
type FlagName = keyof typeof ALL_FLAGS;
type AnyText = Text | Detail | keyof typeof REASON | keyof typeof ATTENDANCE;
type PlainColumns = Record<AnyText, string> & Record<FlagName, Flag>;

const ALL_TEXTS: Readonly<Record<AnyText, TextField>> = { ...TEXTS, ...REASON, ...ATTENDANCE, ...DETAILS };

/** Builds a value for each field of a group. */
function each<K extends string, F, T>(fields: Readonly<Record<K, F>>, make: (field: F, name: K) => T): Record<K, T> {
  // Complete after the loop. Every event is rendered by it, so it makes no lists of entries.
  const made = {} as Record<K, T>;
  for (const name in fields) made[name] = make(fields[name], name);
  return made;
}

const isTranslated = (name: string): boolean => EVENT_TEXTS.some((column) => column === name);

const parametersOf = <K extends string>(fields: Readonly<Record<K, TextField>>) =>
  each(fields, ({ parameter }, name) => (isTranslated(name) ? translatable(parameter) : parameter));

/** Parameters of a write, by group. */
export const PARAMETERS = {
  texts: parametersOf<Text>(TEXTS),
  reason: {
    ...parametersOf<keyof typeof REASON>(REASON),
    ...each(STATUS_FLAGS, (about) => clearable(boolean(about))),
  },
  attendance: parametersOf<keyof typeof ATTENDANCE>(ATTENDANCE),
  details: { ...parametersOf<Detail>(DETAILS), ...each(FLAGS, (about) => clearable(boolean(about))) },
};

/** Texts and flags of a write. Absent: unchanged. null: cleared. */
export type PlainInput = { [K in AnyText]?: string | null } & { [K in FlagName]?: boolean | null };

/**
 * Builds the columns after a write.
 * @param translated texts in the first language, which other languages do not overwrite
 */
export function plainColumns(
  input: PlainInput,
  current: Readonly<PlainColumns> | undefined,
  translated: Texts,
): PlainColumns {
  const textAfter = (name: AnyText): string => {
    const { [name]: sent } = input;
    if (isTranslated(name)) return translated[name] ?? '';
    return sent === undefined ? (current?.[name] ?? '') : (sent ?? '');
  };
  const flagAfter = (name: FlagName): Flag => {
    const { [name]: sent } = input;
    if (sent === undefined) return current?.[name] ?? 0;
    return sent ? 1 : 0;
  };
  return {
    ...each(ALL_TEXTS, (_field, name) => textAfter(name)),
    ...each(ALL_FLAGS, (_about, name) => flagAfter(name)),
  };
}

const textMembers = <K extends string>(fields: Readonly<Record<K, TextField>>) =>
  each(fields, ({ isHtml }) => (isHtml ? z.string().describe('HTML.') : z.string()));

/** Flags of a locked event are null. */
export const flagMember = z.boolean().nullable();

/** Schemas of the members of responses, by group. */
export const MEMBERS = {
  texts: textMembers<Text>(TEXTS),
  details: { ...textMembers<Detail>(DETAILS), ...each(FLAGS, () => flagMember) },
  status: each(STATUS_FLAGS, () => z.literal(true).optional().describe('Absent unless it is set.')),
};

const shownText = (event: Readonly<PlainColumns>) => (field: TextField, name: AnyText) =>
  field.isHtml ? paragraphs(event[name]) : event[name];

const flagsOf = (event: Readonly<PlainColumns>) => each(FLAGS, (_about, name) => event[name] === 1);
const statusFlagsOf = (event: Readonly<PlainColumns>) => each(STATUS_FLAGS, (_about, name) => event[name] === 1);

/** The flags of the status that are set. */
export function renderStatusFlags(event: Readonly<PlainColumns>): Partial<Record<keyof typeof STATUS_FLAGS, true>> {
  const set: Partial<Record<keyof typeof STATUS_FLAGS, true>> = {};
  for (const name of STATUS_FLAG_NAMES) if (event[name] === 1) set[name] = true;
  return set;
}

export const renderTexts = (event: Readonly<PlainColumns>) => each<Text, TextField, string>(TEXTS, shownText(event));

export const renderDetails = (event: Readonly<PlainColumns>) => ({
  ...each<Detail, TextField, string>(DETAILS, shownText(event)),
  ...flagsOf(event),
});

type MaskedText = Exclude<Text | Detail, 'title'>;

/** Members for readers without the password of an event. */
export const PLAIN_MASK = {
  ...(Object.fromEntries(
    Object.entries<TextField>({ ...TEXTS, ...DETAILS }).flatMap(([name, { isPublic }]) =>
      isPublic ? [] : [[name, '']],
    ),
  ) as Record<MaskedText, ''>),
  ...each(FLAGS, () => null),
};

/** Texts and flags in the audit log, by group. */
export const auditedPlain = (event: Readonly<PlainColumns>) => ({
  texts: each<Text, TextField, string>(TEXTS, (_field, name) => event[name]),
  details: { ...each<Detail, TextField, string>(DETAILS, (_field, name) => event[name]), ...flagsOf(event) },
  reason: {
    ...each<keyof typeof REASON, TextField, string>(REASON, (_field, name) => event[name]),
    ...statusFlagsOf(event),
  },
});

/** Text columns that a copy starts without. */
export const NOT_COPIED: readonly string[] = Object.entries(ALL_TEXTS).flatMap(([name, { isNotCopied }]) =>
  isNotCopied ? [name] : [],
);

/** Columns of a copy, which takes place as announced. */
export const COPIED_AS = {
  ...Object.fromEntries(NOT_COPIED.map((column) => [column, ''])),
  ...each(STATUS_FLAGS, (): Flag => 0),
};

/** Texts of an event without any. */
export const NO_TEXTS: Readonly<Record<AnyText, string>> = each(ALL_TEXTS, () => '');

/** Text that the search covers. */
export const searchTextOf = (event: Readonly<Record<Text, string>>): string =>
  foldAll(
    Object.entries<TextField>(TEXTS).flatMap(([name, { isSearched, isHtml }]) => {
      const value = event[name as Text];
      if (!isSearched) return [];
      return [isHtml ? htmlToText(value) : value];
    }),
  );
