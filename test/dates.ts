import { type DateExpression, parseDate } from '../src/lib/dates/dates.ts';

/** A date as the schema of a parameter returns it. */
function dateOf(text: string): DateExpression {
  const date = parseDate(text);
  if (!date) throw new RangeError(`not a date: ${text}`);
  return date;
}

/** An input with its dates parsed; null stays. */
export function withDates<K extends string, T extends Partial<Record<K, string | null>>>(
  input: T,
  names: readonly K[],
) {
  const dates = names.flatMap((name) => {
    const text = input[name];
    return typeof text === 'string' ? [[name, dateOf(text)]] : [];
  });
  return { ...input, ...Object.fromEntries(dates) } as Omit<T, K> & Partial<Record<K, DateExpression>>;
}
