import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './command.ts';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  /** Where the question goes: not where answers of commands are collected. */
  output: NodeJS.WritableStream;
}

/**
 * Asks for a line and reads it without showing it; from a pipe, the first line there is. Empty at the end of the input.
 * @throws {CommandError} when it is broken off with Ctrl-C
 */
export async function readSecret(prompt: string, { input, output }: Terminal): Promise<string> {
  // The terminal itself shows nothing in raw mode, and what readline would show goes nowhere. Raw mode begins here, so
  // nothing can be typed in plain sight once the question is there.
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
