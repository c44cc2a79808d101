/** A message about `count` things: its forms by the plural categories of the language. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Messages of one language by their keys. */
export type Catalogue = Readonly<Record<string, string | Forms>>;

/** Values for a message. Numbers are quantities and formatted for the language; ids are passed as text. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** Formats messages in a language: `{name}` is replaced by a value, `count` selects the plural form. */
export function createFormat(language: string) {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const formOf = (forms: Forms, count: string | number | undefined): string =>
    forms[typeof count === 'number' ? rules.select(count) : 'other'] ?? forms.other;
  return (message: string | Forms, values: MessageValues = {}): string => {
    const text = typeof message === 'string' ? message : formOf(message, values.count);
    return text.replace(/\{(\w+)\}/g, (all, name: string) => {
      const value = values[name] ?? all;
      return typeof value === 'number' ? numbers.format(value) : value;
    });
  };
}
