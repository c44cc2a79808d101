/**
 * Reads a date written by people into what it says, without knowing the time or the zone. The grammar is the useful part
 * of PHP's `strtotime`: tokens in any order, each said at most once, relative units adding up.
 */
import {
  type DateExpression,
  emptyExpression,
  type Note,
  noteAgo,
  noteDate,
  noteDayWord,
  noteInMonth,
  noteNamedUnit,
  noteOffset,
  noteTime,
  noteUnits,
  noteWeekday,
  noteZone,
  ORDINALS,
  saysDate,
  UNITS,
} from './date-expression.ts';

const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])\\.?';
const WEEKDAY =
  '(?<weekday>sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs?|rsday)?|fri(?:day)?|sat(?:urday)?)(?![a-z])\\.?';
const UNIT = `(?<unit>${Object.keys(UNITS).join('|')})s?(?![a-z])`;
const YEAR = '(?<year>\\d{4})(?![\\d:])';
const LATER_YEAR = `(?:(?:[\\s,.]*|-)${YEAR})?`;
const DAY = '(?<day>\\d{1,2})';
const SUFFIX = '(?:st|nd|rd|th)?';
const HALF = '\\s*(?<half>[ap])\\.?m\\b\\.?';
const OF_MONTH = `(?:\\s+${MONTH}(?:\\s+${YEAR})?)?`;
const WHICH = '(?<which>next|last|previous|this)\\s+';

function rule(pattern: string, note: Note): { pattern: RegExp; note: Note } {
  return { pattern: new RegExp(pattern, 'iy'), note };
}

/** The first that matches decides. Every pattern takes at least one character and is free of nested repetition. */
const RULES = [
  rule('(?<year>\\d{4})(?<sep>[-/])(?<month>\\d{1,2})\\k<sep>(?<day>\\d{1,2})(?!\\d)', noteDate),
  rule(`t?(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,]\\d+)?)?(?!\\d)(?:${HALF})?`, noteTime),
  rule(`(?<hour>\\d{1,2})${HALF}`, noteTime),
  rule('(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4})(?!\\d)', noteDate),
  rule(`${DAY}(?<sep>[.-])(?<month>\\d{1,2})\\k<sep>(?<year>\\d{4})(?!\\d)`, noteDate),
  rule('(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)(?=t\\d)', noteDate),
  rule('t(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)?(?:[.,]\\d+)?(?!\\d)', noteTime),
  rule(`${DAY}${SUFFIX}[\\s.-]*${MONTH}${LATER_YEAR}`, noteDate),
  rule(`${MONTH}[\\s.-]*${DAY}${SUFFIX}(?![\\d:a-z])${LATER_YEAR}`, noteDate),
  rule(`${MONTH}[\\s,.-]*${YEAR}`, noteDate),
  rule(`(?<nth>first|last)\\s+day\\s+of(?![a-z])${OF_MONTH}`, noteInMonth),
  rule(`(?<nth>${ORDINALS.join('|')}|last)\\s+${WEEKDAY}\\s+of(?![a-z])${OF_MONTH}`, noteInMonth),
  rule(`(?<count>[+-]?\\s*\\d{1,9})\\s*${UNIT}`, (said, parts) =>
    noteUnits(said, { ...parts, count: parts.count?.replace(/\s/g, '') }),
  ),
  rule(`${WHICH}${UNIT}`, noteNamedUnit),
  rule(`(?:${WHICH})?${WEEKDAY}`, noteWeekday),
  rule('ago(?![a-z])', noteAgo),
  rule('(?<word>now|today|midnight|noon|tomorrow|yesterday)(?![a-z])', noteDayWord),
  // One digit is enough for the hours of an offset only behind GMT or UTC: "2030-06-01 +5" is more likely a slip.
  rule('(?:gmt|utc)(?<sign>[+-])(?<hour>\\d{1,2})(?::?(?<minute>\\d\\d))?(?![\\d.])', noteOffset),
  rule('(?<sign>[+-])(?<hour>\\d\\d)(?::?(?<minute>\\d\\d))?(?!\\d)', noteOffset),
  rule('(?<name>[a-z][\\w/+-]*)', noteZone),
  // The comment behind the zone, as mail and JavaScript write it: "+0200 (CEST)".
  rule('\\([^()]*\\)', (said) => said.zone !== undefined),
];

const SEPARATOR = /\s*(?:,\s*(?=\S))?/y;

/** Position after the token that starts at `at`, undefined when there is none or it cannot be. */
function readToken(text: string, at: number, said: DateExpression): number | undefined {
  for (const { pattern, note } of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return note(said, match.groups ?? {}) ? pattern.lastIndex : undefined;
  }
  return undefined;
}

/** What a text says, undefined when some part of it is no date, or contradicts another. Linear in the text's length. */
export function readDate(text: string): DateExpression | undefined {
  const said = emptyExpression();
  let at = 0;
  while (at < text.length) {
    const end = readToken(text, at, said);
    if (end === undefined) return undefined;
    SEPARATOR.lastIndex = end;
    SEPARATOR.exec(text);
    at = SEPARATOR.lastIndex;
  }
  return saysDate(said) ? said : undefined;
}
