import { isRecord, parseList } from '../../lib/text/list.ts';

/**
 * Selects the members named by `_fields`: a CSV or list of keys, dotted for nested members. As in the reference, lists
 * inside a response are not filtered; a top-level list is filtered item by item. Without names, everything is returned.
 */
export function selectFields(body: unknown, fields: unknown): unknown {
  const names = (parseList(fields, { splitItems: true }) ?? []).slice(0, 100);
  if (names.length === 0) return body;
  return Array.isArray(body) ? body.map((item) => select(item, names)) : select(body, names);
}

function select(body: unknown, names: readonly string[]): unknown {
  if (!isRecord(body)) return body;
  const result = emptyRecord();
  for (const name of names) copyMember(body, result, name.split('.'));
  return result;
}

/** Without a prototype: names chosen by clients must not reach inherited members. */
const emptyRecord = (): Record<string, unknown> => Object.create(null);

function copyMember(from: Record<string, unknown>, to: Record<string, unknown>, [key = '', ...rest]: string[]): void {
  if (!Object.hasOwn(from, key)) return;
  const value = from[key];
  if (rest.length === 0) {
    to[key] = value;
    return;
  }
  if (Array.isArray(value)) to[key] = [];
  if (!isRecord(value)) return;
  const known = to[key];
  if (known === value) return;
  const inner = isRecord(known) ? known : emptyRecord();
  copyMember(value, inner, rest);
  to[key] = inner;
}

/** The callback of `_jsonp`: undefined if not requested, null if it is not a valid name. */
export function jsonpCallback(value: unknown): string | null | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' && value.length <= 100 && /^[\w.]+$/.test(value) ? value : null;
}
