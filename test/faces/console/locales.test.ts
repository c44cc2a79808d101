import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';

const LANGUAGES = ['en', 'fr', 'de'];
const folders = globSync('apps/{console,door}/**/locales/en.json').map(dirname).sort();

/** Texts of the apps, and of the server and its pages. */
const FILES = globSync(['apps/{console,door}/**/locales/*.json', 'src/locales/*.json']).sort();
const FRENCH = FILES.filter((file) => file.endsWith('/fr.json'));
const TRANSLATED = FILES.filter((file) => !file.endsWith('/en.json'));

type Texts = Record<string, string | Record<string, string>>;

/** All texts of a file, in each of their forms. */
const formsIn = (file: string): string[] =>
  Object.values<Texts[string]>(JSON.parse(readFileSync(file, 'utf8'))).flatMap((text) =>
    typeof text === 'string' ? text : Object.values(text),
  );

/** Key, kind and placeholders of each message. */
function shapeOf(file: string): string[] {
  const texts: Texts = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(texts).map(([key, text]) => {
    const all = typeof text === 'string' ? text : (text.other ?? '');
    const names = [...all.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    return `${key} ${typeof text} ${[...new Set(names)]}`;
  });
}

describe('the texts of the console and of the app at the door', () => {
  it.each(folders)('in %s have the same keys and values in every language', (folder) => {
    const [english, ...others] = LANGUAGES.map((language) => shapeOf(`${folder}/${language}.json`));
    for (const other of others) expect(other).toEqual(english);
  });

  it.each(FRENCH)('%s has no-break spaces around French punctuation', (file) => {
    const isWrong = (text: string) => /[ \u202f][:;!?»]|«[ \u202f]|[\p{L}}][:;!?»](?= |$)/u.test(text);
    expect(formsIn(file).filter(isWrong)).toEqual([]);
  });

  it.each(FILES)('%s has no narrow no-break space, which some fonts lack', (file) => {
    expect(formsIn(file).filter((text) => text.includes('\u202f'))).toEqual([]);
  });

  it.each(TRANSLATED)('%s has typographic apostrophes, quotation marks and ellipses', (file) => {
    const isWrong = (text: string) => /\p{L}'\p{L}|"|\.\.\./u.test(text) || /„[^“]*$/.test(text);
    expect(formsIn(file).filter(isWrong)).toEqual([]);
  });

  it.each(FRENCH.filter((file) => file.startsWith('apps/')))('%s names the number where it may be zero', (file) => {
    // French has no form of its own for zero: “one” is the form for both.
    const texts: Texts = JSON.parse(readFileSync(file, 'utf8'));
    const isWrong = ({ one = '', other = '' }: Record<string, string>) =>
      other.includes('{count}') && !one.includes('{count}') && /(?<!\p{L})une?(?!\p{L})/iu.test(one);
    const forms = Object.entries(texts).filter(([, text]) => typeof text === 'object' && isWrong(text));
    expect(forms.map(([key]) => key)).toEqual([]);
  });

  it.each([
    ['fr', /\b(courriels?|importations?|porteurs?|clients?|caisse|participante?s? enregistrés?|Chercher)\b|détent/],
    ['de', /Kund(e|in|schaft)|Rückzahl|Zusammenführ|Check-in|Redaktion|\bIds?\b|\bSite\b/],
  ])('in %s have the words of the glossary', (language, givenUp) => {
    const said = FILES.filter((file) => file.endsWith(`/${language}.json`)).flatMap(formsIn);
    expect(said.filter((text) => givenUp.test(text.replaceAll(/`[^`]*`/g, '')))).toEqual([]);
  });

  it.each(folders)('in %s are all used', (folder) => {
    const [app] = /^apps\/\w+/.exec(folder) ?? [];
    const sources = globSync(`${app}/**/*.{ts,tsx}`).map((file) => readFileSync(file, 'utf8'));
    const all = sources.join('\n');
    // Keys with a value in them are written with the part before it.
    const isUsed = (key: string) => all.includes(`'${key}'`) || all.includes(`\`${key.replace(/[^.]+$/, '')}\${`);
    const keys = Object.keys(JSON.parse(readFileSync(`${folder}/en.json`, 'utf8')));
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });
});
