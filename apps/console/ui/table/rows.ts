interface Row {
  id: number;
}

const placeOf = (rows: readonly Row[], id: number): number => rows.findIndex((row) => row.id === id);

/** Id of the row `steps` rows after another one, limited to the first and last row. */
export function rowAfter(rows: readonly Row[], id: number, steps: number): number | undefined {
  const place = Math.max(0, placeOf(rows, id)) + steps;
  return rows[Math.max(0, Math.min(rows.length - 1, place))]?.id;
}

/** Ids from one row to another, in the order of the rows; only the second if the first is missing. */
export function rangeOf(rows: readonly Row[], from: number, to: number): number[] {
  const [first, last] = [placeOf(rows, from), placeOf(rows, to)];
  if (first < 0) return [to];
  return rows.slice(Math.min(first, last), Math.max(first, last) + 1).map(({ id }) => id);
}
