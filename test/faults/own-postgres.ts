import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { copyForNobody, dataParent, freePort, LOCALE, NOBODY, nativeFolder } from '../postgres-server.ts';

export interface OwnPostgres {
  /** Of the maintenance database. */
  url: string;
  /** Ends it as `pg_ctl stop -m immediate` does: at once, like a crash. Gives way when all of it is gone. */
  stop(): Promise<void>;
  /** Starts it again; gives way when it takes connections. */
  start(): Promise<void>;
  /** Ends it and removes its files. Happens whenever this process ends, too. */
  close(): Promise<void>;
}

/** Commits wait until they are safe from the end of the server, as on a real site; not from that of the machine. */
const SETTINGS = ['fsync=off', 'max_connections=100', 'listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap(
  (setting) => ['-c', setting],
);

/** Does what standard input says, line by line, and ends with it. */
const KEEPER = `
trap 'cd / && rm -rf "$DATA" \${COPY:+"$COPY"}' EXIT
"$BIN/initdb" -D "$DATA/cluster" -U postgres -A trust --no-sync --no-instructions $LOCALE >/dev/null || exit 1
server=
end() { if [ -n "$server" ]; then kill -QUIT "$server"; wait "$server"; server=; fi; }
while read -r command; do
  case $command in
    start) "$BIN/postgres" -D "$DATA/cluster" -p "$PORT" "$@" </dev/null >/dev/null 2>&1 & server=$! ;;
    stop) end ;;
  esac
  echo "$command"
done
end
`;

/** A PostgreSQL server of a test's own, which can be stopped and started while it is in use. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const native = nativeFolder();
  const data = await mkdtemp(join(await dataParent(), 'marquee-own-postgres-'));
  if (isRoot) await chown(data, NOBODY.uid, NOBODY.gid);
  const copy = isRoot ? await copyForNobody(native) : '';
  const keeper = spawn('/bin/sh', ['-c', KEEPER, 'postgres', ...SETTINGS], {
    cwd: data,
    env: {
      PATH: '/usr/bin:/bin',
      LC_ALL: 'C',
      BIN: join(copy || native, 'bin'),
      DATA: data,
      COPY: copy,
      PORT: String(port),
      LOCALE,
    },
    detached: true, // a Ctrl-C in the terminal must reach the test run only
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(isRoot && NOBODY),
  });
  const ended = once(keeper, 'exit');
  const answers = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]();
  const tell = async (command: 'start' | 'stop') => {
    keeper.stdin.write(`${command}\n`);
    if ((await answers.next()).done) throw new Error('PostgreSQL could not be set up');
  };
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const start = async () => {
    await tell('start');
    await untilOpen(url);
  };
  await start();
  return {
    url,
    start,
    stop: () => tell('stop'),
    async close() {
      keeper.stdin.end();
      await ended;
    },
  };
}

/** Asks until it takes connections: neither before it listens nor while it recovers. */
async function untilOpen(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    const isOpen = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (isOpen) return;
    await delay(20);
  }
}
