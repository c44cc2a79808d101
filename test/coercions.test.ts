import { beforeAll, describe, expect, it } from 'vitest';
import { type Coercion, findCoercions } from './coercions.ts';

/** Files that make text or a number of a value of any type, each with the reason why no request can send that value. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/base/config.ts': 'Reads the name of a variable of the environment.',
  'src/base/setting-values.ts': 'Reads the text of a variable of the environment.',
  'src/base/setting.ts': 'Writes a default that is a constant.',
  'src/cli.ts': 'Prints an error.',
  'src/db/errors.ts': 'Compares the code of an error.',
  'src/demo/create.ts': 'Reads the id of a record that it created.',
  'src/server/cli/command.ts': 'Prints an error.',
  'src/server/cli/demo.ts': 'Prints how many records it created.',
  'src/server/open-context.ts': 'Prints an error.',
};

const HERE = 'test/coercions.test.ts';

/** Ways to make text of a value, and the value and its type where it may have none. */
const EXAMPLES: readonly [found: string | undefined, example: unknown][] = [
  ['one: unknown', (one: unknown) => String(one)],
  ['two: object', (two: object) => Number(two)],
  ['three.a: unknown', (three: Readonly<Record<string, unknown>>) => `${three.a} ${typeof three}`],
  ['four: object', (text: string, four: object) => text + four],
  ['five: readonly unknown[]', (five: readonly unknown[]) => five.join(',')],
  ['six: string | readonly object[]', (six: string | readonly object[]) => `${six}`],
  ['seven: any', (text: string) => JSON.parse(text).map((seven: ReturnType<typeof JSON.parse>) => `${seven}`)],
  [undefined, (value: string | number | boolean | null | undefined) => `${value}${String(value)}${Number(value)}`],
  [undefined, (values: readonly (string | number)[]) => `${values.join()}${values}`],
  [undefined, (url: URL, query: URLSearchParams) => `${url}${query}`],
  [undefined, <T extends string>(word: T) => String(word)],
];

describe('a value of any type', () => {
  let found: Coercion[];
  beforeAll(() => {
    found = findCoercions((path) => path === HERE || /^src\/.*(?<!\.test)\.ts$/.test(path));
  });

  it('becomes text only where no request can send it; scalarText reads those of requests', () => {
    const inSources = found.filter(({ file }) => file !== HERE);
    expect(inSources.filter(({ file }) => !Object.hasOwn(ALLOWED, file))).toEqual([]);
    expect([...new Set(inSources.map(({ file }) => file))].sort()).toEqual(Object.keys(ALLOWED));
  });

  it('is noticed however it becomes text', () => {
    const here = found.filter(({ file }) => file === HERE);
    expect(here.map(({ expression, type }) => `${expression}: ${type}`)).toEqual(
      EXAMPLES.flatMap(([expected]) => expected ?? []),
    );
  });
});
