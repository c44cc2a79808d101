/** A BCP 47 tag in its usual letter case. The syntax allows languages of more than three letters, but none exist. */
export function languageTag(given: string): string | undefined {
  if (!/^[a-z]{2,3}(-|$)/i.test(given)) return undefined;
  try {
    return Intl.getCanonicalLocales(given)[0];
  } catch {
    return undefined;
  }
}
