import { ANONYMOUS } from '../http/auth.ts';
import type { HandlerContext } from '../http/endpoint.ts';
import { addSeconds, fromUtc, type LocalTime, localDay, secondsBetween, toWall } from '../lib/dates.ts';
import { checkIn } from '../resources/attendees/check-in.ts';
import { createAttendee, makingOf } from '../resources/attendees/create.ts';
import { placeOrder } from '../resources/orders/create-order.ts';
import { sellByHand } from '../resources/orders/sell-by-hand.ts';
import { changeOrder } from '../resources/orders/transitions.ts';
import type { Ticket } from '../resources/tickets/stock.ts';
import { priceOn } from '../resources/tickets/store.ts';
import type { Offer } from './offers.ts';
import { person } from './people.ts';
import type { Chance } from './random.ts';

/** A ticket that was made, and the time in which people ask for it (UTC). */
export interface Stall {
  ticket: Ticket;
  offer: Offer;
  opens: LocalTime;
  closes: LocalTime;
  /** When its event began; absent while that is still to come. */
  began?: LocalTime;
}

/** Somebody replies, or buys some places. */
interface Wish {
  stall: Stall;
  at: LocalTime;
  places: number;
  answer: 'yes' | 'no';
  /** Bought and not paid yet. */
  isUnpaid?: boolean;
}

interface Outcome {
  attendees: number;
  /** Those who may come in. */
  admitted: readonly number[];
}

export interface Crowd {
  orders: number;
  attendees: number;
  checkIns: number;
}

interface Setting {
  random: Chance;
  call: HandlerContext;
}

/** Most places of one order. */
const PARTY = 4;
/** Hours that orders have waited to be paid, at most: unless told otherwise, the server gives them up after a day. */
const UNPAID_HOURS = 18;
/** Minutes before the beginning. */
const DOORS_OPEN = 30;

const byTime = (a: { at: LocalTime }, b: { at: LocalTime }): number => (a.at < b.at ? -1 : 1);

/**
 * Lets people reply, buy and come in, in the order of time and by the functions that requests use. Together they never
 * want more places than there are: within one transaction a sale that fails could not be undone by itself.
 */
export async function gather(stalls: readonly Stall[], { random, call }: Setting): Promise<Crowd> {
  const wishes = stalls.flatMap((stall) => wishesOf(stall, random)).sort(byTime);
  const arrivals: { id: number; at: LocalTime }[] = [];
  let attendees = 0;
  for (const wish of wishes) {
    const visit = { random, call: { ...call, viewer: ANONYMOUS, now: fromUtc(wish.at) } };
    const isReply = wish.stall.ticket.provider === 'rsvp';
    const outcome = isReply ? await reply(wish, visit) : await buy(wish, visit);
    attendees += outcome.attendees;
    const { began } = wish.stall;
    if (began === undefined) continue;
    const came = outcome.admitted.filter(() => !random.once(7));
    for (const id of came) arrivals.push({ id, at: addSeconds(began, 60 * random.between(-DOORS_OPEN, 15)) });
  }
  const passed = arrivals.filter(({ at }) => at <= toWall(call.now)).sort(byTime);
  for (const arrival of passed) await admit(arrival, { random, call });
  const orders = wishes.filter(({ stall }) => stall.ticket.provider === 'tc').length;
  return { orders, attendees, checkIns: passed.length };
}

function wishesOf(stall: Stall, random: Chance): Wish[] {
  const { ticket, offer, opens, closes, began } = stall;
  const seconds = Math.max(0, secondsBetween(opens, closes));
  const wish = (places: number, answer: Wish['answer']): Wish => {
    const isUnpaid = ticket.provider === 'tc' && began === undefined && random.once(25);
    const early = isUnpaid ? Math.max(0, seconds - UNPAID_HOURS * 3600) : 0;
    return { stall, at: addSeconds(opens, random.between(early, seconds)), places, answer, isUnpaid };
  };
  const parties: Wish[] = [];
  for (let left = offer.going; left > 0; left -= parties.at(-1)?.places ?? left) {
    parties.push(wish(ticket.provider === 'rsvp' ? 1 : Math.min(left, random.between(1, PARTY)), 'yes'));
  }
  return [...parties, ...Array.from({ length: offer.declined }, () => wish(1, 'no'))];
}

async function reply({ stall, answer }: Wish, { random, call }: Setting): Promise<Outcome> {
  const { name, email } = person(random);
  const optout = random.once(5);
  const id = await createAttendee(
    call,
    stall.ticket,
    { full_name: name, email, attendee_status: answer, optout },
    sellByHand,
  );
  return { attendees: 1, admitted: answer === 'yes' ? [id] : [] };
}

async function buy({ stall, at, places, isUnpaid }: Wish, { random, call }: Setting): Promise<Outcome> {
  const { db, config } = call.context;
  const { ticket, offer } = stall;
  const purchaser = person(random);
  const isHidden = random.once(8);
  const guests = Array.from({ length: places }, (_, seat) => ({
    full_name: seat === 0 ? purchaser.name : person(random).name,
    email: purchaser.email,
    optout: isHidden ? (1 as const) : (0 as const),
    information: {},
  }));
  const price = priceOn(ticket, localDay(at, config.timezone));
  const order = { purchaser, gateway: 'manual', currency: config.currency, places: 'take' as const };
  const items = [{ ticket, price, attendees: guests }];
  const status = isUnpaid ? 'pending' : 'completed';
  const { orderId, attendeeIds } = await placeOrder(db, { ...order, status, items }, makingOf(call));
  const isReturned = !isUnpaid && !offer.isFull && random.once(25);
  if (isReturned) await changeOrder(db, { orderId, to: 'refunded', userId: 0, now: call.now });
  return { attendees: places, admitted: isUnpaid || isReturned ? [] : attendeeIds };
}

/** Most by a scanner, some by hand. */
async function admit({ id, at }: { id: number; at: LocalTime }, { random, call }: Setting): Promise<void> {
  const isScanned = !random.once(5);
  await checkIn(call.context.db, id, {
    source: isScanned ? 'app' : 'site',
    userId: isScanned ? 0 : (call.viewer.account?.id ?? 0),
    keyId: null,
    device: isScanned ? random.pick(['Front door', 'Side door']) : '',
    now: fromUtc(at),
  });
}
