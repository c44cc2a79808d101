import { execFile } from 'node:child_process';
import { mkdtemp, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmallDisk {
  /** Where it is mounted. */
  folder: string;
  /**
   * Fills it with a file of its own.
   * @param left bytes that stay free
   */
  fill(left: number): Promise<void>;
  /** Frees what `fill` took. */
  empty(): Promise<void>;
  /** Discards all its files. */
  unmount(): Promise<void>;
}

/** A disk (tmpfs) of so many bytes, which really runs full: ENOSPC. Undefined where this account may not mount one. */
export async function mountSmallDisk(bytes: number): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'marquee-test', folder]);
  } catch {
    await rmdir(folder);
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill(left) {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    },
    empty: () => rm(filler, { force: true }),
    async unmount() {
      await run('umount', ['-l', folder]);
      await rmdir(folder);
    },
  };
}
