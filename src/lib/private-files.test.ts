import { chmod, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { makeTreePrivate } from './private-files.ts';

let root: string;
let folder: string;
let file: string;
beforeEach(async () => {
  root = await temporaryFolder('private');
  folder = join(root, 'uploads');
  file = join(folder, '2026', 'poster.png');
  await mkdir(join(folder, '2026'), { recursive: true });
  await writeFile(file, '');
  for (const path of [file, folder]) await chmod(path, 0o755);
});
afterEach(() => rm(root, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the files of a folder', () => {
  it('become unreadable for other accounts that could reach them', async () => {
    expect(makeTreePrivate(folder)).toEqual([]);
    expect([await modeOf(folder), await modeOf(file)]).toEqual(['700', '600']);
  });

  it('are not checked if other accounts cannot enter the folder', async () => {
    await chmod(folder, 0o700);
    expect(makeTreePrivate(folder)).toEqual([]);
    expect(await modeOf(file)).toBe('755');
  });

  it('are not changed where a link leads elsewhere', async () => {
    const letter = join(root, 'letter');
    await writeFile(letter, '');
    await chmod(letter, 0o644);
    await symlink(letter, join(folder, 'link'));
    await symlink(root, join(folder, 'loop'));
    expect(makeTreePrivate(folder)).toEqual([]);
    expect(await modeOf(letter)).toBe('644');
  });
});
