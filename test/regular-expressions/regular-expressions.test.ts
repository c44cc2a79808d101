import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectExpressions, type Expression, sourceFiles } from './expressions.ts';

const require = createRequire(import.meta.url);
// Pure JavaScript, without Java and threads: the same verdict on every machine.
const { checkSync } = require('recheck/lib/browser.js') as {
  checkSync(source: string, flags: string, limits: typeof LIMITS): { status: 'safe' | 'vulnerable' | 'unknown' };
};

/** Expressions that recheck cannot judge, and why they are harmless. */
const JUDGED_BY_HAND: Readonly<Record<string, string>> = {
  '[[\\p{Script=Inherited}\\p{Script=Cyrillic}\\p{Script=Hebrew}\\p{Script=Arabic}]&&[\\p{M}--[\\u3099-\\u309a]]]':
    'recheck does not know the flag v. One class of characters without a quantifier looks at each position once.',
};

/**
 * Counts steps instead of seconds, so that the verdict does not depend on the machine. A text of 20,000 characters
 * that takes 100 million steps counts as an attack.
 */
const LIMITS = {
  timeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  seedingTimeout: null,
  attackLimit: 100_000_000,
  maxAttackStringSize: 20_000,
};

/** A verdict depends on nothing else. */
const JUDGE = { recheck: require('recheck/package.json').version, limits: LIMITS };

/**
 * Expressions that were found safe, and by which judge. They are not checked again until it changes, because all of
 * them take more than a minute. Only this test writes the file: `npm run expressions -- -u`, which checks all of them
 * again if the file was removed.
 */
const FOUND_SAFE = join(import.meta.dirname, 'safe-expressions.json');

async function readFoundSafe(): Promise<string[]> {
  const text = await readFile(FOUND_SAFE, 'utf8').catch(() => '{}');
  const { judge, safe = [] } = JSON.parse(text) as { judge?: unknown; safe?: string[] };
  return isDeepStrictEqual(judge, JUDGE) ? safe : [];
}

/** `safe` for at most linear time. */
function verdict({ source, flags }: Pick<Expression, 'source' | 'flags'>): string {
  // Sticky expressions match at one position only; for recheck, an anchor expresses that.
  const isSticky = flags.includes('y');
  const { status } = checkSync(isSticky ? `^(?:${source})` : source, flags.replace('y', ''), LIMITS);
  return status;
}

describe('every regular expression of the program', () => {
  let expressions: Expression[];
  beforeAll(async () => {
    expressions = await collectExpressions(sourceFiles());
  });

  it('is found, including those built at start-up', () => {
    const sources = expressions.map(({ source }) => source);
    expect(sources.length).toBeGreaterThan(140);
    expect(sources).toContain('^scrypt\\$(\\d+)\\$(\\d+)\\$(\\d+)\\$([\\w-]+)\\$([\\w-]+)$');
    expect(sources.filter((source) => source.includes('(?<weekday>'))).not.toHaveLength(0);
    expect(sources.filter((source) => source.includes('blockquote'))).not.toHaveLength(0);
  });

  it('takes linear time on any text', async () => {
    const email = { file: 'zod', source: z.regexes.email.source, flags: z.regexes.email.flags };
    const judged = [...expressions, email].filter(({ source }) => !(source in JUDGED_BY_HAND));
    const distinct = new Map(judged.map((one) => [`/${one.source}/${one.flags}`, one]));
    const foundSafe = new Set(await readFoundSafe());
    const bad = [...distinct].flatMap(([name, one]) => {
      const status = foundSafe.has(name) ? 'safe' : verdict(one);
      return status === 'safe' ? [] : [`${status}: ${one.file} ${name}`];
    });
    expect(bad).toEqual([]);
    const found = { judge: JUDGE, safe: [...distinct.keys()].sort() };
    await expect(`${JSON.stringify(found, undefined, 2)}\n`).toMatchFileSnapshot(FOUND_SAFE);
  });

  it('is listed as judged manually only while it exists', () => {
    const sources = new Set(expressions.map(({ source }) => source));
    expect(Object.keys(JUDGED_BY_HAND).filter((source) => !sources.has(source))).toEqual([]);
  });
});

describe('the check of regular expressions', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder('expressions');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['^\\s*[-+]?(\\d+\\.?\\d*|\\.\\d+)(e[-+]?\\d+)?\\s*$', 'i'],
    ['^(a+)+$', ''],
    ['\\s+$', ''],
    ['(?<!\\d)-+$', ''],
  ])('reports /%s/%s', (source, flags) => {
    expect(verdict({ source, flags })).toBe('vulnerable');
  });

  it.each([
    ['between slashes', 'export const LATER = (text: string) => /^(?:x*)+y$/.test(text);'],
    ['put together at the start', "const PART = '(?:x*)+';\nexport const MADE = new RegExp('^' + PART + 'y$');"],
  ])('reports one planted in a source, %s', async (name, text) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.ts`);
    await writeFile(file, text);
    const [planted, ...others] = await collectExpressions([file]);
    expect([planted, others]).toEqual([{ file, source: '^(?:x*)+y$', flags: '' }, []]);
    expect(verdict(planted as Expression)).toBe('vulnerable');
  });

  it('refuses a source that calls RegExp later, where it cannot be checked', async () => {
    const file = join(folder, 'expired-items.ts');
    await writeFile(file, 'export const late = (part: string) => new RegExp(part);');
    await expect(collectExpressions([file])).rejects.toThrow('expired-items.ts');
  });
});
