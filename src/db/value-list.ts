import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Condition: a column has one of the given values; never true without values. A single value becomes an equation, so
 * that an index that begins with the column also gives the order.
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
 * Condition: a column has one of the given names of an enumeration; others match nothing. Names become a part of the
 * statement: where a column has a partial index for one value (`WHERE status = 'future'`), SQLite compiles a statement
 * that compares it with a parameter anew at each execution, since the plan may depend on the value.
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
