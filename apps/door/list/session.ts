import type { Answer, DoorGreeting, Input } from '../../../packages/client/src/marquee-client.ts';
import { msOf } from './clock.ts';

export type ListAnswer = Answer<'GET /admin/v1/door/attendees'>;
export type DoorEvent = ListAnswer['events'][number];

/** State of a device besides the rows of the list. */
export interface Session {
  token: string;
  greeting: DoorGreeting;
  list: Pick<ListAnswer, 'events' | 'tickets' | 'keys' | 'currency'>;
  /** Token of the last page of the list; undefined before the first list is complete. */
  since: string | undefined;
  /** Milliseconds, by the clock of the server, when the list was last synchronised; 0 for never. */
  synced: number;
}

/** A sale of places, or the payment of an unpaid order. */
export type Sale = Input<'POST /admin/v1/door/sales'> | Input<'POST /admin/v1/door/payments'>;

/** A sale that was sent and has no response yet. */
export interface OpenSale {
  sale: Sale;
  /** In minor units. */
  sum: number;
}

/** Milliseconds after the end of the last event. */
const KEPT = 24 * 3600_000;

/**
 * Time at which the list is erased, by the clock of the server: when the gate expires, or a day after the last event;
 * null for never.
 */
export function eraseTime({ list, greeting }: Session): number | null {
  const { expires_utc } = greeting.gate;
  const ends = list.events.map(({ utc_end_date }) => msOf(utc_end_date)).filter(Number.isFinite);
  const times = [
    ...(ends.length > 0 ? [Math.max(...ends) + KEPT] : []),
    ...(expires_utc === null ? [] : [msOf(expires_utc)]),
  ];
  return times.length === 0 ? null : Math.min(...times);
}
