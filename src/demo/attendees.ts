import { setImmediate as nextTurn } from 'node:timers/promises';
import { ANONYMOUS } from '../http/core/auth.ts';
import type { RequestContext } from '../http/core/endpoint.ts';
import { addSeconds, fromUtc, type LocalTime, localDay, secondsBetween, toUtc } from '../lib/dates/dates.ts';
import { fold } from '../lib/text/text.ts';
import { checkIn } from '../ticketing/attendees/check-in.ts';
import { createAttendee, originOf } from '../ticketing/attendees/create.ts';
import { changeOrderStatus } from '../ticketing/orders/change-status.ts';
import { placeOrder, pricedItems } from '../ticketing/orders/create-order.ts';
import { sellSeatAtCounter } from '../ticketing/orders/staff/counter-sale.ts';
import { getSitePrices } from '../ticketing/prices/site-prices.ts';
import type { Ticket } from '../ticketing/tickets/store.ts';
import { priceOn } from '../ticketing/tickets/store.ts';
import { ORIGINS } from './city.ts';
import type { Offer } from './offers.ts';
import type { RandomSource } from './random.ts';
import type { Origin } from './schemas.ts';

export interface Person {
  name: string;
  /** In `.example`, a reserved domain. */
  email: string;
}

/** Each repeated by its weight; not empty, since `ORIGINS` is not. */
const WEIGHTED = ORIGINS.flatMap((origin) => Array<Origin>(origin.weight ?? 1).fill(origin)) as [Origin, ...Origin[]];

const HOSTS = ['post.example', 'tides.example', 'mail.example', 'courriel.example', 'inbox.example'] as const;
/** Letters that do not decompose into a Latin letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae' };

const written = (name: string): string => name.split('|')[0] ?? '';
const latin = (name: string): string =>
  fold(name.split('|').at(-1) ?? '')
    .replace(/[łđøßæ]/g, (letter) => LETTERS[letter] ?? '')
    .replace(/[^a-z]+/g, '');

/** A fictional person. Names may repeat. */
export function person(random: RandomSource): Person {
  const { given, family, isFamilyFirst } = random.pick(WEIGHTED);
  const [first, last] = [random.pick(given), random.pick(family)];
  const name = isFamilyFirst ? [written(last), written(first)] : [written(first), written(last)];
  return { name: name.join(' '), email: `${latin(first)}.${latin(last)}@${random.pick(HOSTS)}` };
}

/** A created ticket, and the period in which people register for it (UTC). */
export interface OnSale {
  ticket: Ticket;
  offer: Offer;
  opens: LocalTime;
  closes: LocalTime;
  /** Start of its event; absent for future events. */
  began?: LocalTime;
}

/** An RSVP or a purchase. */
interface Registration {
  sale: OnSale;
  at: LocalTime;
  seats: number;
  answer: 'yes' | 'no';
  /** Ordered but not paid yet. */
  isUnpaid?: boolean;
}

interface Outcome {
  attendees: number;
  /** Admitted attendees, who may check in. */
  admitted: readonly number[];
}

export interface AttendeeCounts {
  orders: number;
  attendees: number;
  checkIns: number;
}

interface Simulation {
  random: RandomSource;
  ctx: RequestContext;
}

/** Maximum seats per order. */
const PARTY = 4;
/** Maximum age of unpaid orders in hours: by default the server expires them after a day. */
const UNPAID_HOURS = 18;
/** Minutes before the event starts. */
const DOORS_OPEN = 30;

const byTime = (a: { at: LocalTime }, b: { at: LocalTime }): number => (a.at < b.at ? -1 : 1);

/**
 * Simulates RSVPs, purchases and check-ins in chronological order, using the functions behind the endpoints. Demand
 * never exceeds capacity: within the single transaction a failed sale could not be rolled back separately.
 */
