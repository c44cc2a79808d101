import type { EndpointResponse, RequestContext } from '../../../http/core/endpoint.ts';
import { ANY_TIME } from '../../../http/core/endpoint.ts';
import { toUtc, zoneAbbreviation } from '../../../lib/dates/dates.ts';
import { loadTranslations } from '../../../platform/translations/store.ts';
import { findTitles } from '../../linked-posts/store.ts';
import { isLocked } from '../../posts/event-password.ts';
import { modeOf } from '../attendance.ts';
import { type BriefEvent, renderBriefEvents } from '../render-event.ts';
import { type EventLink, findVenuesAndCategories, getBriefEvents, type StoredBrief } from '../store.ts';
import type { EventTicket, EventTickets } from '../ticketing.ts';

/** Event of a month view. A password hides all but its times and whether it is online. */
export interface MonthEvent extends BriefEvent {
  /** Ids of its categories. */
  categories: readonly number[];
  /** Name of its first venue; empty without one, and for an event that is only online. */
  place: string;
  isOnline: boolean;
  isSoldOut: boolean;
  timezone: string;
  timezone_abbr: string;
}

type Rendered = { events: MonthEvent[] } & Required<Pick<EndpointResponse, 'freshUntil' | 'showsSeats'>>;

/** Renders events with their categories, venue and availability. */
export async function renderMonthEvents(
  ctx: RequestContext,
  ids: readonly number[],
  tickets: EventTickets,
): Promise<Rendered> {
  const { db, config } = ctx.context;
  const now = toUtc(ctx.now);
  const [stored, links] = await Promise.all([getBriefEvents(db, ids), findVenuesAndCategories(db, ids)]);
  const shown = stored.filter((event) => isShown(event, ctx));
  const coming = shown.filter((event) => event.utc_end_date >= now).map(({ id }) => id);
  const request = { now, timezone: config.timezone, attendanceOf: [], withAvailability: true } as const;
  const [brief, places, ticketing] = await Promise.all([
    renderBriefEvents(ctx, stored),
    namesOfVenues(ctx, links),
    tickets.load(db, coming, request),
  ]);
  const byEvent = Map.groupBy(links, ({ event_id }) => event_id);
  const modes = new Map(stored.map((event) => [event.id, modeOf(event)]));
  const zones = new Map(stored.map((event) => [event.id, zoneOf(event)]));
  const visible = new Set(shown.map(({ id }) => id));
  const events = brief.map((event): MonthEvent => {
    const mode = modes.get(event.id);
    const own = (visible.has(event.id) && byEvent.get(event.id)) || [];
    const venue = own.find(({ kind }) => kind === 'venue')?.target_id;
    return {
      ...event,
      ...(zones.get(event.id) ?? { timezone: config.timezone, timezone_abbr: '' }),
      categories: own.filter(({ kind }) => kind === 'category').map(({ target_id }) => target_id),
      place: (mode !== 'online' && venue !== undefined && places.get(venue)) || '',
      isOnline: mode !== 'on_site',
      isSoldOut: isSoldOut(ticketing.tickets.get(event.id), now),
    };
  });
  const showsSeats = ticketing.tickets.size > 0;
  return { events, showsSeats, freshUntil: showsSeats ? ticketing.freshUntil : ANY_TIME };
}

const zoneOf = ({ timezone, utc_start_date }: StoredBrief) => ({
  timezone,
  timezone_abbr: zoneAbbreviation(utc_start_date, timezone),
});

const isShown = (event: StoredBrief, { viewer }: RequestContext): boolean => !isLocked(event, viewer, undefined);

async function namesOfVenues(ctx: RequestContext, links: readonly EventLink[]) {
  const ids = links.filter(({ kind }) => kind === 'venue').map(({ target_id }) => target_id);
  const [posts, texts] = await Promise.all([
    findTitles(ctx.context.db, ids),
    loadTranslations(
      ctx,
      ids.map((id) => ({ kind: 'venue', id })),
    ),
  ]);
  return new Map(posts.map((post) => [post.id, texts.show('venue', post).title]));
}

/** Tests if there are tickets whose sale has not ended, and none of them has seats left. */
function isSoldOut(tickets: readonly EventTicket[] = [], now: string): boolean {
  const current = tickets.filter(({ sale_end_utc: end }) => end === '' || end >= now);
  return current.length > 0 && current.every(({ offered }) => offered === 'no');
}
