import { isRecord, parseList } from '../lib/list.ts';

/**
 * Keeps the members that `_fields` names: a CSV or list of keys, dotted ones for members of members. It does not reach
 * inside lists, as in the reference; of an answer that is a list it looks at each item. Nothing named means everything.
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

/** Without a prototype: no name that a client chooses can reach what all objects share. */
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

/** The callback of `_jsonp`: undefined when not asked for, null when it is not a name. */
export function jsonpCallback(value: unknown): string | null | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' && value.length <= 100 && /^[\w.]+$/.test(value) ? value : null;
}
