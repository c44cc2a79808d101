export interface WeightedValue {
  /** In lower case, without parameters. */
  value: string;
  /** From 0, which excludes the value, to 1. */
  weight: number;
}

/** Maximum number of items read from a header; clients send a handful. */
const MAX_ITEMS = 20;

/**
 * Items of a header such as `Accept` or `Accept-Language` by descending weight (RFC 9110, 12.4.2). Items of equal
 * weight keep their order. Items whose weight is not from 0 to 1 are ignored.
 */
export function parseWeighted(header: string | null): WeightedValue[] {
  if (header === null) return [];
  const items = header.toLowerCase().split(',').slice(0, MAX_ITEMS).flatMap(parseItem);
  return items.sort((a, b) => b.weight - a.weight);
}

function parseItem(item: string): WeightedValue[] {
  const [value = '', ...parameters] = item.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = quality === undefined ? 1 : Number.parseFloat(quality);
  return value !== '' && weight >= 0 && weight <= 1 ? [{ value, weight }] : [];
}

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

/** Tests if a language range equals a language or is a prefix of it, as `fr` is of `fr-CA`. */
const covers = (tag: string, language: string) => `${language.toLowerCase()}-`.startsWith(`${tag}-`);

function pick(tag: string, languages: readonly string[]): string | undefined {
  const broader = languages.filter((language) => covers(language.toLowerCase(), tag));
  const [closest] = broader.sort((a, b) => b.length - a.length);
  return closest ?? languages.find((language) => covers(tag, language));
}

/** Tests if an `Accept-Encoding` header prefers gzip to no encoding (RFC 9110, 12.5.3). */
export function prefersGzip(header: string | null | undefined): boolean {
  if (!header) return false;
  const weights = new Map(parseWeighted(header).map(({ value, weight }) => [value, weight]));
  const gzipped = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzipped > 0 && gzipped >= (weights.get('identity') ?? 0);
}
