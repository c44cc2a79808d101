import type { PaymentWay, Site } from '../../../../packages/client/src/marquee-client.ts';

/** Payment methods that the server names in each language. */
export const KNOWN_WAYS = ['door', 'transfer', 'card'] as const;

type Gateway = PaymentWay['gateway'];
type Gateways = NonNullable<Site['gateways']>;

/** Gateways whose payments staff record. */
const BY_HAND: readonly Gateway[] = ['manual', 'transfer'];

/** A new payment method. Cards are paid through the first payment service that the server has settings for. */
export function newWay(id: string, name: string, gateways: Gateways): PaymentWay {
  const service = gateways.find((gateway) => !BY_HAND.includes(gateway.id) && gateway.missing.length === 0)?.id;
  const usual: Record<string, Gateway | undefined> = { transfer: 'transfer', card: service };
  const gateway = usual[id] ?? 'manual';
  return { id, name, text: '', at_door: id === 'door', hold_hours: null, gateway, available: true };
}

/** Gateways to choose from: those with settings, and the present one. */
export const choosableGateways = (present: Gateway, gateways: Gateways): Gateway[] =>
  gateways.filter(({ id, missing }) => missing.length === 0 || id === present).map(({ id }) => id);

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
  at_door: boolean;
  hold_hours: number | null;
  gateway: PaymentWay['gateway'];
}

/**
 * Payment methods as parameters. Unchanged texts are omitted, since they may be fallbacks from another language.
 */
export const changedWays = (ways: readonly PaymentWay[], present: readonly PaymentWay[]): SentWay[] =>
  ways.map(({ id, name, text, at_door, hold_hours, gateway }) => {
    const before = present.find((way) => way.id === id);
    return {
      id,
      ...(name !== before?.name && { name: name.trim() || null }),
      ...(text !== (before?.text ?? '') && { text: text.trim() || null }),
      at_door,
      hold_hours,
      gateway,
    };
  });
