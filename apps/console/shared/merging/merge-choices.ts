import type { Fields } from '../../../client/merge.ts';

/** A field of the records of a merge, such as the city of venues. */
export interface MergeField<R> {
  name: string;
  label: string;
  /** Parameters that give the survivor the value of a record: `{ city: 'Bern' }`. */
  valueOf(record: R): Fields;
  /** Readable value; empty for none. */
  show(record: R): string;
}

/** Ids of the records chosen for fields, by the names of the fields. */
export type MergeChoices = Readonly<Record<string, number>>;

interface Identified {
  id: number;
}

const keyOf = <R>(field: MergeField<R>, record: R): string => JSON.stringify(field.valueOf(record));

/** Records with different values of a field, one per value. */
export function differing<R>(field: MergeField<R>, records: readonly R[]): R[] {
  const seen = new Map<string, R>();
  for (const record of records) if (!seen.has(keyOf(field, record))) seen.set(keyOf(field, record), record);
  return [...seen.values()];
}

/** Record that provides the value of a field: the chosen one, else the survivor, else the first with a value. */
export function sourceOf<R extends Identified>(
  field: MergeField<R>,
  { records, survivor, choices }: { records: readonly R[]; survivor: R; choices: MergeChoices },
): R {
  const chosen = records.find(({ id }) => id === choices[field.name]);
  if (chosen) return chosen;
  const isFilled = (record: R) => field.show(record) !== '';
  return isFilled(survivor) ? survivor : (records.find(isFilled) ?? survivor);
}

/** Fields of the survivor that change. */
export function fieldsOfSurvivor<R extends Identified>(
  fields: readonly MergeField<R>[],
  merge: { records: readonly R[]; survivor: R; choices: MergeChoices },
): Fields {
  const changed = fields
    .map((field) => ({ field, source: sourceOf(field, merge) }))
    .filter(({ field, source }) => keyOf(field, source) !== keyOf(field, merge.survivor));
  return Object.assign({}, ...changed.map(({ field, source }) => field.valueOf(source)));
}
