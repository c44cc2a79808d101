import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files and folders that only the account of the server may read. */

/** Modes of new ones; the umask can only remove more. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const OTHERS = 0o077;
const EXECUTABLE = 0o100;
const STICKY = 0o1000;

/**
 * Removes the permissions of other accounts from a file or folder. Returns whether it is private now: not when it
 * belongs to another account, or is a shared folder such as `/tmp`. A missing one counts as private.
 */
export function makePrivate(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || restrict(path, stats);
}

/** Like `makePrivate`, for a folder and its contents. Returns the paths that could not be made private. */
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
  // Systems without file owners have no such permissions either.
  if (process.getuid === undefined || (stats.mode & OTHERS) === 0) return true;
  if (stats.uid !== process.getuid() || (stats.mode & STICKY) !== 0) return false;
  const denied = stats.isDirectory() ? OTHERS : OTHERS | EXECUTABLE;
  try {
    chmodSync(path, stats.mode & 0o7777 & ~denied);
    return true;
  } catch {
    // Some network file systems manage permissions themselves.
    return false;
  }
}
