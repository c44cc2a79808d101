import { setPriority } from 'node:os';
import { isMainThread, parentPort } from 'node:worker_threads';
import type { Sheet } from './sheets.ts';

/** Program of the worker thread that makes documents, one at a time. */

/** Document to be made. */
export interface PaperTask {
  sheet: Sheet;
  fontFile: string | undefined;
  now: Date;
}

/** `fontProblem`: why the font of the operator could not be used. */
export type PaperReply = { bytes: Uint8Array<ArrayBuffer>; fontProblem?: string } | { error: string };

/** The libraries are loaded for the first document of a kind. */
async function draw(sheet: Sheet, options: Omit<PaperTask, 'sheet'>): Promise<Uint8Array<ArrayBuffer>> {
  if (sheet.kind === 'pass') return (await import('./apple-pass.ts')).applePass(sheet);
  if (sheet.kind === 'tickets') return (await import('./ticket-pdf.ts')).ticketPdf(sheet, options);
  return (await import('./invoice-pdf.ts')).invoicePdf(sheet, options);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

/** Makes a document; without the font of the operator if that cannot be read. */
async function make({ sheet, fontFile, now }: PaperTask): Promise<PaperReply> {
  try {
    return { bytes: await draw(sheet, { fontFile, now }) };
  } catch (error) {
    if (fontFile === undefined) throw error;
    return { bytes: await draw(sheet, { fontFile: undefined, now }), fontProblem: reasonOf(error) };
  }
}

/** Niceness, from 0 to 19: requests come first where the cores are busy. */
const NICENESS = 5;

if (!isMainThread) {
  // On other systems, the priority would apply to the whole process.
  if (process.platform === 'linux') setPriority(NICENESS);
  parentPort?.on('message', async (task: PaperTask) => {
    const reply: PaperReply = await make(task).catch((error: unknown) => ({ error: reasonOf(error) }));
    parentPort?.postMessage(reply, 'bytes' in reply ? [reply.bytes.buffer] : []);
  });
}
