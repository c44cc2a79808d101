import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
const hasTerminal = spawnSync('script', ['--version']).status === 0;

describe.skipIf(!hasTerminal)('a password prompt in a terminal', () => {
  let data: string;
  beforeAll(async () => {
    data = await temporaryFolder('secret');
  });
  afterAll(() => rm(data, { recursive: true, force: true }));

  const settings = () => ({
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    MARQUEE_DATA: data,
    MARQUEE_LOG_LEVEL: 'silent',
  });

  /** Types the answer at the prompt; returns all output of the terminal. */
  async function answer(child: ChildProcess, question: string, keys: string): Promise<string> {
    let shown = '';
    let isAnswered = false;
    child.stdout?.on('data', (chunk) => {
      shown += String(chunk);
      if (isAnswered || !shown.includes(question)) return;
      isAnswered = true;
      child.stdin?.write(keys);
    });
    await once(child, 'close');
    return shown;
  }

  it('reads the password without showing it', async () => {
    const made = spawnSync(
      process.execPath,
      [CLI, 'user', 'add', 'ann', '--email', 'ann@example.org', '--role', 'editor', '--password', 'a first one'],
      { env: settings() },
    );
    expect(made.status).toBe(0);
    const command = `"${process.execPath}" "${CLI}" user password ann`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env: settings() });
    const shown = await answer(child, 'New password of ann: ', 'hush hush hush\r');
    expect(shown.replaceAll('\r', '')).toBe('New password of ann: \nThe password of "ann" was changed.\n');
  });
});
