import { createHmac } from 'node:crypto';
import type { Context } from '../../base/context.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { isSameSecret } from '../../lib/hash.ts';
import type { Attendee } from './store.ts';

/**
 * The token of a ticket's page, which lets its holder change it. It is derived from the security code, but cannot be
 * computed from it without the key of the site. A new code revokes it. All attendees of a series pass have the page of the
 * first.
 */

export const TICKET_TOKEN = 'X-Ticket-Token';

/** 128 bits. */
const TOKEN_BYTES = 16;

type Keyed = Pick<Attendee, 'id' | 'security_code' | 'pass_id'>;
type Site = Pick<Context, 'siteKey'>;

const ticketToken = ({ siteKey }: Site, { id, pass_id, security_code }: Keyed): string =>
  createHmac('sha256', siteKey('ticket-token'))
    .update(`${pass_id ?? id} ${security_code}`)
    .digest()
    .subarray(0, TOKEN_BYTES)
    .toString('hex');

export const isTicketToken = (token: string, site: Site, attendee: Keyed): boolean =>
  isSameSecret(token, ticketToken(site, attendee));

/** Page of a ticket, accessible to anyone with its URL. */
export const ticketUrl = ({ context, urls }: Pick<RequestContext, 'context' | 'urls'>, attendee: Keyed): string =>
  urls.page(`/ticket/${attendee.pass_id ?? attendee.id}/${ticketToken(context, attendee)}/`);
