import { CATALOGUES } from './i18n.ts';

/** The word that means "free" in each language, in lower case: as it is shown, and as organizers write it. */
export const FREE_WORDS: readonly string[] = Object.values(CATALOGUES).map((texts) =>
  texts['label.free'].toLowerCase(),
);

/** Whether the `cost` of an event, as answers have it, says that nothing is to be paid. */
export const isFree = (cost: string): boolean => FREE_WORDS.includes(cost.toLowerCase());
