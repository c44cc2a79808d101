/** What places of one event must be, whatever happens: the simplest program that says so, to hold the real one against. */

export interface ModelTicket {
  id: number;
  provider: 'tc' | 'rsvp';
  mode: 'own' | 'global' | 'capped' | '';
  /** Of its own; null without a limit. */
  capacity: number | null;
  isDeleted: boolean;
}

interface ModelOrder {
  id: number;
  status: string;
}

/** A place that somebody has, or had: by an order or by a reply. */
export interface Seat {
  id: number;
  ticket: ModelTicket;
  order?: ModelOrder;
  answer?: 'yes' | 'no';
}

export interface ModelCart {
  items: Map<ModelTicket, number>;
  /** The time of its places is over. Whether they were given back yet makes no difference to anybody else. */
  isLate: boolean;
  /** Whether something happened since that may have given them back; then a checkout may find nothing. */
  mayBeReleased: boolean;
}

export interface Model {
  tickets: ModelTicket[];
  /** Shared places; null: no limit, undefined: there are none. */
  pool: number | null | undefined;
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

/** Negative once a capacity was lowered too far. */
const ownLeft = (model: Model, ticket: ModelTicket): number =>
  ticket.capacity === null ? Infinity : ticket.capacity - soldOf(model, ticket) - heldOf(model, ticket);

function poolLeft(model: Model): number {
  if (model.pool === null) return Infinity;
  const given = model.tickets.filter(isShared).map((ticket) => soldOf(model, ticket) + heldOf(model, ticket));
  return (model.pool ?? 0) - sum(given);
}

export function availableOf(model: Model, ticket: ModelTicket): number {
  const left = Math.min(ownLeft(model, ticket), isShared(ticket) ? poolLeft(model) : Infinity);
  return left === Infinity ? -1 : Math.max(0, left);
}

/** Whether so many places can be had of each ticket, all together. */
export function canTake(model: Model, wants: Wants): boolean {
  const wanted = [...wants].filter(([, quantity]) => quantity > 0);
  const shared = sum(wanted.map(([ticket, quantity]) => (isShared(ticket) ? quantity : 0)));
  return (
    wanted.every(([ticket, quantity]) => !ticket.isDeleted && ownLeft(model, ticket) >= quantity) &&
    (shared === 0 || poolLeft(model) >= shared)
  );
}

/** What a cart has after a write of some quantities, or undefined when they cannot be had. */
export function cartAfter(model: Model, cart: ModelCart, wants: Wants): Map<ModelTicket, number> | undefined {
  const before = cart.isLate ? new Map<ModelTicket, number>() : cart.items;
  if ([...wants].some(([ticket, quantity]) => quantity > 0 && ticket.isDeleted)) return undefined;
  const after = new Map([...before, ...wants].filter(([, quantity]) => quantity > 0));
  for (const [ticket, quantity] of wants) if (quantity === 0) after.delete(ticket);
  const more = new Map([...after].map(([ticket, quantity]) => [ticket, quantity - (before.get(ticket) ?? 0)]));
  // What the cart gives back, others or itself may take: it keeps only what it has before and after.
  const kept = new Map([...before].map(([ticket, quantity]) => [ticket, Math.min(quantity, after.get(ticket) ?? 0)]));
  const carts = model.carts.map((other) => (other === cart ? { ...cart, items: kept, isLate: false } : other));
  return canTake({ ...model, carts }, more) ? after : undefined;
}

export const newModel = (shoppers: number): Model => ({
  tickets: [],
  pool: undefined,
  seats: [],
  orders: [],
  carts: Array.from({ length: shoppers }, () => ({ items: new Map(), isLate: false, mayBeReleased: false })),
});
