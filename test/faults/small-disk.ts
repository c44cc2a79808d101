import { execFile } from 'node:child_process';
import { mkdtemp, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmallDisk {
  /** Mount point. */
  folder: string;
  /**
   * Fills it with a file.
   * @param left bytes to leave free
   */
  fill(left: number): Promise<void>;
  /** Removes the file of `fill`. */
  empty(): Promise<void>;
  /** Discards all its files. */
  unmount(): Promise<void>;
}

/** A tmpfs of this many bytes, which fails with ENOSPC when full. Undefined if this account may not mount one. */
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
