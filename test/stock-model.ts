/** A simple model of the seats of an event, to compare the server with. */

export interface ModelTicket {
  id: number;
  provider: 'tc' | 'rsvp';
  mode: 'own' | 'global' | 'capped' | '';
  /** Its own capacity; null without a limit. */
  capacity: number | null;
  isDeleted: boolean;
}

interface ModelOrder {
  id: number;
  status: string;
}

/** A seat that is or was taken, by an order or by an RSVP. */
export interface Seat {
  id: number;
  ticket: ModelTicket;
  order?: ModelOrder;
  answer?: 'yes' | 'no';
}

export interface ModelCart {
  items: Map<ModelTicket, number>;
  /** Its holds have expired. Whether its seats have been returned makes no difference to others. */
  isLate: boolean;
  /** Whether they may have been returned since; then a checkout may find nothing. */
  mayBeReleased: boolean;
}

export interface Model {
  tickets: ModelTicket[];
  /** Capacity of the shared seats; null: no limit, undefined: there are none. */
  sharedSeats: number | null | undefined;
  seats: Seat[];
  orders: ModelOrder[];
  carts: ModelCart[];
}

export type Wants = ReadonlyMap<ModelTicket, number>;

const FINAL = ['refunded'];
export const countsAs = (status: string): boolean => status === 'pending' || status === 'completed';
export const mayFollow = (from: string, to: string): boolean =>
  from === to ? from === 'refunded' : !FINAL.includes(from);

const counts = ({ order, answer }: Seat): boolean => (order ? countsAs(order.status) : answer === 'yes');
const isShared = ({ mode }: ModelTicket): boolean => mode === 'global' || mode === 'capped';
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

export const soldOf = ({ seats }: Model, ticket: ModelTicket): number =>
  seats.filter((seat) => seat.ticket === ticket && counts(seat)).length;

export const heldOf = ({ carts }: Model, ticket: ModelTicket): number =>
  sum(carts.map(({ items, isLate }) => (isLate ? 0 : (items.get(ticket) ?? 0))));

/** Negative if a capacity was lowered too far. */
const ownLeft = (model: Model, ticket: ModelTicket): number =>
  ticket.capacity === null ? Infinity : ticket.capacity - soldOf(model, ticket) - heldOf(model, ticket);

function sharedLeft(model: Model): number {
  if (model.sharedSeats === null) return Infinity;
  const given = model.tickets.filter(isShared).map((ticket) => soldOf(model, ticket) + heldOf(model, ticket));
  return (model.sharedSeats ?? 0) - sum(given);
}

export function availableOf(model: Model, ticket: ModelTicket): number {
  const left = Math.min(ownLeft(model, ticket), isShared(ticket) ? sharedLeft(model) : Infinity);
  return left === Infinity ? -1 : Math.max(0, left);
}

/** Whether these seats of several tickets are available together. */
export function canTake(model: Model, wants: Wants): boolean {
  const wanted = [...wants].filter(([, quantity]) => quantity > 0);
  const shared = sum(wanted.map(([ticket, quantity]) => (isShared(ticket) ? quantity : 0)));
  return (
    wanted.every(([ticket, quantity]) => !ticket.isDeleted && ownLeft(model, ticket) >= quantity) &&
    (shared === 0 || sharedLeft(model) >= shared)
  );
}

/** The content of a cart after setting some quantities; undefined if they are not available. */
export function cartAfter(model: Model, cart: ModelCart, wants: Wants): Map<ModelTicket, number> | undefined {
  const before = cart.isLate ? new Map<ModelTicket, number>() : cart.items;
  if ([...wants].some(([ticket, quantity]) => quantity > 0 && ticket.isDeleted)) return undefined;
  const after = new Map([...before, ...wants].filter(([, quantity]) => quantity > 0));
  for (const [ticket, quantity] of wants) if (quantity === 0) after.delete(ticket);
  const more = new Map([...after].map(([ticket, quantity]) => [ticket, quantity - (before.get(ticket) ?? 0)]));
  // The cart may use the seats that it returns.
  const kept = new Map([...before].map(([ticket, quantity]) => [ticket, Math.min(quantity, after.get(ticket) ?? 0)]));
  const carts = model.carts.map((other) => (other === cart ? { ...cart, items: kept, isLate: false } : other));
  return canTake({ ...model, carts }, more) ? after : undefined;
}

export const newModel = (shoppers: number): Model => ({
  tickets: [],
  sharedSeats: undefined,
  seats: [],
  orders: [],
  carts: Array.from({ length: shoppers }, () => ({ items: new Map(), isLate: false, mayBeReleased: false })),
});
