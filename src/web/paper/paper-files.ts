import type { File } from '../frame/page-response.ts';
import { NotFound, orNotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import type { OrderAddress } from '../shop/order-address.ts';
import type { TicketAddress } from '../shop/ticket-address.ts';

/** Files of orders and tickets: documents at the addresses of their pages. */

/**
 * Asks an endpoint for a file.
 * @throws {NotFound} also for a wrong token
 */
async function fileFrom(
  visit: Visit,
  name: string,
  { params, headers }: { params: Record<string, string>; headers: Record<string, string> },
): Promise<File> {
  const file = await orNotFound(visit.askFile(name, params, headers));
  if (!file) throw new NotFound();
  return { ...file, isPersonal: true };
}

/** `/order/ID/TOKEN/tickets.pdf` */
export const orderPdf = (visit: Visit, { id, token }: OrderAddress): Promise<File> =>
  fileFrom(visit, 'buyers_orders.tickets_pdf', { params: { id }, headers: { 'x-order-token': token } });

/** `/order/ID/TOKEN/invoice/NUMBER/invoice.pdf` */
export const invoicePdf = (visit: Visit, { id, token }: OrderAddress, number: string): Promise<File> =>
  fileFrom(visit, 'buyers_orders.invoice_pdf', { params: { id, number }, headers: { 'x-order-token': token } });

/** `/ticket/ID/TOKEN/ticket.pdf` */
export const ticketPdf = (visit: Visit, { id, token }: TicketAddress): Promise<File> =>
  fileFrom(visit, 'held_tickets.pdf', { params: { id }, headers: { 'x-ticket-token': token } });

/** `/ticket/ID/TOKEN/ticket.pkpass` */
export const applePassFile = (visit: Visit, { id, token }: TicketAddress): Promise<File> =>
  fileFrom(visit, 'held_tickets.apple_pass', { params: { id }, headers: { 'x-ticket-token': token } });
