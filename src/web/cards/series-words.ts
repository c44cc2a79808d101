import type { Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** How often the series of listed events take place, by event; empty if lists have every event of a series. */
export async function seriesWords(
  { ask, site, language }: Visit,
  events: readonly Event[],
): Promise<Map<number, string>> {
  if (!site?.collapse_series || events.length === 0) return new Map();
  const { words } = await ask('series.words', { include: events.map(({ id }) => id) });
  return new Map(words.map(({ event, text }) => [event, capitalised(text, language)]));
}

/** Sentence with a capital letter: "Every Monday until 30 June". */
export const capitalised = (text: string, language: string): string => {
  const [first = '', ...others] = text;
  return `${first.toLocaleUpperCase(language)}${others.join('')}`;
};
