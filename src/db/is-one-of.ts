import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The condition that a column has one of some values; false without values. A single value becomes an equality, so that
 * an index beginning with the column also provides the order.
 */
export function isOneOf(column: RawBuilder<unknown>, values: readonly (string | number)[]): RawBuilder<SqlBool> {
  if (values.length === 0) return sql`1 = 0`;
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} IN (${sql.join([...values])})`;
}
