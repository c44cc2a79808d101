/**
 * Parses dates written by people, independently of the current time and the time zone. The grammar is the useful part
 * of PHP's `strtotime`: tokens in any order, each at most once; relative units add up.
 */
import {
  type ApplyToken,
  applyAgo,
  applyDate,
  applyDayWord,
  applyInMonth,
  applyNamedUnit,
  applyOffset,
  applyTime,
  applyUnits,
  applyWeekday,
  applyZone,
  type DateExpression,
  emptyExpression,
  hasDate,
  ORDINALS,
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

function rule(pattern: string, apply: ApplyToken): { pattern: RegExp; apply: ApplyToken } {
  return { pattern: new RegExp(pattern, 'iy'), apply };
}

/** The first match wins. Every pattern consumes at least one character and has no nested repetition. */
const RULES = [
  rule('(?<year>\\d{4})(?<sep>[-/])(?<month>\\d{1,2})\\k<sep>(?<day>\\d{1,2})(?!\\d)', applyDate),
  rule(`t?(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,]\\d+)?)?(?!\\d)(?:${HALF})?`, applyTime),
  rule(`(?<hour>\\d{1,2})${HALF}`, applyTime),
  rule('(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4})(?!\\d)', applyDate),
  rule(`${DAY}(?<sep>[.-])(?<month>\\d{1,2})\\k<sep>(?<year>\\d{4})(?!\\d)`, applyDate),
  rule('(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)(?=t\\d)', applyDate),
  rule('t(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)?(?:[.,]\\d+)?(?!\\d)', applyTime),
  rule(`${DAY}${SUFFIX}[\\s.-]*${MONTH}${LATER_YEAR}`, applyDate),
  rule(`${MONTH}[\\s.-]*${DAY}${SUFFIX}(?![\\d:a-z])${LATER_YEAR}`, applyDate),
  rule(`${MONTH}[\\s,.-]*${YEAR}`, applyDate),
  rule(`(?<nth>first|last)\\s+day\\s+of(?![a-z])${OF_MONTH}`, applyInMonth),
  rule(`(?<nth>${ORDINALS.join('|')}|last)\\s+${WEEKDAY}\\s+of(?![a-z])${OF_MONTH}`, applyInMonth),
  rule(`(?<count>[+-]?\\s*\\d{1,9})\\s*${UNIT}`, (expression, parts) =>
    applyUnits(expression, { ...parts, count: parts.count?.replace(/\s/g, '') }),
  ),
  rule(`${WHICH}${UNIT}`, applyNamedUnit),
  rule(`(?:${WHICH})?${WEEKDAY}`, applyWeekday),
  rule('ago(?![a-z])', applyAgo),
  rule('(?<word>now|today|midnight|noon|tomorrow|yesterday)(?![a-z])', applyDayWord),
  // Single-digit hours need GMT or UTC in front: "2030-06-01 +5" is more likely a slip.
  rule('(?:gmt|utc)(?<sign>[+-])(?<hour>\\d{1,2})(?::?(?<minute>\\d\\d))?(?![\\d.])', applyOffset),
  rule('(?<sign>[+-])(?<hour>\\d\\d)(?::?(?<minute>\\d\\d))?(?!\\d)', applyOffset),
  rule('(?<name>[a-z][\\w/+-]*)', applyZone),
  // A comment after the zone, as in e-mail and JavaScript: "+0200 (CEST)".
  rule('\\([^()]*\\)', (expression) => expression.zone !== undefined),
];

const SEPARATOR = /\s*(?:,\s*(?=\S))?/y;

/** Position after the token that starts at `at`; undefined if there is none or it is invalid. */
function readToken(text: string, at: number, expression: DateExpression): number | undefined {
  for (const { pattern, apply } of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return apply(expression, match.groups ?? {}) ? pattern.lastIndex : undefined;
  }
  return undefined;
}

const EPOCH = /^(?:-?\d+|@-?\d+(?:\.\d+)?)$/;

/**
 * Parses a text into an expression; undefined if part of it is not a date or contradicts another part. Takes linear
 * time.
 */
export function parseExpression(text: string): DateExpression | undefined {
  const trimmed = text.trim();
  if (!EPOCH.test(trimmed)) return parseTokens(trimmed, emptyExpression(text));
  return { ...emptyExpression(text), epoch: Math.trunc(Number(trimmed.replace('@', ''))) * 1000 };
}

function parseTokens(text: string, expression: DateExpression): DateExpression | undefined {
  let at = 0;
  while (at < text.length) {
    const end = readToken(text, at, expression);
    if (end === undefined) return undefined;
    SEPARATOR.lastIndex = end;
    SEPARATOR.exec(text);
    at = SEPARATOR.lastIndex;
  }
  return hasDate(expression) ? expression : undefined;
}
