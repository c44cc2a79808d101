import type { Urls } from '../../http/core/urls.ts';
import { isoWithOffset } from '../../lib/dates/dates.ts';
import { jsonLdDescription, safeJsonLd } from '../../lib/json-ld.ts';
import type { MoneyFormat } from '../../lib/money/money.ts';
import { renderImage } from '../../platform/media/images.ts';
import { linkedPostKinds } from '../linked-kinds/registry.ts';
import type { LinkedPost } from '../linked-posts/store.ts';
import { pageUrl } from '../posts/view.ts';
import { attendanceJsonLd } from './attendance.ts';
import { saleRefusal, statusJsonLd } from './event-status.ts';
import type { EventRelations } from './relations.ts';
import type { Event } from './store.ts';
import { type EventTicket, offersOf } from './ticketing.ts';

interface LdOptions {
  urls: Urls;
  format: () => MoneyFormat;
  cost: { cost: string; cost_details: { currency_code: string; values: string[] } };
}

/** An event as schema.org data, for search engines. */
export function eventJsonLd(event: Event, relations: EventRelations, shown: LdOptions): Record<string, unknown> {
  const { urls } = shown;
  const sold = relations.ticketing.tickets.get(event.id) ?? [];
  const tickets = sold.map((ticket) => relations.texts.show('ticket', ticket));
  const image = event.image_id === null ? undefined : relations.images.get(event.image_id);
  const url = pageUrl('event', event, urls);
  const { location: place, ...linked } = linkedIn(event, relations, urls);
  return safeJsonLd({
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: event.title,
    description: jsonLdDescription(event.excerpt || event.description),
    inLanguage: relations.texts.languageOf('event', event),
    ...(image && { image: renderImage(image, urls).url }),
    url,
    ...statusJsonLd(event),
    ...datesOf(event),
    ...linked,
    ...attendanceJsonLd(event, { place, url }),
    ...offersIn({ event, tickets, url }, shown),
  });
}

/** Start and end; for an all-day event, dates without a time. */
function datesOf({ all_day, start_date, end_date, utc_start_date, utc_end_date, timezone }: Event) {
  if (all_day === 1) return { startDate: start_date.slice(0, 10), endDate: end_date.slice(0, 10) };
  return { startDate: isoWithOffset(utc_start_date, timezone), endDate: isoWithOffset(utc_end_date, timezone) };
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
  const isClosed = saleRefusal(event) !== undefined;
  if (tickets.length > 0) return { offers: offersOf(tickets, { url, format: format(), isClosed }) };
  return cost.cost_details.values.length > 0 ? { offers: offer(event, { cost, format }, url) } : {};
}

function pictureOf({ image_id }: LinkedPost, { images }: EventRelations, urls: Urls) {
  const row = image_id === null ? undefined : images.get(image_id);
  return row && renderImage(row, urls);
}

const nested = ({ '@context': _context, ...rest }: Record<string, unknown>) => rest;

/**
 * The cost of an event without tickets: the lowest amount, in the currency that its text shows. Without a known currency
 * there is no price.
 */
function offer(event: Event, { cost, format }: Pick<LdOptions, 'cost' | 'format'>, url: string) {
  const amounts = cost.cost_details.values.map(Number).filter((amount) => Number.isFinite(amount));
  const price = Math.min(...(amounts.length > 0 ? amounts : [0]));
  const priceCurrency =
    cost.cost_details.currency_code || (price === 0 ? format().currency : currencyIn(cost.cost, format()));
  return {
    '@type': 'Offer',
    ...(priceCurrency && { price: String(price), priceCurrency }),
    url,
    category: 'primary',
    availability: 'https://schema.org/InStock',
    validFrom: isoWithOffset(event.date_utc, 'UTC'),
  };
}

const CURRENCIES: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', CHF: 'CHF', EUR: 'EUR', GBP: 'GBP' };

/** The currency of a displayed cost, by its symbol or code. */
function currencyIn(cost: string, { symbol, currency }: MoneyFormat): string | undefined {
  if (cost.includes(symbol)) return currency;
  return Object.entries(CURRENCIES).find(([sign]) => cost.includes(sign))?.[1];
}
