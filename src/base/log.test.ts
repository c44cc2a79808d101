import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const sourceOf = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));

/** Program whose log goes to a pipe that the test may leave unread. */
const PROGRAM = `
  import { droppedLogLines as dropped, openLog } from ${sourceOf('log.ts')};
  const { log, flush } = openLog('info');
  const LINE = 'x'.repeat(1000);
  process.on('message', async ({ lines, isLast }) => {
    for (let line = 0; line < lines; line += 1) log.info(LINE);
    if (isLast) await flush();
    process.send({ dropped: dropped(), memory: process.memoryUsage().rss });
    if (isLast) process.disconnect();
  });
`;

function start(): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

interface LogReport {
  dropped: number;
  memory: number;
}

async function write(child: ChildProcess, lines: number, isLast = false): Promise<LogReport> {
  child.send({ lines, isLast });
  const [told] = await once(child, 'message');
  return told as LogReport;
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

it('logs neither order tokens nor security codes, wherever their URLs occur in a line', () => {
  const program = `
    import { openLog } from ${sourceOf('log.ts')};
    const { log } = openLog('debug');
    log.error({ path: '/order/12/t0ken/', referer: 'https://a.test/fr/ticket/7/c0de/' }, 'fault at /order/12/t0ken');
    log.error(new Error('/?ticket_id=7&security_code=c0de'));
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(linesOf(stdout)).toMatchObject([
    {
      path: '/order/12/[redacted]/',
      referer: 'https://a.test/fr/ticket/7/[redacted]/',
      msg: 'fault at /order/12/[redacted]',
    },
    { err: { message: '/?ticket_id=7&security_code=[redacted]' } },
  ]);
  expect(stdout).not.toMatch(/t0ken|c0de/);
});

describe('a log in a pipe', () => {
  it('loses no line while it is read, not even at the end of the process', async () => {
    const child = start();
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    expect((await write(child, 900, true)).dropped).toBe(0);
    await once(child, 'close');
    expect(linesOf(text)).toHaveLength(900);
  });

  it('drops lines instead of growing while it is not read, and reports how many afterwards', async () => {
    const child = start();
    const { dropped, memory } = await write(child, 5000);
    expect(dropped).toBeGreaterThan(3000);
    const later = await write(child, 50_000);
    // A pipe takes a few lines of them.
    expect(later.dropped).toBeGreaterThan(dropped + 49_000);
    // The lines alone would take 50 MB.
    expect(later.memory - memory).toBeLessThan(30_000_000);
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    while (!text.includes('"dropped"')) await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    await write(child, 1, true);
    await once(child, 'close');
    const lines = linesOf(text);
    expect(lines).toHaveLength(55_000 - later.dropped + 2);
    expect(lines.at(-2)).toMatchObject({ level: 40, dropped: later.dropped });
    expect(lines.at(-1).msg).toMatch(/^x+$/);
  });

  it('lets the process run and end normally after its reader has disconnected', async () => {
    const child = start();
    await write(child, 1);
    child.stdout?.destroy();
    expect((await write(child, 3000)).dropped).toBeGreaterThan(1000);
    await write(child, 1, true);
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });
});
