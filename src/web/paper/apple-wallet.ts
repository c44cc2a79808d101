import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import { ApiError } from '../../http/core/errors.ts';
import { fromUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import { loadSharp } from '../../lib/images/image-renditions.ts';
import type { PaperFact, PassSheet } from '../../lib/paper/sheets.ts';
import type { TicketFacts } from './ticket-facts.ts';
import { ticketSheet } from './ticket-sheet.ts';

/** Tickets for Apple Wallet. `MARQUEE_APPLE_PASS` names a folder with the certificates. */

interface Signer {
  certificates: PassSheet['certificates'];
  passType: string;
  team: string;
}

/** Pass for a ticket. It has the code of the ticket and no link. */
export async function passSheet(context: Context, facts: TicketFacts, id: number): Promise<PassSheet> {
  const { passType, team, certificates } = await readSigner(context);
  const { site, ticket } = facts;
  const { sign, lamp } = site.colors;
  const [paper] = ticketSheet(facts).tickets;
  if (!paper) throw new Error('a pass needs a ticket');
  const { event, warnings, facts: shown, holder, content, code, notes, dates } = paper;
  return {
    kind: 'pass',
    certificates,
    pictures: await iconsOf(site.colors),
    pass: {
      formatVersion: 1,
      passTypeIdentifier: passType,
      teamIdentifier: team,
      // A ticket that gets a new code is another pass.
      serialNumber: `${await getCalendarId(context.db)}-${id}-${secretHash(code).slice(0, 8)}`,
      organizationName: site.name,
      description: event,
      logoText: site.name,
      backgroundColor: rgb(sign),
      foregroundColor: rgb(lamp),
      labelColor: rgb(lamp),
      ...(ticket.event && { relevantDate: fromUtc(ticket.event.utc_start_date).toISOString() }),
      barcodes: [{ format: 'PKBarcodeFormatQR', message: content, messageEncoding: 'iso-8859-1', altText: code }],
      eventTicket: {
        primaryFields: [{ key: 'event', label: '', value: event }],
        secondaryFields: fieldsOf(
          'when',
          shown.filter(({ isMain }) => isMain),
        ),
        auxiliaryFields: fieldsOf('holder', holder.slice(0, 2)),
        backFields: [
          ...fieldsOf('back', [...shown.filter(({ isMain }) => !isMain), ...holder.slice(2)]),
          ...(dates ? fieldsOf('dates', [{ label: dates.heading, lines: dates.lines }]) : []),
          ...fieldsOf(
            'more',
            [...warnings, ...notes].map((line) => ({ label: '', lines: [line] })),
          ),
        ],
      },
    },
  };
}

const fieldsOf = (key: string, facts: readonly PaperFact[]) =>
  facts.map(({ label, lines }, index) => ({ key: `${key}-${index}`, label, value: lines.join('\n') }));

const rgb = (color: string): string => {
  const number = Number.parseInt(color.slice(1), 16);
  return `rgb(${number >> 16}, ${(number >> 8) & 255}, ${number & 255})`;
};

/** Widths in pixels of the icon, which Apple requires. */
const ICONS = { 'icon.png': 29, 'icon@2x.png': 58, 'icon@3x.png': 87 } as const;

/** A sign with a lamp, in the colours of the site. */
async function iconsOf({ sign, lamp }: { sign: string; lamp: string }): Promise<Record<string, Uint8Array>> {
  const svg = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="87" height="87"><rect width="87" height="87" fill="${sign}"/><circle cx="43.5" cy="43.5" r="20" fill="${lamp}"/></svg>`,
  );
  const sharp = await loadSharp();
  const drawn = Object.entries(ICONS).map(
    async ([name, width]) => [name, new Uint8Array(await sharp(svg).resize(width).png().toBuffer())] as const,
  );
  return Object.fromEntries(await Promise.all(drawn));
}

const FILES = { signerCert: 'certificate.pem', signerKey: 'key.pem', wwdr: 'wwdr.pem' } as const;

/**
 * Reads the certificates at each pass, so that renewed ones count at once.
 * @throws {ApiError} wallet-not-configured, also for a folder that is incomplete, which is logged
 */
async function readSigner({ config, log, now }: Context): Promise<Signer> {
  const { applePass: folder } = config;
  if (folder === undefined) throw new ApiError('wallet-not-configured');
  try {
    const [signerCert, signerKey, wwdr] = await Promise.all([
      readFile(join(folder, FILES.signerCert), 'utf8'),
      readFile(join(folder, FILES.signerKey), 'utf8'),
      readFile(join(folder, FILES.wwdr), 'utf8'),
    ]);
    const { subject, validToDate } = new X509Certificate(signerCert);
    // Lines such as `OU=A1B2C3D4E5`.
    const part = (name: string) =>
      subject
        .split('\n')
        .find((line) => line.startsWith(`${name}=`))
        ?.slice(name.length + 1);
    const [passType, team] = [part('UID'), part('OU')];
    if (!passType || !team) throw new Error(`${FILES.signerCert} is not for passes`);
    if (validToDate <= now()) throw new Error(`${FILES.signerCert} has expired`);
    return { certificates: { signerCert, signerKey, wwdr }, passType, team };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    log.error({ reason: code === 'ENOENT' ? 'a file is missing' : message }, 'MARQUEE_APPLE_PASS cannot be used');
    throw new ApiError('wallet-not-configured');
  }
}
