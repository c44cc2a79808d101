/** Maximum number of named statements on PostgreSQL, which parses and plans each once per connection. */

const MAX_STATEMENTS = 500;
const names = new Map<string, string>();

/**
 * Matches lists and counts. Their best plan depends on the values (one category has half of all events, another three),
 * so they are sent without a name and planned each time. All other statements find rows by key; planning them each time
 * would cost a third of the work of a sale.
 */
const LIST = /\b(order by|limit|group by|count\()/i;

/** Names a statement that looks like a list but finds rows by their keys. */
export const planOnce = (text: string): void => {
  if (!names.has(text) && names.size < MAX_STATEMENTS) names.set(text, `marquee-${names.size}`);
};

/**
 * Statements beyond the limit are sent without a name: a client that varies its filters must not fill the server's
 * memory.
 */
export function statementName(text: string): string | undefined {
  const cached = names.get(text);
  if (cached) return cached;
  if (!LIST.test(text)) planOnce(text);
  return names.get(text);
}
