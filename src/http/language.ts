/**
 * The language of an answer by the header `Accept-Language`: the wanted one that the site has, by weight, then by order;
 * `fr-CA` finds `fr`. The site's first language when there is none.
 */
export function acceptLanguage(header: string | null, languages: readonly string[]): string {
  const preset = languages[0] ?? 'en';
  if (!header) return preset;
  const wanted = header.split(',').slice(0, 20).flatMap(parseRange);
  wanted.sort((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    if (tag === '*') return preset;
    const found = languages.find((language) => covers(tag, language.toLowerCase()));
    if (found) return found;
  }
  return preset;
}

const covers = (tag: string, language: string) => tag === language || tag.startsWith(`${language}-`);

function parseRange(range: string): { tag: string; weight: number }[] {
  const [tag = '', ...options] = range.trim().toLowerCase().split(';');
  const quality = options
    .find((option) => option.trim().startsWith('q='))
    ?.trim()
    .slice(2);
  const weight = quality === undefined ? 1 : Number(quality);
  return tag !== '' && weight > 0 && weight <= 1 ? [{ tag: tag.trim(), weight }] : [];
}
