import { ApiError } from '../../http/core/errors.ts';
import { type Redirect, seeOther } from '../frame/page-response.ts';
import { NotFound, orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { isTransferred } from './ticket-address.ts';

/** Tests for the address in the QR code of a ticket, which any camera opens. */
export const isScannedCode = ({ path, query }: Visit): boolean => path === '/' && query.has('event_qr_code');

/**
 * Redirects from a scanned code to the page that says whether its ticket is valid, if the code is correct, otherwise to
 * the event or the front page. It changes nothing: check-in is done by scanner apps.
 */
export async function scannedCode(visit: Visit): Promise<Redirect> {
  const { ask, query, link } = visit;
  const [id, security_code, event] = ['ticket_id', 'security_code', 'event_id'].map((name) => query.get(name) ?? '');
  const read = ask('held_tickets.read', { id, security_code: security_code || undefined });
  const hasPage = await orNotFound(read).then(
    () => true,
    (error: unknown) => isTransferred(error) || ifHidden(error),
  );
  if (hasPage) return seeOther(link(`/ticket/${id}/${encodeURIComponent(security_code ?? '')}/`));
  const shown = event ? await orNotFound(ask('events.read', { id: event })).catch(ifHidden) : undefined;
  return seeOther(link(shown?.url ?? '/'));
}

/** Hidden records count as missing; too many guesses are reported. */
function ifHidden(error: unknown): undefined {
  const isHidden = error instanceof NotFound || (error instanceof ApiError && error.status < 429);
  if (!isHidden) throw error;
}
