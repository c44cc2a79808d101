import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASES } from '../server.ts';
import { aftermath } from './aftermath.ts';
import { fileLimit } from './file-limit.ts';
import { type Load, startLoad } from './load.ts';
import { type Part, type Setup, Tally } from './part.ts';
import { endOf, type Site, type SiteOptions, withSite } from './site.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

/** Bytes that no file of the process may exceed: a little more than the empty database needs. */
const FILE_LIMIT = 3 * 2 ** 20;
/** Size of the file system that fills up. */
const DISK = 24 * 2 ** 20;
/** Bytes that are free when the load starts: some for the database, too few for images. */
const LEFT = { sqlite: 2 ** 20, postgres: 0 };
/** Nearly as long as a description may be, so that the disk fills up quickly. */
const TEXT = 'A long text. '.repeat(3800);

interface Phase {
  problems: string[];
  answers: Tally;
}

async function run({ kind, postgresUrl }: Setup) {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-full-'));
  const disk = await mountSmallDisk(DISK);
  const answers = new Tally();
  const problems: string[] = [];
  const add = (what: string, phase: Phase) => {
    problems.push(...phase.problems.map((problem) => `${what}: ${problem}`));
    for (const [status, count] of phase.answers.entries) answers.add(status, count);
  };
  try {
    add('limited files', await withLimitedFiles({ kind, postgresUrl }, folder));
    if (disk) add('full disk', await onFullDisk({ kind, postgresUrl }, disk));
    return {
      did: `data and log where ${disk ? 'files may not grow, and on a disk that is full' : 'files may not grow'}`,
      figures: { responses: String(answers) },
      problems,
      ...(!disk && { skipped: 'a real full disk, because this account may not mount a tmpfs' }),
    };
  } finally {
    await disk?.unmount();
    await rm(folder, { recursive: true, force: true });
  }
}

type At = Pick<SiteOptions, 'kind' | 'postgresUrl'>;

/** With `ulimit -f`: the log fails immediately, the database after some writes. */
async function withLimitedFiles(at: At, folder: string): Promise<Phase> {
  const log = join(folder, 'limited.log');
  await writeFile(log, Buffer.alloc(FILE_LIMIT - 2000, '\n'));
  const options = { ...at, log, shell: fileLimit(FILE_LIMIT), settings: { MARQUEE_LOG_LEVEL: 'debug' } };
  return withSite(options, (site) =>
    fill(site, () => {
      for (const { pid } of site.processes) execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:']);
    }),
  );
}

/** With a tmpfs that another file fills. */
async function onFullDisk(at: At, disk: SmallDisk): Promise<Phase> {
  const log = join(disk.folder, 'marquee.log');
  const options = { ...at, data: disk.folder, log, settings: { MARQUEE_LOG_LEVEL: 'debug' } };
  return withSite(options, async (site) => {
    await disk.fill(LEFT[at.kind]);
    return fill(site, disk.empty);
  });
}

/** Writes until nothing more fits (PostgreSQL has its data elsewhere), reads meanwhile, and then frees space. */
async function fill(site: Site, makeRoom: () => unknown): Promise<Phase> {
  const load = await startLoad(site, { callers: 4 });
  const problems: string[] = await writeUntilFull(site, load).catch((error) => [String(error)]);
  await load.stop();
  for (const [status, count] of load.answers.entries) {
    if (status === 'none' || (Number(status) >= 500 && status !== '503'))
      problems.push(`${count} requests were answered ${status}: ${[...load.errors].join(' | ')}`);
  }
  const [one] = site.processes;
  const end = one && (await endOf(one));
  if (end) problems.push(`the process ended with ${end.code ?? end.signal}`);
  await makeRoom();
  const after = await aftermath(site, { ledger: load.ledger }).catch((error) => [String(error)]);
  return { problems: [...problems, ...after].slice(0, 12), answers: load.answers };
}

/** Number of refusals that shows that the disk is full. */
const REFUSALS = 3;
const MOST_WRITES = { sqlite: 200, postgres: 10 };

async function writeUntilFull(site: Site, { answers, ledger }: Load): Promise<string[]> {
  const problems: string[] = [];
  let refused = 0;
  for (let index = 0; index < MOST_WRITES[site.kind] && refused < REFUSALS; index += 1) {
    const times = { start_date: '2037-03-06 18:30:00', end_date: '2037-03-06 21:00:00' };
    const body = { title: `Long ${index}`, ...times, description: TEXT };
    const { status, body: said } = await site.ask('POST events:/events', { body });
    answers.add(status);
    if (status === 201) ledger.made('events', said.id);
    else refused += 1;
    if (status !== 201 && status !== 503) problems.push(`a write is answered ${status} ${JSON.stringify(said)}`);
    if (refused > 0) problems.push(...(await readWhileFull(site)));
  }
  if (site.kind === 'sqlite' && refused === 0) problems.push('the disk never was full');
  return problems;
}

async function readWhileFull(site: Site): Promise<string[]> {
  const { status } = await site.ask('GET events:/events', { anonymous: true });
  return status === 200 ? [] : [`a read on a full disk is answered ${status}`];
}

export const full: Part = {
  name: 'full',
  about: 'Disk and log are full: writes are answered 503, reads go on, and writes too as soon as there is room.',
  databases: DATABASES,
  usual: 'sqlite',
  run,
};
