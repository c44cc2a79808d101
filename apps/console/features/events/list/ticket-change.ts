import type { Event, Input, Ticket } from '../../../../../packages/client/src/marquee-client.ts';
import { toMs } from '../../../../../src/lib/dates/local-time.ts';
import { addDaysToDay } from '../../../../../src/lib/dates/month.ts';
import { nowIn } from '../../../../client/when.ts';

/** Changes of the sale and the places of many tickets at once. */

export const OPENINGS = ['keep', 'published', 'days'] as const;
export const CLOSINGS = ['keep', 'start', 'end', 'hours'] as const;

export type TicketChange =
  | {
      field: 'sale';
      opens: (typeof OPENINGS)[number];
      /** Days before the start, at midnight. */
      days: number;
      closes: (typeof CLOSINGS)[number];
      /** Hours before the start. */
      hours: number;
    }
  | { field: 'capacity'; places: number };

export type TicketBody = Omit<Input<'PATCH /tickets/v1/tickets/{id}'>, 'id' | 'post_id' | 'edit_ticket_nonce'>;

/** A ticket to change, with the body of the change and the one that undoes it. */
export interface PlannedChange {
  id: number;
  ticket: Ticket;
  event: Event;
  body: TicketBody;
  former: TicketBody;
}

/** Changes of the tickets whose values differ from the chosen ones. Sales begin and end in `zone`, the time zone of the site. */
export function planChanges(
  change: TicketChange,
  tickets: readonly Ticket[],
  { events, zone }: { events: readonly Event[]; zone: string },
): PlannedChange[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  /** Events whose shared places are changed, by one of their tickets. */
  const shared = new Set<number>();
  return tickets.flatMap((ticket) => {
    const event = byId.get(ticket.post_id);
    if (!event) return [];
    const bodies = change.field === 'sale' ? saleBodies(change, ticket, { event, zone }) : placesBodies(change, ticket);
    if (!bodies) return [];
    if (bodies.isShared && shared.has(event.id)) return [];
    if (bodies.isShared) shared.add(event.id);
    return [{ id: ticket.id, ticket, event, body: bodies.body, former: bodies.former }];
  });
}

interface Bodies {
  body: TicketBody;
  former: TicketBody;
  isShared?: boolean;
}

type Sale = Extract<TicketChange, { field: 'sale' }>;
type EventTimes = { event: Pick<Event, 'date' | 'utc_start_date' | 'utc_end_date'>; zone: string };

const HOUR = 3_600_000;

/** Local times of the site at which the sale begins and ends; undefined to keep them. */
function wantedSale({ opens, days, closes, hours }: Sale, { event, zone }: EventTimes) {
  const local = (instant: number) => nowIn(zone, new Date(instant));
  const start = toMs(event.utc_start_date);
  const from = {
    keep: undefined,
    published: `${event.date.slice(0, 10)} 00:00:00`,
    days: `${addDaysToDay(local(start).slice(0, 10), -days)} 00:00:00`,
  }[opens];
  const until = {
    keep: undefined,
    start: local(start),
    end: local(toMs(event.utc_end_date)),
    hours: local(start - hours * HOUR),
  }[closes];
  return { from, until };
}

function saleBodies(change: Sale, ticket: Ticket, times: EventTimes): Bodies | undefined {
  const { available_from: from, available_until: until } = ticket;
  const wanted = wantedSale(change, times);
  const opens = wanted.from === undefined || wanted.from === from ? undefined : wanted.from;
  const closes = wanted.until === undefined || wanted.until === until ? undefined : wanted.until;
  if (opens === undefined && closes === undefined) return undefined;
  return {
    body: { ...(opens && startOf(opens)), ...(closes && endOf(closes)) },
    former: { ...(opens && startOf(from)), ...(closes && endOf(until)) },
  };
}

const startOf = (local: string) => ({ start_date: local.slice(0, 10), start_time: local.slice(11) });
const endOf = (local: string) => ({ end_date: local.slice(0, 10), end_time: local.slice(11) });

function placesBodies({ places }: { places: number }, { capacity_details }: Ticket): Bodies | undefined {
  const { max, global_stock_mode: mode } = capacity_details;
  // Accounts that may not read attendees are not told the places. The limit of a capped ticket is no number of places.
  if (max === undefined || mode === 'capped' || (mode !== '' && max === places)) return undefined;
  const present = max < 0 ? '' : max;
  if (mode === 'global')
    return {
      body: { ticket: { event_capacity: places } },
      former: { ticket: { event_capacity: present } },
      isShared: true,
    };
  if (mode === 'own') return { body: { ticket: { capacity: places } }, former: { ticket: { capacity: present } } };
  return { body: { ticket: { mode: 'own', capacity: places } }, former: { ticket: { mode: '' } } };
}
