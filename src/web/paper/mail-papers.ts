import type { Context } from '../../base/context.ts';
import type { InvoicesTable } from '../../db/price-tables.ts';
import type { Message } from '../../platform/mails/smtp.ts';
import { renderInvoice } from '../../ticketing/invoices/invoice-view.ts';
import { findInvoicesOfOrder, invoiceNumber } from '../../ticketing/ledger/invoices.ts';
import { invoiceSheet } from './invoice-sheet.ts';
import { makePaper } from './make-paper.ts';
import { type SheetFacts, ticketSheet } from './ticket-sheet.ts';

/** Documents that mails bring. */

/** Maximum number of tickets that are attached; above, the mail links to them. */
export const MAX_ATTACHED = 10;

const PDF = 'application/pdf';

export interface WantedPapers {
  facts: SheetFacts;
  orderId: number;
  hasTickets: boolean;
  /** The latest document of this kind, if there is one. */
  invoice: InvoicesTable['kind'] | undefined;
}

/** Makes the documents of a mail. One that cannot be made is left out: the page of the order has it too. */
export async function papersOf(
  context: Context,
  { facts, orderId, hasTickets, invoice: kind }: WantedPapers,
): Promise<Message['files']> {
  const made = [];
  try {
    if (hasTickets && facts.tickets.length > 0 && facts.tickets.length <= MAX_ATTACHED) {
      const content = await makePaper(context, ticketSheet(facts), { isPatient: true });
      made.push({ name: 'tickets.pdf', type: PDF, content });
    }
    const invoice = kind && (await findInvoicesOfOrder(context.db, orderId)).findLast((one) => one.kind === kind);
    if (invoice) {
      const sheet = invoiceSheet(renderInvoice(invoice, { context }), {
        config: context.config,
        siteName: facts.config.siteName,
      });
      const content = await makePaper(context, sheet, { isPatient: true });
      made.push({ name: `${invoiceNumber(invoice)}.pdf`, type: PDF, content });
    }
  } catch (err) {
    context.log.error({ err, order: orderId }, 'a document could not be made for a mail');
  }
  return made;
}
