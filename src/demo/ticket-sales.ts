import { type Event, getEvents } from '../calendar/events/store.ts';
import { addSeconds, dayStart, fromUtc, type LocalTime, localToUtc, toUtc, utcToLocal } from '../lib/dates/dates.ts';
import type { InProcessContext } from '../platform/users/in-process-context.ts';
import { getTickets } from '../ticketing/tickets/store.ts';
import { type OnSale, registerAttendees } from './attendees.ts';
import { CITY_ZONE } from './city.ts';
import { type Action, callByName, create } from './create.ts';
import { type Offer, planOffers } from './offers.ts';
import type { PlannedEvent } from './programme.ts';
import { chance, type RandomSource } from './random.ts';

/** Number of records created, by kind. */
export interface SaleCounts {
  tickets: number;
  orders: number;
  attendees: number;
  'check-ins': number;
}

/** Seed offset: the programme does not depend on the random choices of sales. */
const STREAM = 0x5eed;
/** Seconds. A sale starts at midnight in site time; this is past midnight in every zone. */
const FIRST_SALE = 15 * 3600;

/** The tickets of a programme, and the random source of their sales. */
export function offersFor(
  planned: readonly PlannedEvent[],
  { seed, now }: { seed: number; now: Date },
): { offers: Map<PlannedEvent, Offer[]>; random: RandomSource } {
  const random = chance(seed + STREAM);
  const today = dayStart(utcToLocal(toUtc(now), CITY_ZONE));
  return { offers: planOffers(planned, { today, random }), random };
}

/** Creates and sells tickets for the created events, through the endpoints of the API, with backdated times. */
export async function sellTickets(
  made: ReadonlyMap<PlannedEvent, number>,
  { seed, ctx }: { seed: number; ctx: InProcessContext },
): Promise<SaleCounts> {
  const { offers, random } = offersFor([...made.keys()], { seed, now: ctx.now });
  const events = new Map((await getEvents(ctx.context.db, [...made.values()])).map((event) => [event.id, event]));
  const sales: OnSale[] = [];
  for (const [planned, own] of offers) {
    const event = events.get(made.get(planned) ?? 0);
    if (event) for (const offer of own) sales.push(await openSale(offer, event, ctx));
  }
  const { orders, attendees, checkIns } = await registerAttendees(sales, { random, ctx });
  return { tickets: sales.length, orders, attendees, 'check-ins': checkIns };
}

async function openSale(offer: Offer, event: Event, ctx: InProcessContext): Promise<OnSale> {
  const { db, config } = ctx.context;
  const published = localToUtc(event.date, config.timezone).utc;
  const then = { ...ctx, now: fromUtc(published) };
  const isRunning = event.utc_start_date <= toUtc(ctx.now) && event.utc_end_date > toUtc(ctx.now);
  const window = isRunning && { end_date: event.end_date.slice(0, 10) };
  const draft = { texts: offer.texts, fields: { ...window, ...offer.fields } };
  const id = await create('tickets', { ...draft, claim: (action) => claim(event.id, action, then) }, then);
  const ticket = (await getTickets(db, [id])).get(id);
  if (!ticket) throw new Error('a ticket that was made is not there');
  const opens = addSeconds(published, FIRST_SALE);
  const began = event.utc_start_date <= toUtc(ctx.now) ? event.utc_start_date : undefined;
  const closes = [toUtc(ctx.now), ...(began && !isRunning ? [began] : [])].sort()[0] ?? opens;
  return { ticket, offer, opens: earlier(opens, closes), closes, began };
}

/** Each ticket write consumes a one-time token. */
async function claim(eventId: number, action: Action, ctx: InProcessContext): Promise<object> {
  const parameter = action === 'create' ? 'add_ticket_nonce' : 'edit_ticket_nonce';
  const { nonce } = await callByName(['nonces', 'create'], { action: parameter, post_id: eventId }, ctx);
  return { post_id: eventId, [parameter]: nonce };
}

const earlier = (a: LocalTime, b: LocalTime): LocalTime => (a < b ? a : b);
