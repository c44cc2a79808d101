/** Measures how soon the first screen of the console can be used, in a browser without a cache. README.md says more. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sharedBrowser } from '../test/browser.ts';
import { startMarquee } from './process.ts';
import { median } from './statistics.ts';

const RUNS = 7;
const ACCOUNT = { name: 'admin', password: 'measured-by-the-bench' };

interface Condition {
  name: string;
  /** Factor by which the processor is slower. */
  slowdown: number;
  /** Bits a second and milliseconds; a local network without it. */
  network?: { rate: number; latency: number };
  /** Milliseconds. */
  wanted: number;
}

const CONDITIONS: readonly Condition[] = [
  { name: 'office laptop', slowdown: 1, wanted: 1000 },
  { name: 'CPU 4x', slowdown: 4, wanted: 2500 },
  { name: 'CPU 4x, 1.6 Mbit/s, 150 ms', slowdown: 4, network: { rate: 1_600_000, latency: 150 }, wanted: 3500 },
];

/** The lists of home are shown, from which on an organizer can act. */
const USABLE = '#today + *, #today ~ ul';

/** Milliseconds from the navigation to the shown lists. */
async function openConsole(address: string, cookie: string, { slowdown, network }: Condition): Promise<number> {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: address }]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    if (network) {
      const throughput = network.rate / 8;
      const { latency } = network;
      const rates = { latency, downloadThroughput: throughput, uploadThroughput: throughput };
      await session.send('Network.emulateNetworkConditions', { offline: false, ...rates });
    }
    await page.goto(`${address}/console/`, { waitUntil: 'commit' });
    await page.locator(USABLE).first().waitFor();
    return await page.evaluate<number>('new Promise((done) => requestAnimationFrame(() => done(performance.now())))');
  } finally {
    await context.close();
  }
}

async function signIn(address: string): Promise<string> {
  const response = await fetch(`${address}/calendar/admin/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  });
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

const data = await mkdtemp(join(tmpdir(), 'marquee-console-'));
const env = { MARQUEE_DATA: data, MARQUEE_ADMIN: `${ACCOUNT.name}:${ACCOUNT.password}` };
try {
  await promisify(execFile)(process.execPath, ['src/cli.ts', 'demo'], { env: { PATH: process.env.PATH, ...env } });
  const server = await startMarquee(env);
  try {
    const cookie = await signIn(server.address);
    for (const condition of CONDITIONS) {
      const times: number[] = [];
      for (let run = 0; run < RUNS; run += 1) times.push(await openConsole(server.address, cookie, condition));
      const [middle, best] = [median(times), Math.min(...times)];
      const verdict = middle <= condition.wanted ? 'met' : 'MISSED';
      console.log(
        `${condition.name}: ${middle.toFixed(0)} ms, at best ${best.toFixed(0)}, wanted ${condition.wanted}: ${verdict}`,
      );
    }
  } finally {
    await (await sharedBrowser()).close();
    await server.stop();
  }
} finally {
  await rm(data, { recursive: true });
}
