import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files and folders that nobody but the account of the server may read. */

/** For new ones; the umask can only take more away. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const OTHERS = 0o077;
const EXECUTABLE = 0o100;
const STICKY = 0o1000;

/**
 * Takes the rights of other accounts away from a file or folder that has them. Gives whether others are kept out now:
 * not when it belongs to another account, or is a shared folder such as `/tmp`. What is not there is private.
 */
export function makePrivate(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || restrict(path, stats);
}

/** As `makePrivate`, for a folder and all that is in it. Gives the paths from which others are not kept out. */
export function makeTreePrivate(folder: string): string[] {
  if (!makePrivate(folder)) return [folder];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => !entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && !restrict(path, stats);
  });
}

function restrict(path: string, stats: Stats): boolean {
  // Systems without owners have no such rights either.
  if (process.getuid === undefined || (stats.mode & OTHERS) === 0) return true;
  if (stats.uid !== process.getuid() || (stats.mode & STICKY) !== 0) return false;
  const denied = stats.isDirectory() ? OTHERS : OTHERS | EXECUTABLE;
  try {
    chmodSync(path, stats.mode & 0o7777 & ~denied);
    return true;
  } catch {
    // Some network file systems have rights of their own.
    return false;
  }
}
