import type { Urls } from '../../http/core/urls.ts';
import type { Attendee } from './store.ts';
import type { SignTicket } from './ticket-signature.ts';

type CodeHolder = Pick<
  Attendee,
  'id' | 'event_id' | 'ticket_id' | 'security_code' | 'pass_id' | 'status' | 'attendance_status'
>;

/**
 * The content of a ticket's QR code: a URL of the site, whose `path` tells scanners where to send it. Its `ticket_id`
 * is the id of the attendee, as existing scanners expect. A series pass has one code, which names its first attendee and
 * no event. A ticket that admits is signed.
 */
export function codeContent(attendee: CodeHolder, urls: Urls, sign: SignTicket): string {
  const { id, event_id, ticket_id, security_code, pass_id } = attendee;
  const sig = sign(attendee);
  const path = `${urls.prefix}/${urls.namespace('tickets')}/qr`.slice(1);
  const query = new URLSearchParams({
    event_qr_code: '1',
    ticket_id: String(pass_id ?? id),
    ...(pass_id === null && { event_id: String(event_id) }),
    security_code,
    path,
    ...(sig !== undefined && { kind: String(ticket_id), sig }),
  });
  return `${urls.page('/')}?${query}`;
}
