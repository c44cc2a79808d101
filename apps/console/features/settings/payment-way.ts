import type { PaymentWay } from '../../../../packages/client/src/marquee-client.ts';

/** Payment methods that the server names in each language. */
export const KNOWN_WAYS = ['door', 'transfer'] as const;

/** Maximum length of an id. */
const MAX_ID = 31;

/** Unique id of a new payment method, derived from its name; orders refer to it. */
export function newWayId(name: string, taken: readonly string[]): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '');
  const words = letters.replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+|-+$/g, '');
  const base = words.slice(0, MAX_ID - 3) || 'way';
  // The server reserves these for orders without a payment method.
  const isFree = (id: string) => ![...taken, 'manual', 'free'].includes(id);
  const numbered = (number: number) => (number === 1 ? base : `${base}-${number}`);
  let number = 1;
  while (!isFree(numbered(number))) number += 1;
  return numbered(number);
}

interface SentWay {
  id: string;
  name?: string | null;
  text?: string | null;
  hold_hours: number | null;
}

/**
 * Payment methods as parameters. Unchanged texts are omitted, since they may be fallbacks from another language.
 */
export const changedWays = (ways: readonly PaymentWay[], present: readonly PaymentWay[]): SentWay[] =>
  ways.map(({ id, name, text, hold_hours }) => {
    const before = present.find((way) => way.id === id);
    return {
      id,
      ...(name !== before?.name && { name: name.trim() || null }),
      ...(text !== (before?.text ?? '') && { text: text.trim() || null }),
      hold_hours,
    };
  });
