import { dotsOf } from '../../lib/images/dot-matrix.ts';
import { oneAtATime, open } from '../../lib/images/image-renditions.ts';
import { createRecencyCache, ENTRY_OVERHEAD } from '../../lib/recency-cache.ts';
import { SITE_PICTURE } from '../frame/head.ts';
import { html } from '../frame/html.ts';
import type { File } from '../frame/page-response.ts';
import type { Event } from '../frame/responses.ts';
import { orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';

const MAX_LETTERS = 20;

/** In pixels. */
export const DRAWN_SIZE = { width: SITE_PICTURE.width, height: SITE_PICTURE.height };

/** Path of the drawn image of an event without an image. */
export const drawnPath = ({ slug }: Pick<Event, 'slug'>): string => `/event/${slug}/picture.png`;

/** Draws the date of an event in the bulbs of a sign, for links to events without an image. */
export async function drawnPicture(visit: Visit, slug: string): Promise<File> {
  const event = await orNotFound(visit.ask('events.read_by_slug', { slug }));
  const [, month = '', day = ''] = event.start_date.slice(0, 10).split('-');
  return pictureOf(visit, [visit.config.siteName.slice(0, MAX_LETTERS), `${Number(day)}.${Number(month)}.`]);
}

/** `/picture.png`: the name of the site in the bulbs of a sign, in two lines if it is long. */
export function sitePicture(visit: Visit): Promise<File> {
  const words = visit.config.siteName.split(/\s+/);
  const lines = [words.slice(0, Math.ceil(words.length / 2)), words.slice(Math.ceil(words.length / 2))];
  const [first = '', second = ''] = lines.map((line) => line.join(' ').slice(0, MAX_LETTERS));
  return pictureOf(visit, [first, second]);
}

async function pictureOf(visit: Visit, words: readonly [string, string]): Promise<File> {
  const key = words.join(' ');
  let body = pictures.get(key);
  if (!body) {
    await visit.countHeavyRead();
    body = new Uint8Array(await oneAtATime(() => draw(signOf(words))));
    pictures.set(key, body);
  }
  return { type: 'image/png', body };
}

async function draw(svg: string): Promise<Buffer> {
  const image = await open(Buffer.from(svg));
  return image.png({ palette: true }).toBuffer();
}

/**
 * Maximum number of cached images (about 20 KB each). Events of one day share theirs, whatever the query of its
 * address.
 */
const KEPT = 100;
const pictures = createRecencyCache<Uint8Array<ArrayBuffer>>(KEPT * (MAX_LETTERS + ENTRY_OVERHEAD));

/** Area between the two rows of bulbs. */
const ROOM = { left: 80, top: 110, width: 1040, height: 410 };

/** Two lines in dot-matrix letters, the second one larger, between two rows of bulbs. */
function signOf([name, date]: readonly [string, string]): string {
  const bulbs = Array.from({ length: 40 }, (_, index) =>
    [30, DRAWN_SIZE.height - 30].map((y) => ({ x: 15 + index * 30, y })),
  );
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${DRAWN_SIZE.width}" height="${DRAWN_SIZE.height}">
<rect width="100%" height="100%" fill="#3d0a1c"/><g fill="#ffd98a">
${bulbs.flat().map(({ x, y }) => html`<circle cx="${x}" cy="${y}" r="6"/>`)}
${line(name, { top: ROOM.top, height: 90 })}
${line(date, { top: ROOM.top + 170, height: 240 })}
</g></svg>`.text;
}

/** Line of letters that fills the available width and height. */
function line(text: string, { top, height }: { top: number; height: number }) {
  const { dots, width } = dotsOf(text);
  if (width === 0) return [];
  const step = Math.min(ROOM.width / width, height / 7);
  const left = ROOM.left + (ROOM.width - width * step) / 2;
  return dots.map(({ x, y }) => {
    const [cx, cy] = [left + (x + 0.5) * step, top + (y + 0.5) * step];
    return html`<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${(step * 0.4).toFixed(1)}"/>`;
  });
}
