import { CATALOGUES } from './i18n.ts';

/** The word for "free" in each language, in lower case: the displayed one, and others that organizers write. */
export const FREE_WORDS: readonly string[] = Object.values(CATALOGUES).map((texts) =>
  texts['label.free'].toLowerCase(),
);

/** Whether the displayed `cost` of an event says that it is free. */
export const isFree = (cost: string): boolean => FREE_WORDS.includes(cost.toLowerCase());
