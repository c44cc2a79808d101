import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { drawText } from './text-image.ts';

const run = promisify(execFile);

describe('a drawn text', () => {
  const room = { width: 880, height: 400, color: '#000000' };

  it('wraps, and never exceeds its room', async () => {
    const one = await drawText([{ text: 'Ada', size: 64 }], room);
    const many = await drawText([{ text: 'Ada '.repeat(40), size: 64 }], room);
    expect(many.height).toBeGreaterThan(2 * one.height);
    for (const text of ['﷽'.repeat(300), 'x'.repeat(5000), 'a\u0301'.repeat(2000), '𒐫'.repeat(50)]) {
      const { width, height } = await drawText([{ text, size: 64 }], room);
      expect([text.slice(0, 4), width <= 880, height <= 400]).toEqual([text.slice(0, 4), true, true]);
    }
  });

  it.each(['<b>x</b>', '&', '\u0000x', 'x\ud800', '\u2028x', '\u202e\u2066x'])(
    'draws %j as plain text',
    async (text) => {
      expect((await drawText([{ text, size: 40 }], room)).height).toBeGreaterThan(10);
    },
  );

  it.each(['', ' ', '\u200b', '\u3164', '\u0007'])('gives no line to %j', async (text) => {
    const alone = await drawText([{ text, size: 40 }], room);
    const ada = await drawText([{ text: 'Ada', size: 40 }], room);
    const both = await drawText(
      [
        { text, size: 40 },
        { text: 'Ada', size: 40 },
      ],
      room,
    );
    expect([alone.height < 10, both.height]).toEqual([true, ada.height]);
  });

  it('is made of dots on a machine without fonts', async () => {
    const folder = await temporaryFolder('fonts');
    const config = join(folder, 'fonts.conf');
    await writeFile(config, '<fontconfig><dir>/nowhere</dir></fontconfig>');
    const script = `import { drawText } from ${JSON.stringify(new URL('text-image.ts', import.meta.url).href)};
      const room = ${JSON.stringify(room)};
      const sizes = [];
      for (const text of ['Ada', 'Bob', 'Ada Lovelace and all who came with her', 'x'.repeat(5000)]) {
        const { png, height } = await drawText([{ text, size: 64 }], room);
        sizes.push([png.toString('base64'), height]);
      }
      console.log(JSON.stringify(sizes));`;
    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', script], {
      env: { FONTCONFIG_FILE: config },
      maxBuffer: 10_000_000,
    });
    await rm(folder, { recursive: true });
    const [ada, bob, many, long] = JSON.parse(stdout) as [string, number][];
    expect(ada?.[0]).not.toBe(bob?.[0]);
    expect([ada?.[1], bob?.[1], many?.[1], long?.[1]]).toEqual([64, 64, 128, 400]);
  });
});
