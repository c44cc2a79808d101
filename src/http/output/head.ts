/** Header fields of a response, ready to be sent. */
export interface Head {
  /** Names in lower case, with values. */
  pairs: readonly Pair[];
  length: number | undefined;
  /** Names and values alternate. */
  lines: readonly string[];
  /** Index of the request id. */
  idAt: number;
}

type Pair = readonly [name: string, value: string];

const ID = 'x-request-id';

/** Header lines sorted by name: names and values alternate. */
export function linesOf(pairs: readonly Pair[]): string[] {
  const lines: string[] = [];
  // `flat` would make an array with holes, and copying that for each request takes ten times as long.
  for (const pair of [...pairs].sort(([a], [b]) => (a < b ? -1 : Number(a > b)))) lines.push(...pair);
  return lines;
}

/** Head of a response without its request id; `length` is the length of the body. */
export function headOf(headers: readonly Pair[], length?: number): Head {
  const pairs = headers.filter(([name]) => name !== ID);
  const lines = linesOf([...pairs, [ID, '']]);
  const idAt = lines.indexOf(ID) + 1;
  if (length !== undefined) lines.push('Content-Length', String(length));
  return { pairs, length, lines, idAt };
}

/** Copy of a head with additional headers. */
export const headWith = ({ pairs, length }: Head, more: Readonly<Record<string, string>>): Head =>
  headOf([...pairs, ...Object.entries(more).map(([name, value]) => [name.toLowerCase(), value] as const)], length);

/** Header lines for a request. */
export const linesWithId = ({ lines, idAt }: Head, id: string): string[] => lines.with(idAt, id);
