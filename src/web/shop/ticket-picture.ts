import { hash } from 'node:crypto';
import { loadSharp, oneAtATime } from '../../lib/images/image-renditions.ts';
import { drawText, type TextLine } from '../../lib/images/text-image.ts';
import { createRecencyCache, ENTRY_OVERHEAD } from '../../lib/recency-cache.ts';
import { DEFAULT_COLORS } from '../../lib/theme.ts';
import { drawCode } from '../../ticketing/qr/picture.ts';
import { venuesOf } from '../cards/place.ts';
import { html } from '../frame/html.ts';
import type { File } from '../frame/page-response.ts';
import type { HeldTicket } from '../frame/responses.ts';
import { NotFound, orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { whenOf } from './ticket.ts';
import { eventOf, readTicket, type TicketAddress } from './ticket-address.ts';
import { unpaidText, validUntil } from './ticket-state.ts';

/** Width of the image in pixels; the code takes 60 % of it. */
const WIDTH = 1000;
const CODE = 600;
const MARGIN = 60;
/** Height of the band with the name of the site. */
const BAND = 150;
/** Maximum height of the texts below the code. */
const MAX_TEXT = 2000;

const INK = '#000000';

/** Content of the image. */
interface Drawing {
  siteName: string;
  /** Colours of the band, and of its letters and lamps. */
  colors: { sign: string; lamp: string };
  /** Content of the QR code. */
  content: string;
  lines: TextLine[];
}

/** Maximum number of cached pictures (about 40 KB each). */
const KEPT = 100;
const HASH = 64;
const pictures = createRecencyCache<Uint8Array<ArrayBuffer>>(KEPT * (HASH + ENTRY_OVERHEAD));

/**
 * `/ticket/ID/TOKEN/ticket.png`: complete ticket, for use at the door without a network.
 * @throws {NotFound} also for an invalid ticket
 */
export async function ticketPicture(visit: Visit, address: TicketAddress): Promise<File> {
  const drawing = await drawingOf(visit, address);
  const key = hash('sha256', JSON.stringify(drawing));
  let body = pictures.get(key);
  if (!body) {
    await visit.countHeavyRead();
    body = new Uint8Array(await oneAtATime(() => draw(drawing)));
    pictures.set(key, body);
  }
  return { type: 'image/png', body, isPersonal: true };
}

async function drawingOf(visit: Visit, address: TicketAddress): Promise<Drawing> {
  const { ask, site, config } = visit;
  const ticket = await readTicket(visit, address);
  const { title, full_name = '', event, security_code, unpaid } = ticket;
  if (security_code === undefined) throw new NotFound();
  const shown = await eventOf(visit, ticket);
  const query = { id: address.id, security_code };
  const { content = '' } = await orNotFound(ask('qr.read', query, { accept: 'application/json' }));
  const { sign, lamp } = site?.colors ?? DEFAULT_COLORS;
  return {
    siteName: config.siteName,
    colors: { sign, lamp },
    content,
    lines: [
      { text: security_code, size: 44, isMonospaced: true },
      ...(unpaid ? unpaidLines(unpaid, visit) : []),
      { text: full_name, size: 64, isBold: true },
      { text: title, size: 40 },
      { text: event?.title ?? '', size: 52, isBold: true },
      { text: whenOf(ticket, visit) ?? '', size: 40 },
      ...(shown ? venuesOf(shown) : []).map(({ venue, city }) => ({
        text: [venue, city].filter(Boolean).join(', '),
        size: 40,
      })),
    ],
  };
}

const unpaidLines = (unpaid: NonNullable<HeldTicket['unpaid']>, visit: Visit): TextLine[] => [
  { text: unpaidText(unpaid, visit), size: 52, isBold: true },
  { text: validUntil(visit, unpaid.expires_utc) ?? '', size: 36 },
];

async function draw({ siteName, colors, content, lines }: Drawing): Promise<Buffer> {
  const [name, texts, code] = await Promise.all([
    drawText([{ text: siteName, size: 56, isBold: true }], {
      width: WIDTH - 2 * MARGIN,
      height: 80,
      color: colors.lamp,
    }),
    drawText(lines, { width: WIDTH - 2 * MARGIN, height: MAX_TEXT, color: INK }),
    drawCode(content, 'image/png'),
  ]);
  const sharp = await loadSharp();
  const middle = (width: number) => Math.round((WIDTH - width) / 2);
  const below = BAND + CODE;
  return sharp({ create: { width: WIDTH, height: below + texts.height + MARGIN, channels: 3, background: '#ffffff' } })
    .composite([
      { input: band(colors), left: 0, top: 0 },
      { input: name.png, left: middle(name.width), top: Math.round((BAND - name.height) / 2) },
      { input: Buffer.from(code), left: middle(CODE), top: BAND },
      { input: texts.png, left: middle(texts.width), top: below },
    ])
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** A sign between two rows of lamps. */
function band({ sign, lamp }: Drawing['colors']): Buffer {
  const lamps = Array.from({ length: WIDTH / 25 }, (_, index) =>
    [14, BAND - 14].map((y) => html`<circle cx="${index * 25 + 12.5}" cy="${y}" r="4"/>`),
  );
  const { text } =
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${BAND}"><rect width="100%" height="100%" fill="${sign}"/><g fill="${lamp}">${lamps.flat()}</g></svg>`;
  return Buffer.from(text);
}
