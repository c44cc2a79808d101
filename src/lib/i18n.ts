import en from '../locales/en.json' with { type: 'json' };
import fr from '../locales/fr.json' with { type: 'json' };

export type MessageKey = keyof typeof en;
export type MessageValues = Readonly<Record<string, string | number>>;

type Catalogue = Readonly<Record<MessageKey, string>>;

/** A translation. One that lacks a key, or has one too many, does not compile. */
const complete = <T extends Catalogue>(texts: T & Readonly<Record<Exclude<keyof T, MessageKey>, never>>): Catalogue =>
  texts;

const CATALOGUES: Readonly<Record<string, Catalogue>> = { en, fr: complete(fr) };

/** The text of a message in a language, or in English where the language has no catalogue. `{name}` stands for a value. */
export function translate(language: string, key: MessageKey, values: MessageValues = {}): string {
  const text = (CATALOGUES[language] ?? CATALOGUES[language.split('-')[0] ?? ''] ?? en)[key];
  return text.replace(/\{(\w+)\}/g, (all: string, name: string) => String(values[name] ?? all));
}
