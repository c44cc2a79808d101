import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';

/** Contents of a database as numbers: the rows of every table, and the sums of counters. */
export type Measures = ReadonlyMap<string, number>;

/** Tables that change by themselves, and indexes of words, which depend on what was written before. */
const OWN = /^(idempotency_keys|rate_limits|job_runs|jobs|leases|data_versions|words|word_parts.*|\w+_search(_.*)?)$/;
/** Columns that edits and sales change. */
const COUNTERS = ['revision', 'sold', 'held', 'count', 'quantity', 'total'];

export async function measure({ query }: Database): Promise<Measures> {
  const measures = new Map<string, number>();
  for (const { name, columns } of await query.introspection.getTables()) {
    if (OWN.test(name)) continue;
    // Revisions in the log name a state of a record; they are no counters.
    const counters =
      name === 'audit' ? [] : columns.flatMap((column) => (COUNTERS.includes(column.name) ? [column.name] : []));
    const sums = counters.map((column) => sql`, coalesce(sum(${sql.ref(column)}), 0) AS ${sql.ref(column)}`);
    const selected = sql<Record<string, number>>`SELECT count(*) AS "rows"${sql.join(sums, sql``)}
      FROM ${sql.table(name)}`;
    const [row = {}] = (await selected.execute(query)).rows;
    for (const [what, value] of Object.entries(row)) measures.set(`${name}.${what}`, Number(value));
  }
  return measures;
}

/** Numbers that changed between two measurements. */
export function changesFrom(before: Measures, after: Measures): Measures {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changes = names.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)] as const);
  return new Map(changes.filter(([, change]) => change !== 0));
}

/**
 * Number of equal steps that have been done, if all of them together make the changes `whole`: every measure has to
 * give the same number. Undefined if a step is half done, or something else changed.
 */
export function stepsIn(changes: Measures, whole: Measures, steps: number): number | undefined {
  const names = [...new Set([...changes.keys(), ...whole.keys()])];
  const shares = names.map((name) => ((changes.get(name) ?? 0) * steps) / (whole.get(name) ?? 0));
  const [share = 0] = shares;
  return Number.isInteger(share) && shares.every((other) => other === share) ? share : undefined;
}

export const textOfMeasures = (measures: Measures): string =>
  [...measures].map(([name, value]) => `${name} ${value > 0 ? '+' : ''}${value}`).join(', ') || 'nothing';
