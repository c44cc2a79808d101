import { type ListeningProcess, startListening } from './listening-process.ts';

/** Bytes per unit of `ulimit -f` in POSIX. */
const BLOCK = 512;

/** Shell command that limits the size of files that the process writes, which acts like a full disk. */
export const fileLimit = (bytes: number): string => `ulimit -S -f ${Math.floor(bytes / BLOCK)}`;

/**
 * `marquee serve` whose files (database, write-ahead log, uploads, and the log when `stdout` is a file) cannot grow past
 * `bytes`.
 */
export const startWithFileLimit = (
  settings: Record<string, string>,
  { bytes, stdout }: { bytes: number; stdout?: number },
): Promise<ListeningProcess> => startListening(settings, { shell: fileLimit(bytes), stdout });
