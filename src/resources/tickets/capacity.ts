import type { Provider, StockMode } from '../../db/tables.ts';
import { type EventStock, isShared, type Ticket } from './stock.ts';

/** What a write says of places. Absent: nothing said. null: no limit. */
export interface CapacityInput {
  mode?: StockMode;
  capacity?: number | null;
  eventCapacity?: number | null;
}

/** What the ticket and its event are to have. */
export interface StockPlan {
  mode: StockMode;
  capacity: number | null;
  /** Shared capacity of the event; absent when it stays, or there is none. */
  shared?: number | null;
}

export interface CapacityState {
  provider: Provider;
  current?: Pick<Ticket, 'mode' | 'capacity'>;
  pool?: Pick<EventStock, 'capacity'>;
}

/** How places are counted after a write. Less than what is sold already is accepted: nothing is left then. */
export function planStock(wish: CapacityInput, standing: CapacityState): StockPlan {
  if (standing.provider === 'rsvp') return planReply(wish, standing);
  const mode = modeOf(wish, standing);
  if (isShared(mode)) return planShared(mode, wish, standing);
  const shared = typeof wish.eventCapacity === 'number' ? { shared: wish.eventCapacity } : {};
  if (mode === '') return { mode, capacity: null, ...shared };
  const { capacity = keptLimit(standing) } = wish;
  return { mode, capacity: capacity === undefined ? 0 : capacity, ...shared };
}

/** A number of places for a ticket without a limit gives it one. */
function modeOf({ mode, capacity }: CapacityInput, { current }: CapacityState): StockMode {
  if (mode !== undefined) return mode;
  if (current?.mode === '' && typeof capacity === 'number') return 'own';
  return current?.mode ?? 'own';
}

/** The limit of its own that a ticket has; undefined when it has no such thing, null when it is "no limit". */
function keptLimit({ current }: CapacityState): number | null | undefined {
  return current?.mode === 'own' || current?.mode === 'capped' ? current.capacity : undefined;
}

/** Replies draw from no pool: so many places, or any number. */
function planReply({ mode, capacity }: CapacityInput, { current }: CapacityState): StockPlan {
  const isKept = capacity === undefined && mode !== '' && current?.mode === 'own';
  const limit = isKept ? current.capacity : (capacity ?? null);
  return limit === null ? { mode: '', capacity: null } : { mode: 'own', capacity: limit };
}

function planShared(mode: StockMode, wish: CapacityInput, standing: CapacityState): StockPlan {
  const limit = wish.capacity === undefined ? keptLimit(standing) : wish.capacity;
  const shared = sharedAfter(wish, standing, limit ?? 0);
  if (mode === 'global') return { mode, capacity: null, shared };
  const capped = Math.min(limit ?? Infinity, shared ?? Infinity);
  return { mode, capacity: capped === Infinity ? null : capped, shared };
}

function sharedAfter({ eventCapacity }: CapacityInput, { pool }: CapacityState, otherwise: number): number | null {
  if (eventCapacity !== undefined) return eventCapacity;
  return pool ? pool.capacity : otherwise;
}
