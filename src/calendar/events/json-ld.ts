import type { Urls } from '../../http/core/urls.ts';
import { isoWithOffset } from '../../lib/dates/dates.ts';
import { ldDescription, plainLd } from '../../lib/json-ld.ts';
import type { MoneyFormat } from '../../lib/money/money.ts';
import { renderImage } from '../../platform/media/images.ts';
import { linkedPostKinds } from '../linked-kinds/registry.ts';
import type { LinkedPost } from '../linked-posts/store.ts';
import { pageUrl } from '../posts/view.ts';
import { statusLd } from './event-status.ts';
import type { EventRelations } from './relations.ts';
import type { Event } from './store.ts';
import { type EventTicket, offersOf } from './ticketing.ts';

interface LdOptions {
  urls: Urls;
  format: MoneyFormat;
  cost: { cost: string; cost_details: { currency_code: string; values: string[] } };
}

/** An event as schema.org data, for search engines. */
export function eventLd(event: Event, relations: EventRelations, shown: LdOptions): Record<string, unknown> {
  const { urls } = shown;
  const sold = relations.ticketing.tickets.get(event.id) ?? [];
  const tickets = sold.map((ticket) => relations.texts.show('ticket', ticket));
  const image = event.image_id === null ? undefined : relations.images.get(event.image_id);
  const url = pageUrl('event', event, urls);
  return plainLd({
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: event.title,
    description: ldDescription(event.excerpt || event.description),
    inLanguage: relations.texts.languageOf('event', event),
    ...(image && { image: renderImage(image, urls).url }),
    url,
    ...statusLd(event),
    startDate: isoWithOffset(event.utc_start_date, event.timezone),
    endDate: isoWithOffset(event.utc_end_date, event.timezone),
    ...linkedIn(event, relations, urls),
    ...(event.event_status === 'moved_online' && {
      location: { '@type': 'VirtualLocation', url: event.website || url },
    }),
    ...offersIn({ event, tickets, url }, shown),
    performer: 'Organization',
  });
}

/** The first linked post of each kind. */
function linkedIn({ id }: Event, relations: EventRelations, urls: Urls) {
  const members = Object.values(linkedPostKinds).flatMap(({ name, jsonLd, inEvents }) => {
    const [first] = relations.linked[name].get(id) ?? [];
    return first ? [[inEvents.jsonLdProperty, nested(jsonLd(first, pictureOf(first, relations, urls)))]] : [];
  });
  return Object.fromEntries(members) as Record<string, object>;
}

interface OfferInput {
  event: Event;
  tickets: readonly EventTicket[];
  url: string;
}

/** The offers: one per ticket, or the cost of an event without tickets. */
function offersIn({ event, tickets, url }: OfferInput, { cost, format }: LdOptions) {
  const isCancelled = event.event_status === 'cancelled';
  if (tickets.length > 0) return { offers: offersOf(tickets, { url, format, isCancelled }) };
  return cost.cost_details.values.length > 0 ? { offers: offer(event, cost, url) } : {};
}

function pictureOf({ image_id }: LinkedPost, { images }: EventRelations, urls: Urls) {
  const row = image_id === null ? undefined : images.get(image_id);
  return row && renderImage(row, urls);
}

const nested = ({ '@context': _context, ...rest }: Record<string, unknown>) => rest;

function offer(event: Event, { cost_details }: LdOptions['cost'], url: string) {
  const prices = cost_details.values.filter((value) => Number.isFinite(Number(value)));
  const [lowest] = prices;
  const highest = prices.at(-1);
  return {
    '@type': 'Offer',
    price: lowest === highest ? (lowest ?? cost_details.values[0]) : `${lowest} – ${highest}`,
    ...(cost_details.currency_code && { priceCurrency: cost_details.currency_code }),
    url,
    category: 'primary',
    availability: 'https://schema.org/InStock',
    validFrom: isoWithOffset(event.date_utc, 'UTC'),
  };
}
