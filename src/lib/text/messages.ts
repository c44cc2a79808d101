/** A message about `count` things: its forms by the plural categories of the language. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Rules of a language for messages; either is only read by messages that need it. */
export interface MessageRules {
  plurals: Intl.PluralRules;
  numbers: Intl.NumberFormat;
}

/**
 * The text of a message: `count` selects its plural form, `{name}` and `{name.form}` are replaced by values. Numbers are
 * formatted for the language; a placeholder without a value stays as it is.
 */
export function formatMessage(
  message: string | PluralForms,
  rules: MessageRules,
  count: unknown,
  valueFor: (name: string, form?: string) => string | number | undefined,
): string {
  const text = typeof message === 'string' ? message : pluralOf(message, rules, count);
  return text.replace(/\{(\w+)(?:\.(\w+))?\}/g, (placeholder: string, name: string, form?: string) => {
    const value = valueFor(name, form) ?? placeholder;
    return typeof value === 'number' ? rules.numbers.format(value) : value;
  });
}

function pluralOf(forms: PluralForms, { plurals }: MessageRules, count: unknown): string {
  const category = typeof count === 'number' ? plurals.select(count) : 'other';
  return forms[category] ?? forms.other;
}
