import type { Context } from '../../base/context.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PaperBusy, PaperQueue } from '../../lib/paper/paper-queue.ts';
import type { Sheet } from '../../lib/paper/sheets.ts';

/** One thread for each process. */
const queue = new PaperQueue();

const pagesOf = (sheet: Sheet): number => (sheet.kind === 'tickets' ? sheet.tickets.length : 1);

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
    if (!(error instanceof PaperBusy)) throw error;
    const { seconds } = error;
    throw new ApiError('documents-busy', {
      values: { when: { seconds } },
      headers: { 'Retry-After': String(seconds) },
    });
  }
}
