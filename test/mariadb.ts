import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { freePort, UNPRIVILEGED_USER } from './postgres-server.ts';
import { fastFolder } from './temporary-folder.ts';

/** Debian's MariaDB, with an empty server of its own on the loopback interface. */

const run = promisify(execFile);
const DAEMON = '/usr/sbin/mariadbd';
const INSTALL = ['install', '--yes', '--no-install-recommends', '--option', 'DPkg::Lock::Timeout=300'];

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Why there is no MariaDB; empty if there is one, perhaps since now. */
export async function lackOfMariadb(): Promise<string> {
  if (await exists(DAEMON)) return '';
  if (process.getuid?.() !== 0) return 'MariaDB is not installed (apt-get install mariadb-server), and only root may';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '--option', 'DPkg::Lock::Timeout=300'], { env });
    await run('apt-get', [...INSTALL, 'mariadb-server'], { env });
    return '';
  } catch (error) {
    return `apt-get could not install mariadb-server: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
  }
}

export interface Mariadb {
  port: number;
  socket: string;
  /** File with its certificate, which is for the name localhost. */
  certificate: string;
  /** Runs statements as the administrator of the server. */
  query(sql: string): Promise<void>;
  /** The dump of a database. */
  dump(database: string): Promise<string>;
  stop(): Promise<void>;
}

/** Ends the server, and removes its files, when standard input ends: also when the test run has died. */
const KEEPER = `
trap 'cd / && rm -rf "$DATA"' EXIT
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout "$DATA/key.pem" -out "$DATA/certificate.pem" \\
  -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null || exit 1
mariadb-install-db --no-defaults --datadir="$DATA/data" --auth-root-authentication-method=normal --skip-test-db >/dev/null || exit 1
${DAEMON} --no-defaults --datadir="$DATA/data" --socket="$DATA/socket" --pid-file="$DATA/pid" \\
  --ssl-cert="$DATA/certificate.pem" --ssl-key="$DATA/key.pem" "$@" </dev/null &
read -r line
kill -TERM $!
wait $!
`;

const SETTINGS = [
  ...['--bind-address=127.0.0.1', '--skip-log-bin', '--skip-name-resolve', '--performance-schema=off'],
  ...['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=32M', '--innodb-log-file-size=8M'],
];

/** Starts a server; it ends with `stop`, or with this process. */
export async function startMariadb(): Promise<Mariadb> {
  const folder = await mkdtemp(join(fastFolder(), 'marquee-mariadb-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, UNPRIVILEGED_USER.uid, UNPRIVILEGED_USER.gid);
  const port = await freePort();
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'mariadb', `--port=${port}`, ...SETTINGS], {
    ...{ cwd: folder, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', DATA: folder, TMPDIR: folder } },
    ...{ detached: true, stdio: ['pipe', 'pipe', 'pipe'] as const },
    ...(isRoot && UNPRIVILEGED_USER),
  });
  const socket = join(folder, 'socket');
  const ended = once(keeper, 'exit');
  await untilReady(keeper);
  const client = async (program: string, args: readonly string[], input?: string): Promise<string> => {
    const running = run(program, ['--no-defaults', `--socket=${socket}`, '--user=root', ...args], {
      maxBuffer: 256 * 1024 * 1024,
      encoding: 'latin1',
    });
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
  return {
    ...{ port, socket, certificate: join(folder, 'certificate.pem') },
    query: async (sql) => void (await client('mariadb', ['--default-character-set=utf8mb4', '--binary-mode'], sql)),
    dump: (database) =>
      client('mariadb-dump', ['--single-transaction', '--default-character-set=utf8mb4', '--databases', database]),
    async stop() {
      keeper.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady({ stderr }: ChildProcessByStdio<Writable, Readable, Readable>): Promise<void> {
  let said = '';
  for await (const chunk of stderr.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    // The log goes on, and must not fill the pipe.
    if (said.includes('ready for connections')) return void stderr.resume();
  }
  throw new Error(`MariaDB did not start:\n${said}`);
}
