import type { Fields } from '../../../client/merge.ts';

/** A field of the records of a merge, such as the city of venues. */
export interface MergeField<R> {
  name: string;
  label: string;
  /** What is sent if the survivor is to have the value of a record: `{ city: 'Bern' }`. */
  valueOf(record: R): Fields;
  /** The value as people read it; empty for none. */
  show(record: R): string;
}

/** The fields that are taken from another record than the rules say, by their names: the ids of these records. */
export type MergeChoices = Readonly<Record<string, number>>;

interface Identified {
  id: number;
}

const keyOf = <R>(field: MergeField<R>, record: R): string => JSON.stringify(field.valueOf(record));

/** The records whose values of a field differ, each value once. */
export function differing<R>(field: MergeField<R>, records: readonly R[]): R[] {
  const seen = new Map<string, R>();
  for (const record of records) if (!seen.has(keyOf(field, record))) seen.set(keyOf(field, record), record);
  return [...seen.values()];
}

/** The record whose value of a field is taken: the chosen one, else the survivor, else the first that has a value. */
export function sourceOf<R extends Identified>(
  field: MergeField<R>,
  { records, survivor, choices }: { records: readonly R[]; survivor: R; choices: MergeChoices },
): R {
  const chosen = records.find(({ id }) => id === choices[field.name]);
  if (chosen) return chosen;
  const isFilled = (record: R) => field.show(record) !== '';
  return isFilled(survivor) ? survivor : (records.find(isFilled) ?? survivor);
}

/** What is sent as the fields of the survivor: those that it does not have already. */
export function fieldsOfSurvivor<R extends Identified>(
  fields: readonly MergeField<R>[],
  merge: { records: readonly R[]; survivor: R; choices: MergeChoices },
): Fields {
  const changed = fields
    .map((field) => ({ field, source: sourceOf(field, merge) }))
    .filter(({ field, source }) => keyOf(field, source) !== keyOf(field, merge.survivor));
  return Object.assign({}, ...changed.map(({ field, source }) => field.valueOf(source)));
}
