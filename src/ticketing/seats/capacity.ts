import type { CapacityMode, Provider, TicketsTable } from '../../db/tables/ticketing.ts';
import type { SharedSeats } from './seat-counters.ts';
import { isShared } from './seats.ts';

/** Capacities of a write. Absent: unchanged. null: no limit. */
export interface CapacityInput {
  mode?: CapacityMode;
  capacity?: number | null;
  eventCapacity?: number | null;
}

/** Resulting capacities of the ticket and its event. */
export interface CapacityPlan {
  mode: CapacityMode;
  capacity: number | null;
  /** Capacity of the event's shared seats; absent if unchanged, or if there are none. */
  shared?: number | null;
}

export interface CapacityState {
  provider: Provider;
  current?: Pick<TicketsTable, 'mode' | 'capacity'>;
  sharedSeats?: Pick<SharedSeats, 'capacity'>;
}

/** Capacities after a write. A capacity below the number sold is accepted: nothing is available then. */
export function planCapacity(input: CapacityInput, state: CapacityState): CapacityPlan {
  if (state.provider === 'rsvp') return planRsvp(input, state);
  const mode = modeOf(input, state);
  if (isShared(mode)) return planShared(mode, input, state);
  const shared = typeof input.eventCapacity === 'number' ? { shared: input.eventCapacity } : {};
  if (mode === '') return { mode, capacity: null, ...shared };
  const { capacity = keptLimit(state) } = input;
  return { mode, capacity: capacity === undefined ? 0 : capacity, ...shared };
}

/** A capacity sent for a ticket without a limit sets one. */
function modeOf({ mode, capacity }: CapacityInput, { current }: CapacityState): CapacityMode {
  if (mode !== undefined) return mode;
  if (current?.mode === '' && typeof capacity === 'number') return 'own';
  return current?.mode ?? 'own';
}

/** The ticket's own limit: undefined in modes without one, null for "no limit". */
function keptLimit({ current }: CapacityState): number | null | undefined {
  return current?.mode === 'own' || current?.mode === 'capped' ? current.capacity : undefined;
}

/** RSVP tickets never draw on shared seats: they have a limit of their own, or none. */
function planRsvp({ mode, capacity }: CapacityInput, { current }: CapacityState): CapacityPlan {
  const isKept = capacity === undefined && mode !== '' && current?.mode === 'own';
  const limit = isKept ? current.capacity : (capacity ?? null);
  return limit === null ? { mode: '', capacity: null } : { mode: 'own', capacity: limit };
}

function planShared(mode: CapacityMode, input: CapacityInput, state: CapacityState): CapacityPlan {
  const limit = input.capacity === undefined ? keptLimit(state) : input.capacity;
  const shared = sharedAfter(input, state, limit ?? 0);
  if (mode === 'global') return { mode, capacity: null, shared };
  const capped = Math.min(limit ?? Infinity, shared ?? Infinity);
  return { mode, capacity: capped === Infinity ? null : capped, shared };
}

function sharedAfter(
  { eventCapacity }: CapacityInput,
  { sharedSeats }: CapacityState,
  otherwise: number,
): number | null {
  if (eventCapacity !== undefined) return eventCapacity;
  return sharedSeats ? sharedSeats.capacity : otherwise;
}
