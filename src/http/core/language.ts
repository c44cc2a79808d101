import { parseWeighted } from './quality-values.ts';

/**
 * Chooses the language of a response from `Accept-Language`: the first requested language that the site has, by weight,
 * then by order. `fr-CA` matches `fr`, and `fr` matches `fr-CA` if there is no plain `fr`. Otherwise the first language
 * of the site that the header does not exclude with `q=0`.
 */
export function acceptLanguage(header: string | null, languages: readonly string[]): string {
  const ranges = parseWeighted(header);
  const wanted = ranges.filter(({ weight }) => weight > 0).map(({ value }) => value);
  const refused = ranges.filter(({ weight }) => weight === 0).map(({ value }) => value);
  const isOpen = (language: string) =>
    // By tag: `fr;q=0, fr-CA` excludes French, except Canadian French.
    wanted.includes(language.toLowerCase()) || !refused.some((tag) => covers(tag, language));
  const open = languages.filter(isOpen);
  const unnamed = open.filter((language) => !wanted.some((tag) => covers(tag, language)));
  for (const tag of wanted) {
    const found = tag === '*' ? unnamed[0] : pick(tag, open);
    if (found) return found;
  }
  return open[0] ?? languages[0] ?? 'en';
}

/** Tests if a language range matches a language or a parent of it. */
const covers = (tag: string, language: string) => `${language.toLowerCase()}-`.startsWith(`${tag}-`);

function pick(tag: string, languages: readonly string[]): string | undefined {
  const broader = languages.filter((language) => covers(language.toLowerCase(), tag));
  const [closest] = broader.sort((a, b) => b.length - a.length);
  return closest ?? languages.find((language) => covers(tag, language));
}
