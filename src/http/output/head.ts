/** The header fields of a response, ready to be sent. */
export interface Head {
  /** Names in lower case and values. */
  pairs: readonly Pair[];
  length: number | undefined;
  /** Names and values in turn. */
  lines: readonly string[];
  /** Index of the id of the request. */
  idAt: number;
}

type Pair = readonly [name: string, value: string];

const ID = 'x-request-id';

/** Names and values in turn, sorted by name. */
export function linesOf(pairs: readonly Pair[]): string[] {
  const lines: string[] = [];
  // Not by `flat`, which makes an array with holes: copying that for each request takes ten times as long.
  for (const pair of [...pairs].sort(([a], [b]) => (a < b ? -1 : Number(a > b)))) lines.push(...pair);
  return lines;
}

/** The head of a response for any request, whose id is to be filled in; `length` is that of the body. */
export function headOf(headers: readonly Pair[], length?: number): Head {
  const pairs = headers.filter(([name]) => name !== ID);
  const lines = linesOf([...pairs, [ID, '']]);
  const idAt = lines.indexOf(ID) + 1;
  if (length !== undefined) lines.push('Content-Length', String(length));
  return { pairs, length, lines, idAt };
}

/** The same with other headers too. */
export const headWith = ({ pairs, length }: Head, more: Readonly<Record<string, string>>): Head =>
  headOf([...pairs, ...Object.entries(more).map(([name, value]) => [name.toLowerCase(), value] as const)], length);

/** Names and values for a request. */
export const linesWithId = ({ lines, idAt }: Head, id: string): string[] => lines.with(idAt, id);
