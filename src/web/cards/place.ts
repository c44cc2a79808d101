import { modeOf } from '../../calendar/events/attendance.ts';
import { postalLines } from '../../lib/text/postal-address.ts';
import { type Html, html } from '../frame/html.ts';
import type { Event, Venue } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Venues of an event. */
export const venuesOf = ({ venue }: Event): Venue[] => [venue].flat();

/** Place of an event on one line: `Harbour Hall, Boston`, or `Online`. */
export function placeLine(event: Event, { t }: Visit): Html | undefined {
  const mode = modeOf(event);
  const [venue] = mode === 'online' ? [] : venuesOf(event);
  const place = venue && [venue.venue, venue.city].filter(Boolean).join(', ');
  if (mode === 'on_site') return place ? lineOf(place) : undefined;
  return lineOf(
    place ? t('place.also_online', { place }) : t(mode === 'online' ? 'event.online' : 'event.also_online'),
  );
}

const lineOf = (place: string): Html => html`<span dir="auto" class="card-place p-location">${place}</span>`;

/** Lines of a postal address, in the format of the venue's country. */
export const addressLines = ({ address, city, zip, country, ...venue }: Venue): string[] =>
  postalLines({
    ...{ street: address, city, postcode: zip, country },
    region: venue.stateprovince ?? venue.province ?? venue.state,
  });

/** Link to the online address of an event, which does not learn the address of the page. */
export const onlineLink = (address: string, text: string): Html =>
  html`<a rel="noopener noreferrer nofollow" href="${address}">${text}</a>`;
