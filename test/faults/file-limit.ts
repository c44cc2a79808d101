import { setTimeout as delay } from 'node:timers/promises';
import { type MarqueeProcess, type Surroundings, serveProcess } from '../marquee-process.ts';
import { freePort } from '../postgres-server.ts';

/** Bytes of the unit of `ulimit -f`. */
const BLOCK = 512;

/** What a shell does so that no file of the process grows past a size: a full disk, as far as writes go. */
export const fileLimit = (bytes: number): string => `ulimit -S -f ${Math.floor(bytes / BLOCK)}`;

/**
 * `marquee serve` whose files (database, write-ahead log, uploads, and the log when `stdout` is a file) cannot grow past
 * `bytes`.
 */
export const startWithFileLimit = (
  settings: Record<string, string>,
  { bytes, stdout }: { bytes: number; stdout?: number },
): Promise<ListeningProcess> => startListening(settings, { shell: fileLimit(bytes), stdout });

export interface ListeningProcess extends MarqueeProcess {
  /** Scheme, host and port. */
  origin: string;
}

/** `marquee serve` on a port that is known before, so that nobody has to read its output. Waits until it listens. */
export async function startListening(
  settings: Record<string, string>,
  surroundings?: Surroundings,
): Promise<ListeningProcess> {
  const port = await freePort();
  const started = serveProcess({ ...settings, MARQUEE_PORT: String(port) }, surroundings);
  const origin = `http://127.0.0.1:${port}`;
  const ended = started.ended.then(({ err }) => err.join('\n') || 'without a word');
  for (;;) {
    const outcome = await Promise.race([
      ended,
      fetch(`${origin}/healthz`).then(
        () => true,
        () => delay(20),
      ),
    ]);
    if (outcome === true) return { ...started, origin };
    if (typeof outcome === 'string') throw new Error(`ended before it listened: ${outcome}`);
  }
}
