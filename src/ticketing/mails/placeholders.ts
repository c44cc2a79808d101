import { isAboutOrder, type MailKind } from '../../lib/mail-kinds.ts';

/** Placeholders in the texts that organizers write for mails. None leads to a code, a link or an address. */

export const PLACEHOLDERS = ['event', 'date', 'venue', 'name', 'order', 'site'] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

/** Values of placeholders; absent members are empty. */
export type MailValues = Partial<Record<Placeholder, string>>;

/** Placeholders that mails of a kind have values for. */
export const placeholdersOf = (kind: MailKind): readonly Placeholder[] => {
  if (isAboutOrder(kind)) return PLACEHOLDERS;
  const isToFormer = kind === 'ticket_transferred';
  return PLACEHOLDERS.filter((name) => name !== 'order' && !(isToFormer && name === 'name'));
};

/** Words in braces of a text that are not placeholders of a kind. */
export function unknownPlaceholders(kind: MailKind, text: string): string[] {
  const known = new Set<string>(placeholdersOf(kind));
  return [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name).filter((name) => !known.has(name));
}

const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.some((one) => one === name);

/** Replaces placeholders once: braces in a value stay as they are. A placeholder without a value becomes empty. */
export const fillIn = (text: string, values: MailValues): string =>
  text.replace(/\{([a-z]{1,10})\}/g, (whole, name: string) => (isPlaceholder(name) ? (values[name] ?? '') : whole));
