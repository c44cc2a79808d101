import { sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Context } from '../../base/context.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import { ApiError } from '../../http/core/errors.ts';
import { fromUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import type { TicketFacts } from './ticket-facts.ts';
import { ticketSheet } from './ticket-sheet.ts';

/** Tickets for Google Wallet. `MARQUEE_GOOGLE_WALLET` names a folder with the key of a service account. */

/** Google saves the ticket that follows. */
const SAVE = 'https://pay.google.com/gp/v/save/';

const accountSchema = z.object({ client_email: z.string().min(1), private_key: z.string().min(1) });

interface Account {
  email: string;
  key: string;
  issuer: string;
}

/** Address at which Google adds a ticket to the wallet. It has the code of the ticket and no link. */
export async function googleWalletUrl(context: Context, facts: TicketFacts, id: number): Promise<string> {
  const account = await readAccount(context);
  const calendar = (await getCalendarId(context.db)).replace(/[^\w-]/g, '');
  const claims = {
    iss: account.email,
    aud: 'google',
    typ: 'savetowallet',
    iat: Math.floor(context.now().getTime() / 1000),
    payload: payloadOf(facts, { id, prefix: `${account.issuer}.marquee-${calendar}` }),
  };
  return SAVE + signed(claims, account.key);
}

function payloadOf(facts: TicketFacts, { id, prefix }: { id: number; prefix: string }) {
  const { language, site, ticket, number } = facts;
  const { event } = ticket;
  const [paper] = ticketSheet(facts).tickets;
  const inWords = (value: string) => ({ defaultValue: { language, value } });
  const [venue, ...address] = paper?.facts.find(({ isMain }) => !isMain)?.lines ?? [];
  const classId = `${prefix}-event-${event?.id ?? 0}`;
  return {
    eventTicketClasses: [
      {
        id: classId,
        issuerName: site.name,
        reviewStatus: 'UNDER_REVIEW',
        eventName: inWords(paper?.event ?? ticket.title),
        ...(venue !== undefined &&
          address.length > 0 && {
            venue: { name: inWords(venue), address: inWords(address.join('\n')) },
          }),
        ...(event && {
          dateTime: {
            start: fromUtc(event.utc_start_date).toISOString(),
            end: fromUtc(event.utc_end_date).toISOString(),
          },
        }),
      },
    ],
    eventTicketObjects: [
      {
        // A ticket that gets a new code is another object.
        id: `${prefix}-ticket-${id}-${secretHash(ticket.code).slice(0, 8)}`,
        classId,
        state: 'ACTIVE',
        ticketType: inWords(ticket.title),
        ticketNumber: ticket.code,
        ...(ticket.holder !== '' && { ticketHolderName: ticket.holder }),
        ...(number !== undefined && { reservationInfo: { confirmationCode: number } }),
        barcode: { type: 'QR_CODE', value: ticket.content, alternateText: ticket.code },
        hexBackgroundColor: site.colors.sign,
      },
    ],
  };
}

/** JWT signed with RS256. */
function signed(claims: object, key: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
}

/**
 * Reads the key at each ticket, so that a new one counts at once.
 * @throws {ApiError} wallet-not-configured, also for a folder that is incomplete, which is logged
 */
async function readAccount({ config, log }: Context): Promise<Account> {
  const { googleWallet: folder } = config;
  if (folder === undefined) throw new ApiError('wallet-not-configured');
  try {
    const [text, issuer] = await Promise.all([
      readFile(join(folder, 'service-account.json'), 'utf8'),
      readFile(join(folder, 'issuer'), 'utf8'),
    ]);
    const { client_email, private_key } = accountSchema.parse(JSON.parse(text));
    if (!/^\d+$/.test(issuer.trim())) throw new Error('the file "issuer" is not a number');
    return { email: client_email, key: private_key, issuer: issuer.trim() };
  } catch (error) {
    log.error({ reason: reasonOf(error as NodeJS.ErrnoException) }, 'MARQUEE_GOOGLE_WALLET cannot be used');
    throw new ApiError('wallet-not-configured');
  }
}

/** A message of a parser is left out, because it may quote the key. */
function reasonOf({ code, name, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'a file is missing';
  return name === 'Error' ? message : 'a file is not as expected';
}
