import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Bytes; the folders of a whole run need a few hundred MiB. */
const PLENTY = 2 * 2 ** 30;

/** Memory if there is plenty, otherwise the disk, which would be waited for at each commit and each new database. */
export function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > PLENTY ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** A new folder for the data of tests; `vitest.config.ts` says where. Benchmarks and `npm run faults` are on the disk. */
export const temporaryFolder = (name: string): Promise<string> =>
  mkdtemp(join(process.env.TEST_FOLDER ?? tmpdir(), `marquee-${name}-`));