export async function registerAttendees(
  sales: readonly OnSale[],
  { random, ctx }: Simulation,
): Promise<AttendeeCounts> {
  const registrations = sales.flatMap((sale) => registrationsOf(sale, random)).sort(byTime);
  const arrivals: { id: number; at: LocalTime }[] = [];
  let attendees = 0;
  for (const registration of registrations) {
    // Yields to the event loop, as `answerOf` does.
    await nextTurn();
    const visit = { random, ctx: { ...ctx, viewer: ANONYMOUS, now: fromUtc(registration.at) } };
    const isRsvp = registration.sale.ticket.provider === 'rsvp';
    const outcome = isRsvp ? await answerRsvp(registration, visit) : await buy(registration, visit);
    attendees += outcome.attendees;
    const { began } = registration.sale;
    if (began === undefined) continue;
    const came = outcome.admitted.filter(() => !random.once(7));
    for (const id of came) arrivals.push({ id, at: addSeconds(began, 60 * random.between(-DOORS_OPEN, 15)) });
  }
  const passed = arrivals.filter(({ at }) => at <= toUtc(ctx.now)).sort(byTime);
  for (const arrival of passed) await admit(arrival, { random, ctx });
  const orders = registrations.filter(({ sale }) => sale.ticket.provider === 'tc').length;
  return { orders, attendees, checkIns: passed.length };
}

function registrationsOf(sale: OnSale, random: RandomSource): Registration[] {
  const { ticket, offer, opens, closes, began } = sale;
  const seconds = Math.max(0, secondsBetween(opens, closes));
  const register = (seats: number, answer: Registration['answer']): Registration => {
    const isUnpaid = ticket.provider === 'tc' && began === undefined && random.once(25);
    const early = isUnpaid ? Math.max(0, seconds - UNPAID_HOURS * 3600) : 0;
    return { sale, at: addSeconds(opens, random.between(early, seconds)), seats, answer, isUnpaid };
  };
  const parties: Registration[] = [];
  for (let left = offer.going; left > 0; left -= parties.at(-1)?.seats ?? left) {
    parties.push(register(ticket.provider === 'rsvp' ? 1 : Math.min(left, random.between(1, PARTY)), 'yes'));
  }
  return [...parties, ...Array.from({ length: offer.declined }, () => register(1, 'no'))];
}

async function answerRsvp({ sale, answer }: Registration, { random, ctx }: Simulation): Promise<Outcome> {
  const { name, email } = person(random);
  const optout = random.once(5);
  const { id } = await createAttendee(
    ctx,
    sale.ticket,
    { full_name: name, email, attendee_status: answer, optout },
    sellSeatAtCounter,
  );
  return { attendees: 1, admitted: answer === 'yes' ? [id] : [] };
}

async function buy({ sale, at, seats, isUnpaid }: Registration, { random, ctx }: Simulation): Promise<Outcome> {
  const { db, config } = ctx.context;
  const { ticket, offer } = sale;
  const purchaser = person(random);
  const isHidden = random.once(8);
  const holders = Array.from({ length: seats }, (_, seat) => ({
    full_name: seat === 0 ? purchaser.name : person(random).name,
    email: purchaser.email,
    optout: isHidden ? (1 as const) : (0 as const),
    information: {},
  }));
  const price = priceOn(ticket, localDay(at, config.timezone));
  const order = { purchaser, gateway: 'manual', currency: config.currency, seats: 'take' as const };
  const listed = [{ ticket, price, attendees: holders }];
  const { totals: _totals, ...items } = pricedItems(listed, await getSitePrices(ctx.context));
  const status = isUnpaid ? 'pending' : 'completed';
  const placed = await placeOrder(db, { ...order, ...items, status }, originOf(ctx));
  const isReturned = !isUnpaid && !offer.isFull && random.once(25);
  if (isReturned) await changeOrderStatus(db, { orderId: placed.order.id, to: 'refunded', userId: 0, now: ctx.now });
  return { attendees: seats, admitted: isUnpaid || isReturned ? [] : placed.attendees.map(({ id }) => id) };
}

/** Mostly by scanner, some manually. */
async function admit({ id, at }: { id: number; at: LocalTime }, { random, ctx }: Simulation): Promise<void> {
  const isScanned = !random.once(5);
  await checkIn(ctx.context.db, id, {
    source: isScanned ? 'app' : 'site',
    userId: isScanned ? 0 : (ctx.viewer.account?.id ?? 0),
    keyId: null,
    device: isScanned ? random.pick(['Front door', 'Side door']) : '',
    now: fromUtc(at),
  });
}
