import { execFile } from 'node:child_process';
import { mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmallDisk {
  /** Where it is mounted. */
  folder: string;
  /** Takes all the room that is left, with a file of its own. */
  fill(): Promise<void>;
  /** Gives the room back. */
  empty(): Promise<void>;
  /** Everything on it is lost, as soon as nobody has a file of it open. */
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
    async fill() {
      // A page at a time, until not one more fits.
      for (;;) {
        const isFull = await writeFile(filler, Buffer.alloc(4096), { flag: 'a' }).then(
          () => false,
          () => true,
        );
        if (isFull) return;
      }
    },
    empty: () => rm(filler, { force: true }),
    async unmount() {
      await run('umount', ['-l', folder]);
      await rmdir(folder);
    },
  };
}
