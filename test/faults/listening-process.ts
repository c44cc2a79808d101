import { setTimeout as delay } from 'node:timers/promises';
import { type MarqueeProcess, type SpawnOptions, serveProcess } from '../marquee-process.ts';
import { freePort } from '../postgres-server.ts';

export interface ListeningProcess extends MarqueeProcess {
  /** Scheme, host and port. */
  origin: string;
}

/** `marquee serve`, once it listens; fails when it ends before. Its output may go to a file. */
export async function startListening(
  settings: Record<string, string>,
  options: SpawnOptions = {},
): Promise<ListeningProcess> {
  if (options.stdout !== undefined) return startUnheard(settings, options);
  const started = serveProcess(settings, options);
  return { ...started, origin: await started.address };
}

/** On a port chosen beforehand, since the process cannot report its own. */
async function startUnheard(settings: Record<string, string>, options: SpawnOptions): Promise<ListeningProcess> {
  const port = await freePort();
  const started = serveProcess({ ...settings, MARQUEE_PORT: String(port) }, options);
  const origin = `http://127.0.0.1:${port}`;
  const ended = started.ended.then(({ err }) => err.join('\n') || 'no output');
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
