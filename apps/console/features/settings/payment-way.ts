import type { PaymentWay } from '../../../../packages/client/src/marquee-client.ts';

/** Ways to pay that need no name: the server has one for them in each language. */
export const KNOWN_WAYS = ['door', 'transfer'] as const;

/** Characters of an id. */
const MAX_ID = 31;

/** An id for a new way to pay, which orders will name: from its name, and unlike those of other ways. */
export function newWayId(name: string, taken: readonly string[]): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '');
  const words = letters.replace(/[^a-z0-9]+/g, '-').replace(/^[^a-z]+|-+$/g, '');
  const base = words.slice(0, MAX_ID - 3) || 'way';
  // The server keeps these two for orders without a way to pay.
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
 * The ways to pay as they are sent: texts that are as they were stay out, since those shown in one language may belong
 * to another one.
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
