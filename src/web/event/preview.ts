import { isId, segmentsOf } from '../frame/address.ts';
import { html } from '../frame/html.ts';
import type { PageResponse } from '../frame/page-response.ts';
import type { Event } from '../frame/responses.ts';
import { orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { eventPreview } from './event.ts';

/**
 * Preview at `/event/SLUG/` and `/?p=ID` of an event that is not public yet; undefined at any other address. The
 * response is for this account alone.
 * @throws {NotFound} if the account may not read the event either
 */
export async function previewAt(visit: Visit): Promise<PageResponse | undefined> {
  const reading = eventAt(visit);
  if (!reading) return undefined;
  const event = await orNotFound(reading);
  const { t } = visit;
  const banner = html`<p class="notice warn"><strong>${t('preview.heading')}</strong> ${t('preview.text')} <a href="/console/events/${event.id}">${t('preview.edit')}</a></p>`;
  return {
    ...(await eventPreview(visit, event, banner)),
    robots: 'noindex',
    headers: { 'X-Robots-Tag': 'noindex' },
  };
}

function eventAt({ path, query, ask }: Visit): Promise<Event> | undefined {
  const id = path === '/' ? query.get('p') : null;
  if (id !== null) return isId(id) ? ask('events.read', { id }) : undefined;
  const [first, slug, ...rest] = segmentsOf(path) ?? [];
  return first === 'event' && slug !== undefined && rest.length === 0
    ? ask('events.read_by_slug', { slug })
    : undefined;
}
