import type { Context } from '../../base/context.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PaperBusy, PaperQueue } from '../../lib/paper/paper-queue.ts';
import type { Sheet } from '../../lib/paper/sheets.ts';
import { type Invoice, invoiceNumber } from '../../ticketing/ledger/invoices.ts';

/** Documents, made in a thread, and the names of their files. */

/** One thread for each process. */
const queue = new PaperQueue();

const pagesOf = (sheet: Sheet): number => (sheet.kind === 'tickets' ? sheet.tickets.length : 1);

/** @param number of the order; absent for tickets without one */
export const ticketsName = (number: string | undefined): string =>
  number === undefined ? 'tickets.pdf' : `tickets-${number}.pdf`;

/** @param id of the attendee */
export const ticketName = (id: number, type: 'pdf' | 'pkpass'): string => `ticket-${id}.${type}`;

export const invoiceName = (invoice: Invoice): string =>
  `${invoice.kind === 'credit' ? 'credit-note' : 'invoice'}-${invoiceNumber(invoice)}.pdf`;

interface PaperOptions {
  /** True for the sender of mails, which has one document made at a time and is never refused. */
  isPatient?: boolean;
}

/**
 * Makes a PDF, or a pass.
 * @throws {ApiError} documents-busy
 */
export async function makePaper(
  { config, log, now }: Pick<Context, 'config' | 'log' | 'now'>,
  sheet: Sheet,
  { isPatient = false }: PaperOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const task = { sheet, fontFile: config.font, now: now() };
  try {
    const { bytes, fontProblem } = await queue.make(task, { pages: pagesOf(sheet), isPatient });
    if (fontProblem !== undefined) log.warn({ reason: fontProblem }, 'the font of MARQUEE_FONT cannot be used');
    return bytes;
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * Makes a document whose texts are read once there is room for it.
 * @param pages estimate of its pages
 * @throws {ApiError} documents-busy, and errors of `read`
 */
export async function readAndMakePaper(
  context: Pick<Context, 'config' | 'log' | 'now'>,
  pages: number,
  read: () => Promise<Sheet>,
): Promise<Uint8Array<ArrayBuffer>> {
  const release = reserve(pages);
  try {
    const sheet = await read();
    release();
    return await makePaper(context, sheet, { isPatient: true });
  } finally {
    release();
  }
}

function reserve(pages: number): () => void {
  try {
    return queue.reserve(pages);
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof PaperBusy)) return error;
  const { seconds } = error;
  return new ApiError('documents-busy', {
    values: { when: { seconds } },
    headers: { 'Retry-After': String(seconds) },
  });
}
