import { isRecord } from '../../lib/text/list.ts';
import { ApiError } from '../core/errors.ts';

/** Maximum nesting of lists and objects, far below what recursive code can handle. */
const MAX_DEPTH = 50;
/** Maximum number of members and items, far more than any endpoint takes. */
const MAX_VALUES = 20_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** Position after a JSON string whose opening quote is at `start`; the end of the input if it is not closed. */
function afterText(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) return index + 1;
    if (code === BACKSLASH) index += 1;
  }
  return json.length;
}

/**
 * Refuses JSON that would be slow to parse and traverse, reading no further than necessary. A value follows an opening
 * bracket or a comma, so those are counted; an empty list or object counts twice. Invalid JSON may pass.
 * @throws {ApiError} rest_body_too_deep, rest_body_too_many_values
 */
function requireModest(json: string): void {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < json.length; index++) {
    switch (json.charCodeAt(index)) {
      case QUOTE:
        index = afterText(json, index) - 1;
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        depth += 1;
        values += 1;
        if (depth > MAX_DEPTH) throw new ApiError('rest_body_too_deep', { values: { limit: MAX_DEPTH } });
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
    }
    if (values > MAX_VALUES) throw new ApiError('rest_body_too_many_values', { values: { limit: MAX_VALUES } });
  }
}

/** Tests if JSON may contain `__proto__`. Escapes could hide the name, so texts with escapes are checked too. */
const mayNamePrototype = (json: string): boolean => json.includes('__proto__') || json.includes('\\u');

/**
 * Removes all members called `__proto__`, which could pollute prototypes when the object is copied. (A reviver for
 * `JSON.parse` would be called for each value, which takes several times as long.)
 */
function removePrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  // JSON.parse creates it as an own property.
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const member of Object.values(value)) removePrototypes(member);
}

/**
 * Members of a JSON object. Any other top-level value means "no parameters", as in the reference.
 * @throws {ApiError} rest_body_too_deep, rest_body_too_many_values, rest_invalid_json
 */
export function parseJsonBody(json: string): Record<string, unknown> {
  if (json.trim() === '') return {};
  requireModest(json);
  try {
    const value: unknown = JSON.parse(json);
    if (mayNamePrototype(json)) removePrototypes(value);
    return isRecord(value) ? value : {};
  } catch {
    throw new ApiError('rest_invalid_json', { data: { json_error_code: 4, json_error_message: 'Syntax error' } });
  }
}
