import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { readConfig } from '../base/config.ts';
import { openContext, openPrepared } from './open-context.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('open-context');
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['0', false],
  ['8', true],
])('a server and its workers cache rendered records as MARQUEE_CACHE_MB=%s says', async (megabytes, isOn) => {
  const config = readConfig({ MARQUEE_DATA: folder, MARQUEE_CACHE_MB: megabytes, MARQUEE_LOG_LEVEL: 'silent' });
  for (const context of [await openContext(config), await openPrepared(config)]) {
    expect(context.db.memory.isOn).toBe(isOn);
    await context.close();
  }
});
