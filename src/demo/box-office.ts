import type { HandlerContext } from '../http/endpoint.ts';
import { addSeconds, dayStart, fromUtc, type LocalTime, toWall, utcToWall, wallToUtc } from '../lib/dates.ts';
import { type Event, getEvents } from '../resources/events/store.ts';
import { getTickets } from '../resources/tickets/store.ts';
import { type Action, answerOf, create } from './create.ts';
import { gather, type Stall } from './crowd.ts';
import { type Offer, planOffers } from './offers.ts';
import type { Planned } from './programme.ts';
import { chance } from './random.ts';
import { CITY_ZONE } from './sketch.ts';

/** How many of each were made. */
export interface Sold {
  tickets: number;
  orders: number;
  attendees: number;
  'check-ins': number;
}

/** Another stream of choices than that of the programme, which stays as it is whatever is sold. */
const STREAM = 0x5eed;
/** The first day of a sale begins at midnight of the site's clock, wherever that is; this is past it everywhere. */
const FIRST_SALE = 15 * 3600;

/** Sells tickets for the events that were made: by the endpoints of the interface, on the days they would have been. */
export async function openBoxOffice(
  made: ReadonlyMap<Planned, number>,
  { seed, call }: { seed: number; call: HandlerContext },
): Promise<Sold> {
  const random = chance(seed + STREAM);
  const today = dayStart(utcToWall(toWall(call.now), CITY_ZONE));
  const offers = planOffers([...made.keys()], { today, random });
  const events = new Map((await getEvents(call.context.db, [...made.values()])).map((event) => [event.id, event]));
  const stalls: Stall[] = [];
  for (const [planned, own] of offers) {
    const event = events.get(made.get(planned) ?? 0);
    if (event) for (const offer of own) stalls.push(await openStall(offer, event, call));
  }
  const { orders, attendees, checkIns } = await gather(stalls, { random, call });
  return { tickets: stalls.length, orders, attendees, 'check-ins': checkIns };
}

async function openStall(offer: Offer, event: Event, call: HandlerContext): Promise<Stall> {
  const { db, config } = call.context;
  const published = wallToUtc(event.date, config.timezone).utc;
  const then = { ...call, now: fromUtc(published) };
  const isRunning = event.utc_start_date <= toWall(call.now) && event.utc_end_date > toWall(call.now);
  const window = isRunning && { end_date: event.end_date.slice(0, 10) };
  const draft = { words: offer.words, fields: { ...window, ...offer.fields } };
  const id = await create('tickets', { ...draft, claim: (action) => claim(event.id, action, then) }, then);
  const ticket = (await getTickets(db, [id])).get(id);
  if (!ticket) throw new Error('a ticket that was made is not there');
  const opens = addSeconds(published, FIRST_SALE);
  const began = event.utc_start_date <= toWall(call.now) ? event.utc_start_date : undefined;
  const closes = [toWall(call.now), ...(began && !isRunning ? [began] : [])].sort()[0] ?? opens;
  return { ticket, offer, opens: earlier(opens, closes), closes, began };
}

/** Each write of a ticket uses up a token. */
async function claim(eventId: number, action: Action, call: HandlerContext): Promise<object> {
  const parameter = action === 'create' ? 'add_ticket_nonce' : 'edit_ticket_nonce';
  const { nonce } = await answerOf('nonces', { action: parameter, post_id: eventId }, call);
  return { post_id: eventId, [parameter]: nonce };
}

const earlier = (a: LocalTime, b: LocalTime): LocalTime => (a < b ? a : b);
