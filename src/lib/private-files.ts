import { chmodSync, type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files and folders that only the server's account may read. */

/** Modes of new files and folders; the umask can only remove more. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const OTHERS = 0o077;
const EXECUTABLE = 0o100;
const STICKY = 0o1000;

/**
 * Removes the permissions of other accounts from a file or folder. Returns whether it is private now: false if it
 * belongs to another account or is a shared folder such as `/tmp`. A missing path counts as private.
 */
export function makePrivate(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined || restrict(path, stats);
}

/**
 * Like `makePrivate`, for a folder and its contents. Returns the paths that could not be made private. A folder that
 * was already private is not searched, since no other account can enter it: with 50,000 files that would take half a
 * second.
 */
export function makeTreePrivate(folder: string): string[] {
  if (isPrivate(statSync(folder))) return [];
  if (!makePrivate(folder)) return [folder];
  return contentsOf(folder).filter((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && !restrict(path, stats);
  });
}

/** Skips symbolic links, which Node's recursive listing would follow. */
function contentsOf(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [];
    return entry.isDirectory() ? [path, ...contentsOf(path)] : [path];
  });
}

/** Empty for a folder that cannot be read, such as `lost+found`. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

// Systems without file owners have no such permissions either.
const isPrivate = ({ mode }: Stats): boolean => process.getuid === undefined || (mode & OTHERS) === 0;

function restrict(path: string, stats: Stats): boolean {
  if (process.getuid === undefined || isPrivate(stats)) return true;
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
