import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { readSecret } from './prompt-password.ts';

const PROMPT = 'Password: ';

describe('a secret', () => {
  async function read(input: NodeJS.ReadableStream) {
    const output = new PassThrough();
    const line = await readSecret(PROMPT, { input, output }).catch((error: Error) => error.message);
    output.end();
    return [line, await text(output)];
  }

  it.each([
    ['a line', ['s3cret here\n'], 's3cret here'],
    ['the first of several lines', ['one\ntwo\n'], 'one'],
    ['a line in pieces, without an end', ['on', 'e'], 'one'],
    ['nothing', [], ''],
  ])('can be read from a pipe as %s', async (_what, chunks, line) => {
    expect(await read(Readable.from(chunks))).toEqual([line, `${PROMPT}\n`]);
  });

  it.each([
    ['typed', 's3cret\r', 's3cret'],
    ['typed with a slip', 's3cx\u007fret\r', 's3cret'],
    ['broken off with Ctrl-C', 's3c\u0003', 'Nothing was changed.'],
  ])('is not echoed when it is %s', async (_how, keys, line) => {
    const raw: boolean[] = [];
    const keyboard = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => void raw.push(on) });
    keyboard.write(keys);
    expect(await read(keyboard)).toEqual([line, `${PROMPT}\n`]);
    expect(raw).toEqual([true, false]);
  });
});
