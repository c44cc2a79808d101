import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';

const LANGUAGES = ['en', 'fr', 'de'];
const folders = globSync('apps/console/**/locales/en.json').map(dirname).sort();

/** Key, kind and placeholders of each message. */
function shapeOf(file: string): string[] {
  const texts: Record<string, string | Record<string, string>> = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(texts).map(([key, text]) => {
    const all = typeof text === 'string' ? text : (text.other ?? '');
    const names = [...all.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    return `${key} ${typeof text} ${[...new Set(names)]}`;
  });
}

describe('the texts of the console', () => {
  it.each(folders)('in %s have the same keys and values in every language', (folder) => {
    const [english, ...others] = LANGUAGES.map((language) => shapeOf(`${folder}/${language}.json`));
    for (const other of others) expect(other).toEqual(english);
  });

  it.each(folders)('in %s are all used', (folder) => {
    const sources = globSync('apps/console/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'));
    const all = sources.join('\n');
    // Keys with a value in them are written with the part before it.
    const isUsed = (key: string) => all.includes(`'${key}'`) || all.includes(`\`${key.replace(/[^.]+$/, '')}\${`);
    const keys = Object.keys(JSON.parse(readFileSync(`${folder}/en.json`, 'utf8')));
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });
});
