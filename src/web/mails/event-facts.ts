import type { Context } from '../../base/context.ts';
import { type CalendarEvent, findCalendarEvents } from '../../calendar/events/lists/feed.ts';
import { findEvent } from '../../calendar/events/store.ts';
import { ANONYMOUS } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { Urls } from '../../http/core/urls.ts';
import { isMailAddress } from '../../lib/text/email.ts';
import { getSite, type Site } from '../../platform/site/settings.ts';
import type { MailValues } from '../../ticketing/mails/placeholders.ts';
import { type HeldEvent, heldEvent, loadHeldRelations } from '../../ticketing/orders/held-ticket.ts';
import { eventTickets } from '../../ticketing/tickets/event-tickets.ts';
import { venuesOf } from '../cards/place.ts';
import { languagePrefix, type Wording, wordingIn } from '../frame/visit.ts';
import { whenOf } from '../shop/ticket.ts';

/** An event as mails to the holders of its tickets state it, in the language of the reader. */
export interface EventFacts extends Wording {
  ctx: RequestContext;
  site: Site;
  event: HeldEvent;
  /** `scheduled`, `cancelled`, …, also of an event that is not published. */
  status: string;
  /** Note of the organizers about the status. */
  note: string;
  /** The event as visitors see it; empty if it is hidden from them. */
  events: readonly CalendarEvent[];
  /** E-mail address of the organizer; empty if it is unknown. */
  organizerEmail: string;
  now: Date;
  /** Address of a page in the language of the reader. */
  link(url: string): string;
}

/** Words and formats of mails in the language of the reader, and the addresses of their links. */
export const mailWording = (
  context: Context,
  { language, origin, siteName }: { language: string; origin: string; siteName: string },
): Wording & Pick<EventFacts, 'link'> => ({
  ...wordingIn(context, { language, now: context.now(), siteName }),
  link: (url) => `${origin}${languagePrefix(language, context.config)}${url.slice(origin.length)}`,
});

/**
 * Reads an event for a mail. Links begin with the configured address of the site, never with one that a request names.
 * @returns undefined for a deleted event
 */
export async function readEventFacts(
  context: Context,
  { id, origin, language: asked }: { id: number; origin: string; language: string },
): Promise<EventFacts | undefined> {
  const { config, db } = context;
  const stored = await findEvent(db, id);
  if (!stored || stored.status === 'trash') return undefined;
  const language = asked || (config.languages[0] ?? 'en');
  const now = context.now();
  const ctx: RequestContext = { context, viewer: ANONYMOUS, urls: new Urls(origin), language, now };
  const [relations, events, site] = await Promise.all([
    loadHeldRelations(ctx, [{ ticket_id: 0, event_id: id }]),
    findCalendarEvents(ctx, [id], eventTickets),
    getSite(context, language),
  ]);
  const addresses = events.flatMap(({ organizer }) => organizer.map(({ email = '' }) => email.trim()));
  return {
    ...mailWording(context, { language, origin, siteName: site.name }),
    ...{ ctx, site, events, now },
    event: heldEvent(relations.events.get(id) ?? stored, ctx.urls),
    status: stored.event_status,
    note: stored.event_status_reason,
    organizerEmail: addresses.find(isMailAddress) ?? '',
  };
}

/** Values of placeholders about an event, and the ids of the events of a mail. */
export function valuesOf(
  { event, events, dates, site }: Pick<EventFacts, 'event' | 'events' | 'dates' | 'site'>,
  name: string,
): { values: MailValues; eventIds: readonly number[] } {
  const places = events.flatMap((shown) => venuesOf(shown).map(({ venue }) => venue));
  const values = { event: event.title, date: whenOf({ event }, { dates }), venue: places[0], name, site: site.name };
  return { values, eventIds: [event.id] };
}
