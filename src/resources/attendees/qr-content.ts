import type { Urls } from '../../http/urls.ts';
import type { Attendee } from './store.ts';

type Coded = Pick<Attendee, 'id' | 'event_id' | 'security_code'>;

/**
 * What the QR code of a ticket says: an address of the site that carries, in `path`, where a scanner sends it. In it
 * `ticket_id` is the id of the attendee, as the scanners in use expect.
 */
export function codeContent({ id, event_id, security_code }: Coded, urls: Urls): string {
  const path = `${urls.prefix}/${urls.namespace('tickets')}/qr`.slice(1);
  const query = new URLSearchParams({
    event_qr_code: '1',
    ticket_id: String(id),
    event_id: String(event_id),
    security_code,
    path,
  });
  return `${urls.page('/')}?${query}`;
}
