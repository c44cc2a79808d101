import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeRequest, type Load, type Measured } from './client.ts';

/** Long enough for every measurement: each is ended by SIGINT, because wrk itself knows whole seconds only. */
const AT_MOST = '600s';

/** Sends the requests of a file, which NUL separates, in turn, and prints one line of figures at the end. */
const SCRIPT = `
local requests, turn = {}, 0
init = function(args)
  local file = assert(io.open(args[1], "rb"))
  for request in file:read("*a"):gmatch("[^%z]+") do requests[#requests + 1] = request end
  file:close()
end
request = function()
  turn = turn % #requests + 1
  return requests[turn]
end
done = function(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format("figures %d %d %d %d %d %d %d\\n", summary.requests, summary.duration, summary.bytes, failed,
    latency:percentile(50), latency:percentile(95), latency:percentile(99)))
end
`;

/**
 * Sends requests for some seconds by wrk, from the core that this process is on.
 * @throws when a request failed or got an error
 */
export async function measureByWrk({ requests, clients, seconds }: Load): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-wrk-'));
  const [script, file] = [join(folder, 'wrk.lua'), join(folder, 'requests')];
  await writeFile(script, SCRIPT);
  await writeFile(file, requests.map(encodeRequest).join('\0'));
  try {
    const { origin } = new URL(requests[0]?.url ?? '');
    return figuresIn(await runWrk(['-s', script, '-c', String(clients), origin, '--', file], seconds));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runWrk(args: readonly string[], seconds: number): Promise<string> {
  const child = spawn('wrk', ['-t', '1', '-d', AT_MOST, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  await Promise.race([delay(seconds * 1000), ended]);
  child.kill('SIGINT');
  await ended;
  return said;
}

/** wrk counts the bytes of the heads too. Times are in microseconds. */
function figuresIn(said: string): Measured {
  const found = /^figures ([\d ]+)$/m.exec(said)?.[1]?.split(' ').map(Number);
  if (!found) throw new Error(`wrk said nothing of use: ${said}`);
  const [requests = 0, duration = 0, bytes = 0, failed = 0, p50 = 0, p95 = 0, p99 = 0] = found;
  if (failed > 0 || requests === 0) throw new Error(`of ${requests} requests of wrk ${failed} failed: ${said}`);
  return {
    requests,
    rate: requests / (duration / 1e6),
    p50: p50 / 1000,
    p95: p95 / 1000,
    p99: p99 / 1000,
    bytes: bytes / requests,
  };
}
