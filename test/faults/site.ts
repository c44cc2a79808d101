import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { type Ended, type MarqueeProcess, serveProcess } from '../marquee-process.ts';
import { type DatabaseKind, databaseOfProcesses, WITHOUT_LIMITS } from '../server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Ask, createClient } from '../two-servers.ts';
import { startListening } from './listening-process.ts';

/** Milliseconds after which a request counts as unanswered. */
const NEVER = 30_000;

/** Processes of `marquee serve` on one database, and a client that uses them in turn. */
export interface Site {
  kind: DatabaseKind;
  /** Fails if there is no response after 30 seconds. */
  ask: Ask;
  /** Direct access to the database, to inspect it. */
  db: Database;
  /** Folder of the data. */
  data: string;
  processes: MarqueeProcess[];
  addresses: string[];
  /** Sends a signal to a process and waits until it has ended. */
  end(process: number, signal: NodeJS.Signals): Promise<Ended>;
  /** Restarts a process that has ended. */
  restart(process: number): Promise<void>;
  close(): Promise<void>;
}

export interface SiteOptions {
  kind: DatabaseKind;
  postgresUrl: string;
  processes?: number;
  /** Never refuses requests because they wait: the machine may be busy with other tests. */
  isPatient?: boolean;
  settings?: Readonly<Record<string, string>>;
  /** Keeps the default limits per address. */
  hasLimits?: boolean;
  /** Folder of the data, if it must be a certain one; it is not removed. */
  data?: string;
  /** URL that the processes use in place of the database's own, such as of a proxy. */
  databaseUrl?: (own: string) => string;
  /** Shell commands that run before each process. */
  shell?: string;
  /** Log file of the processes. */
  log?: string;
}

async function startSite({ kind, postgresUrl, processes = 1, ...options }: SiteOptions): Promise<Site> {
  const data = options.data ?? (await temporaryFolder('fault'));
  const { url: own, drop, open } = await databaseOfProcesses(kind, data, postgresUrl);
  const url = own && (options.databaseUrl?.(own) ?? own);
  const running: MarqueeProcess[] = [];
  const addresses: string[] = [];
  const start = async (index: number) => {
    const { started, address } = await launch(
      {
        ...(!options.hasLimits && WITHOUT_LIMITS),
        ...(options.isPatient && { MARQUEE_MAX_DELAY: '0' }),
        ...{ MARQUEE_DATA: data, ...(url && { MARQUEE_DATABASE_URL: url }) },
        ...options.settings,
      },
      options,
    );
    running[index] = started;
    addresses[index] = await address;
  };
  await Promise.all(Array.from({ length: processes }, (_, index) => start(index)));
  const db = open();
  const client = createClient(() => addresses);
  const end = async (index: number, signal: NodeJS.Signals) => {
    const one = running[index];
    if (!one) throw new Error(`there is no process ${index}`);
    one.signal(signal);
    return one.ended;
  };
  return {
    ...{ kind, db, data, processes: running, addresses, end, restart: start },
    ask: (call, asking) => within(client.ask(call, asking), `${call} has no response after ${NEVER / 1000} s`),
    async close() {
      client.close();
      await Promise.all(running.map((_, index) => end(index, 'SIGKILL')));
      await db.close();
      await drop();
      if (options.data === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}

/** A process that logs to a file cannot report its address on standard output, so its port is chosen beforehand. */
async function launch(settings: Record<string, string>, { shell = ':', log }: Pick<SiteOptions, 'shell' | 'log'>) {
  if (log === undefined) {
    const started = serveProcess(settings, { shell });
    return { started, address: started.address };
  }
  const started = await startListening(settings, { shell: `${shell} && exec >>'${log}'` });
  return { started, address: started.origin };
}

/** Whether a process has ended, and how. */
export const endOf = ({ ended }: MarqueeProcess): Promise<Ended | undefined> =>
  Promise.race([ended, delay(0).then(() => undefined)]);

/** Fails with `message` when a promise takes too long. */
export async function within<T>(promise: Promise<T>, message: string, time = NEVER): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(message)), time);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resident memory of all processes in MiB; 0 where the system does not report it. */
export const memoryOf = ({ processes }: Pick<Site, 'processes'>): number =>
  processes.reduce((sum, { pid }) => sum + residentMiB(pid), 0);

function residentMiB(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Runs a function on a site, which is removed afterwards in any case. */
export async function withSite<T>(options: SiteOptions, run: (site: Site) => Promise<T>): Promise<T> {
  const site = await startSite(options);
  try {
    return await run(site);
  } finally {
    await site.close();
  }
}
