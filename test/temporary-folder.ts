import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Bytes; the folders of a complete run need a few hundred MiB. */
const PLENTY = 2 * 2 ** 30;

/** Memory if there is plenty, otherwise the disk, which each commit and each new database waits for. */
export function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > PLENTY ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** A new folder for the data of tests, where `vitest.config.ts` says. Benchmarks and `npm run faults` use the disk. */
export const temporaryFolder = (name: string): Promise<string> =>
  mkdtemp(join(process.env.TEST_FOLDER ?? tmpdir(), `marquee-${name}-`));
