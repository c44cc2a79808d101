import type { Context } from '../../base/context.ts';
import type { InvoicesTable } from '../../db/tables/price.ts';
import type { Message } from '../../platform/mails/smtp.ts';
import { renderInvoice } from '../../ticketing/invoices/invoice-view.ts';
import { findInvoicesOfOrder } from '../../ticketing/ledger/invoices.ts';
import { invoiceSheet } from './invoice-sheet.ts';
import { invoiceName, makePaper, ticketsName } from './make-paper.ts';
import { type SheetFacts, ticketSheet } from './ticket-sheet.ts';

/** Documents attached to mails. */

/** Maximum number of tickets that are attached; above, the mail links to them. */
export const MAX_ATTACHED = 10;

type Papers = Message['files'];

export interface WantedPapers {
  /** Reads the tickets; absent for a mail without codes. */
  tickets?: (() => Promise<SheetFacts>) | undefined;
  /** The latest document of an order of this kind, if there is one. */
  invoice?: { order: number; kind: InvoicesTable['kind']; siteName: string } | undefined;
}

/** Makes the documents of a mail. If one fails, it is left out: a page that the mail links to has it too. */
export async function papersOf(context: Context, { tickets, invoice }: WantedPapers): Promise<Papers> {
  const made = [];
  for (const make of [
    async () => (tickets ? ticketPaper(context, await tickets()) : []),
    async () => (invoice ? invoicePaper(context, invoice) : []),
  ]) {
    try {
      made.push(...(await make()));
    } catch (err) {
      context.log.error({ err, order: invoice?.order }, 'a document could not be made for a mail');
    }
  }
  return made;
}

async function ticketPaper(context: Context, facts: SheetFacts): Promise<Papers> {
  const { length } = facts.tickets;
  if (length === 0 || length > MAX_ATTACHED) return [];
  return [paper(ticketsName(facts.number), await makePaper(context, ticketSheet(facts), { isPatient: true }))];
}

async function invoicePaper(
  context: Context,
  { order, kind, siteName }: NonNullable<WantedPapers['invoice']>,
): Promise<Papers> {
  const invoice = (await findInvoicesOfOrder(context.db, order)).findLast((one) => one.kind === kind);
  if (!invoice) return [];
  const sheet = invoiceSheet(renderInvoice(invoice, { context }), { config: context.config, siteName });
  return [paper(invoiceName(invoice), await makePaper(context, sheet, { isPatient: true }))];
}

const paper = (name: string, content: Uint8Array<ArrayBuffer>): Papers[number] => ({
  name,
  type: 'application/pdf',
  content,
});
