import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Condition: a column has one of the given values; never true without values. A single value becomes an equality, so
 * that an index that begins with the column also provides the order.
 * @example
 * query.where((eb) => isOneOf(eb.ref('foreign_id'), ids))
 */
export function isOneOf(
  column: Expression<unknown>,
  values: readonly (string | number | RawBuilder<unknown>)[],
): RawBuilder<SqlBool> {
  if (values.length === 0) return sql`1 = 0`;
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} IN (${sql.join([...values])})`;
}

/**
 * Condition: a column has one of the given names of an enumeration; others match nothing. Names become literals in the
 * statement: if a column has a partial index for one value (`WHERE status = 'future'`), SQLite recompiles a statement
 * that compares the column with a parameter at each execution, since the plan may depend on the value.
 */
export const isOneOfNames = (
  column: Expression<unknown>,
  { names, known }: { names: readonly string[]; known: readonly string[] },
): RawBuilder<SqlBool> =>
  isOneOf(
    column,
    known.filter((name) => names.includes(name)).map((name) => sql.lit(name)),
  );

/** Position of a column's value in a list of ids, for sorting; null for other values. */
export function positionIn(column: Expression<unknown>, ids: readonly number[]): RawBuilder<number> {
  const cases = ids.map((id, position) => sql`WHEN ${id} THEN ${sql.lit(position)}`);
  return sql`CASE ${column} ${sql.join(cases, sql` `)} END`;
}
