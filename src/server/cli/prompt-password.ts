import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './command.ts';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  /** Stream for the prompt: standard error, since standard output may be redirected. */
  output: NodeJS.WritableStream;
}

/**
 * Prompts for a line and reads it without echo; from a pipe, reads the first line. Empty at end of input.
 * @throws {CommandError} when interrupted with Ctrl-C
 */
export async function readSecret(prompt: string, { input, output }: Terminal): Promise<string> {
  // The terminal does not echo in raw mode, and the echo of readline is discarded. Raw mode begins before the prompt
  // appears, so nothing typed after it is visible.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: input.isTTY === true, historySize: 0 });
  let isBrokenOff = false;
  reader.once('SIGINT', () => {
    isBrokenOff = true;
    reader.close();
  });
  output.write(prompt);
  try {
    for await (const line of reader) return line;
  } finally {
    reader.close();
    output.write('\n');
  }
  if (isBrokenOff) throw new CommandError('Nothing was changed.');
  return '';
}
