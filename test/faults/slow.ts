import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_HEADER, DATABASES } from '../server.ts';
import { crowd } from '../two-servers.ts';
import { aftermath } from './aftermath.ts';
import { milliseconds, type Part, percentileOf, type Setup } from './part.ts';
import { memoryOf, type Site, withSite } from './site.ts';

const SENDERS = 100;
/** Milliseconds between two bytes. */
const BETWEEN = 1000;
/** Limit for the 99th percentile of normal requests meanwhile: milliseconds, or a multiple of what they took before. */
const QUICK = 2000;
const TIMES = 10;

type Kind = 'headers' | 'bodies' | 'readers';
const KINDS: readonly Kind[] = ['headers', 'bodies', 'readers'];

async function run({ kind, postgresUrl, isShort }: Setup) {
  return withSite({ kind, postgresUrl, isPatient: isShort }, async (site) => {
    await makeLongList(site);
    const alone = await ask(site, 200);
    const memoryBefore = memoryOf(site);
    const senders = KINDS.flatMap((sends) => Array.from({ length: SENDERS }, () => slowSender(site, sends)));
    const until = performance.now() + (isShort ? 3000 : 120_000);
    const meanwhile: number[] = [];
    while (performance.now() < until) {
      meanwhile.push(...(await ask(site, 50)));
      await delay(200);
    }
    const open = (which: Kind) => senders.filter(({ sends, socket }) => sends === which && !socket.closed).length;
    const left = KINDS.map((which) => [which, open(which)] as const);
    for (const sender of senders) sender.stop();
    const problems = await aftermath(site, { memoryBefore });
    const p99 = percentileOf(meanwhile, 0.99);
    if (p99 > Math.max(QUICK, TIMES * percentileOf(alone, 0.99)))
      problems.push(`normal requests took ${milliseconds(p99)} meanwhile`);
    // Slow readers still make progress, which is allowed.
    for (const [which, count] of left) {
      if (!isShort && which !== 'readers' && count > 0)
        problems.push(`${count} slow ${which} are open after 2 minutes`);
    }
    return {
      did: `${SENDERS} slow headers, ${SENDERS} slow bodies and ${SENDERS} slow readers for ${isShort ? 3 : 120} s`,
      figures: {
        'normal requests p99 alone': milliseconds(percentileOf(alone, 0.99)),
        meanwhile: milliseconds(p99),
        'open at the end': left.map(([which, count]) => `${count} ${which}`).join(', '),
      },
      problems,
    };
  });
}

/** Enough events for responses larger than the socket buffers. */
async function makeLongList({ ask: send }: Site): Promise<void> {
  const description = 'A long story. '.repeat(3500);
  const body = { title: 'Long', start_date: '2037-03-06 18:30:00', end_date: '2037-03-06 21:00:00', description };
  for (let index = 0; index < 60; index += 1) await send('POST events:/events', { body });
}

async function ask(site: Site, count: number): Promise<number[]> {
  return crowd(count, 4, async (index) => {
    const sent = performance.now();
    const call = index % 5 === 0 ? 'POST events:/tags' : 'GET events:/venues';
    const { status } = await site.ask(call, index % 5 === 0 ? { body: { name: `Tag ${sent}-${index}` } } : {});
    if (status >= 300) throw new Error(`${call} is answered ${status}`);
    return performance.now() - sent;
  });
}

interface SlowSender {
  sends: Kind;
  socket: Socket;
  stop(): void;
}

function slowSender({ addresses }: Site, sends: Kind): SlowSender {
  const { hostname, port, host } = new URL(addresses[0] ?? '');
  const socket = connect(Number(port), hostname);
  // The server is expected to close the connection.
  socket.on('error', () => undefined);
  if (sends === 'readers') {
    socket.pause();
    socket.write(`GET /calendar/events/v1/events?per_page=20 HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return { sends, socket, stop: () => void socket.destroy() };
  }
  socket.resume();
  socket.write(sends === 'headers' ? `GET / HTTP/1.1\r\nHost: ${host}\r\n` : headOf(host));
  const timer = setInterval(() => socket.write(sends === 'headers' ? 'X-Slow: 1\r\n' : ' '), BETWEEN);
  return {
    ...{ sends, socket },
    stop() {
      clearInterval(timer);
      socket.destroy();
    },
  };
}

const headOf = (host: string): string =>
  [
    ...['POST /calendar/events/v1/tags HTTP/1.1', `Host: ${host}`, `Authorization: ${ADMIN_HEADER}`],
    ...['Content-Type: application/json', 'Content-Length: 5000', '', ''],
  ].join('\r\n');

export const slow: Part = {
  name: 'slow',
  about: 'Slow headers, bodies and readers: others are served quickly, and slow senders are sent away.',
  databases: DATABASES,
  usual: 'sqlite',
  run,
};
