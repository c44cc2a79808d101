import de from '../locales/de.json' with { type: 'json' };
import en from '../locales/en.json' with { type: 'json' };
import fr from '../locales/fr.json' with { type: 'json' };
import type { LinkedKind } from './linked-kinds.ts';
import { formatMessage, type MessageRules, type PluralForms } from './text/messages.ts';

/** Keys of nouns, such as `kind.venue`, which messages insert for `{kind.this}`. */
type NounKey = `kind.${LinkedKind}`;

export type MessageKey = Exclude<keyof typeof en, NounKey>;

/** Values for a message. Numbers are quantities and formatted for the language; ids are passed as text. */
export type MessageValues = Readonly<Record<string, string | number | Wait>>;

/** Time until an event, written in words by messages: "in 5 days". */
interface Wait {
  seconds: number;
}

/** A noun by grammatical form. Each language defines the forms that its own messages use. */
type Noun = Readonly<Record<string, string>>;

/** A message with plural forms in English has them in every language; the categories depend on the language. */
type Catalogue = { readonly [Key in MessageKey]: (typeof en)[Key] extends string ? string : PluralForms } & Readonly<
  Record<NounKey, Noun>
>;

/** A translation. A missing or extra key is a compile-time error. */
const complete = <T extends Catalogue>(
  texts: T & Readonly<Record<Exclude<keyof T, keyof Catalogue>, never>>,
): Catalogue => texts;

export const CATALOGUES: Readonly<Record<string, Catalogue>> = { en, de: complete(de), fr: complete(fr) };
export const MESSAGE_LANGUAGES: readonly string[] = Object.keys(CATALOGUES);

/** The language whose catalogue serves a language: itself, or its parent, such as `fr` for `fr-CA`. */
export function catalogueFor(language: string): string | undefined {
  if (Object.hasOwn(CATALOGUES, language)) return language;
  const end = language.lastIndexOf('-');
  return end < 0 ? undefined : catalogueFor(language.slice(0, end));
}

/**
 * The text of a message in a language, or in English if the language has no catalogue. `{name}` is replaced by a value,
 * `{kind.this}` by the form `this` of the noun named by the value `kind`; `count` selects the plural form.
 * @example
 * translate('fr', 'error.rest_body_too_deep', { limit: '50' }); // 'Le corps est imbriqué sur plus de 50 niveaux. …'
 */
export function translate(language: string, key: MessageKey, values: MessageValues = {}): string {
  const locale = localeOf(language);
  const { texts } = locale;
  return formatMessage(texts[key], locale, values.count, (name, form) => {
    const value = values[name];
    if (typeof value === 'object') return waitIn(locale, value);
    return form === undefined ? value : nounOf(texts, `kind.${value}`)?.[form];
  });
}

const isNoun = (key: string): key is NounKey => key.startsWith('kind.') && Object.hasOwn(en, key);

const nounOf = (texts: Catalogue, key: string): Noun | undefined => (isNoun(key) ? texts[key] : undefined);

/** Translates messages into one language. */
export type Translator = (key: MessageKey, values?: MessageValues) => string;

/** `translate` bound to one language, for pages. */
export const translatorFor =
  (language: string): Translator =>
  (key, values) =>
    translate(language, key, values);

/** Units of a wait in seconds. A unit is used from two upward: "in 119 seconds" but "in 2 minutes". */
const WAIT_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A wait in words, rounded up so that a retry is never too early. */
function waitIn({ waits }: Locale, { seconds }: Wait): string {
  const [unit, length] = WAIT_UNITS.find(([, each]) => seconds >= 2 * each) ?? ['second', 1];
  return waits.format(Math.ceil(seconds / length), unit);
}

/** Formats a date and time in UTC for messages: `December 1, 2026 at 8:00 AM`. */
export const formatMoment = (language: string, moment: Date): string => localeOf(language).moments.format(moment);

/** The texts of a language and its rules, each made when a message first needs it. */
class Locale implements MessageRules {
  readonly texts: Catalogue;
  readonly #tag: string;
  #plurals?: Intl.PluralRules;
  #numbers?: Intl.NumberFormat;
  #moments?: Intl.DateTimeFormat;
  #waits?: Intl.RelativeTimeFormat;

  constructor(language: string) {
    const catalogue = catalogueFor(language);
    this.texts = CATALOGUES[catalogue ?? 'en'] ?? en;
    this.#tag = catalogue === undefined ? 'en' : language;
  }

  get plurals(): Intl.PluralRules {
    this.#plurals ??= new Intl.PluralRules(this.#tag);
    return this.#plurals;
  }

  get numbers(): Intl.NumberFormat {
    this.#numbers ??= new Intl.NumberFormat(this.#tag);
    return this.#numbers;
  }

  get moments(): Intl.DateTimeFormat {
    this.#moments ??= new Intl.DateTimeFormat(this.#tag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    return this.#moments;
  }

  get waits(): Intl.RelativeTimeFormat {
    this.#waits ??= new Intl.RelativeTimeFormat(this.#tag);
    return this.#waits;
  }
}

/** One entry per language: making its rules takes longer than a request. */
const LOCALES = new Map<string, Locale>();

function localeOf(language: string): Locale {
  const cached = LOCALES.get(language);
  if (cached) return cached;
  const made = new Locale(language);
  LOCALES.set(language, made);
  return made;
}

/** A BCP 47 tag in its usual letter case. The syntax allows languages of more than three letters, but none exist. */
export function languageTag(given: string): string | undefined {
  if (!/^[a-z]{2,3}(-|$)/i.test(given)) return undefined;
  try {
    return Intl.getCanonicalLocales(given)[0];
  } catch {
    return undefined;
  }
}
