import { isoWithOffset } from '../../lib/dates.ts';
import { plainText } from '../../lib/text.ts';
import { Html, html } from '../html.ts';
import { picture } from '../parts/picture.ts';
import { addressLines, venuesOf } from '../parts/place.ts';
import { type Answer, movedTo, type Page } from './answer.ts';
import type { EventBody } from './bodies.ts';
import { DRAWN_SIZE, drawnPath } from './drawn-picture.ts';
import { orNotFound } from './subject.ts';
import type { Visit } from './visit.ts';

/** The page of one event. */
export async function eventPage(visit: Visit, slug: string): Promise<Answer> {
  const { t, dates, link, origin } = visit;
  const event = await orNotFound(visit.ask('events.read_by_slug', { slug }));
  const path = new URL(event.url, origin).pathname;
  if (path !== visit.path) return movedTo(link(path));
  const when = dates.range(event.start_date, event.end_date, event.all_day === true);
  const main = html`<article class="event h-event">
<header>
<h1 class="p-name">${event.title}</h1>
<p class="event-when"><time class="dt-start" datetime="${isoWithOffset(event.utc_start_date, event.timezone)}">${when}</time>${!event.all_day && html` <span class="zone">${event.timezone_abbr}</span>`}</p>
${places(event, visit)}
${event.cost !== '' && html`<p class="event-price">${event.cost}</p>`}
</header>
${picture(event.image, { size: 'large', alt: event.title })}
<div class="text e-content">${new Html(event.description)}</div>
${organizers(event, visit)}
${terms(event, visit)}
${event.website !== '' && html`<p><a rel="noopener" href="${event.website}">${t('event.website')}</a></p>`}
</article>`;
  return {
    title: event.title,
    description: plainText(event.excerpt || event.description).slice(0, 200) || `${event.title}, ${when}`,
    main,
    kind: 'event',
    canonical: path,
    apiRoot: event.rest_url,
    data: event.json_ld && [event.json_ld],
    picture: linkPicture(event, origin),
    head: html`<link rel="alternate" type="application/json" href="${event.rest_url}">
<link rel="alternate" type="application/json+oembed" href="${origin}/oembed?${String(new URLSearchParams({ url: event.url }))}">`,
  };
}

/** The picture that other sites show with a link to an event: its own, or one that is drawn. */
function linkPicture({ image, title, slug }: EventBody, origin: string): Page['picture'] {
  if (!image) return { url: `${origin}${drawnPath({ slug })}`, ...DRAWN_SIZE, alt: title };
  const { url, width, height } = image.sizes?.large ?? image;
  return { url, width, height, alt: title };
}

function places(event: EventBody, { link }: Visit): Html[] {
  return venuesOf(event).map(
    (venue) =>
      html`<p class="event-place p-location"><a href="${link(venue.url)}">${venue.venue}</a>${addressLines(venue).map((line) => html`<br>${line}`)}</p>`,
  );
}

function organizers({ organizer }: EventBody, { t, link }: Visit): Html | undefined {
  if (organizer.length === 0) return undefined;
  return html`<section><h2>${t('event.organizers')}</h2>
<ul>${organizer.map((one) => html`<li class="p-organizer"><a href="${link(one.url)}">${one.organizer}</a></li>`)}</ul></section>`;
}

function terms({ categories, tags }: EventBody, { link }: Visit): Html | undefined {
  if (categories.length + tags.length === 0) return undefined;
  const items = [
    ...categories.map(({ slug, name }) => [`/events/category/${slug}/`, name]),
    ...tags.map(({ slug, name }) => [`/tag/${slug}/`, name]),
  ];
  return html`<ul class="terms">${items.map(([path = '', name = '']) => html`<li><a class="p-category" href="${link(path)}">${name}</a></li>`)}</ul>`;
}
