import { isRecord } from '../lib/list.ts';
import { ApiError } from './errors.ts';

/** Levels of lists and objects, far below what recursive code can handle. */
const MAX_DEPTH = 50;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `{` and `[`. */
const OPENING = new Set([0x7b, 0x5b]);
/** `}` and `]`. */
const CLOSING = new Set([0x7d, 0x5d]);

/** Position after a text in JSON whose opening quote is at `start`; the end of everything when it is not closed. */
function afterText(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) return index + 1;
    if (code === BACKSLASH) index += 1;
  }
  return json.length;
}

/** Whether JSON is nested too deeply. The result is meaningless for invalid JSON. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = afterText(json, index) - 1;
    else if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Escapes could hide the name, so texts with escapes are searched too. */
const mayNamePrototype = (json: string): boolean => json.includes('__proto__') || json.includes('\\u');

/**
 * Removes all members called `__proto__`, which could pollute prototypes when the object is copied. (A reviver for
 * `JSON.parse` would be called for each of half a million values, which takes a second.)
 */
function removePrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  // As JSON.parse makes it, it is an own member.
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const member of Object.values(value)) removePrototypes(member);
}

/**
 * The members of a JSON object. Anything else at the top means "no parameters", as in the reference.
 * @throws {ApiError} rest_body_too_deep, rest_invalid_json
 */
export function parseJsonBody(json: string): Record<string, unknown> {
  if (json.trim() === '') return {};
  if (isTooDeep(json)) throw new ApiError('rest_body_too_deep', { values: { limit: MAX_DEPTH } });
  try {
    const value: unknown = JSON.parse(json);
    if (mayNamePrototype(json)) removePrototypes(value);
    return isRecord(value) ? value : {};
  } catch {
    throw new ApiError('rest_invalid_json', { data: { json_error_code: 4, json_error_message: 'Syntax error' } });
  }
}
