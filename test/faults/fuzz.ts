import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import type { Role } from '../../src/http/core/auth.ts';
import { heavyRequests } from '../fuzz/heavy-requests.ts';
import { type Callers, interfaceRequests } from '../fuzz/interface-requests.ts';
import { pageRequests } from '../fuzz/page-requests.ts';
import type { FuzzRequest } from '../fuzz/request.ts';
import { createWorld, type FuzzAnswer, type World } from '../fuzz/world.ts';
import { ADMIN_HEADER, DATABASES } from '../server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { aftermath } from './aftermath.ts';
import { type CpuClock, createCpuClock, turnClockIn } from './cpu-clock.ts';
import { milliseconds, type Part, type Setup, Tally } from './part.ts';
import { memoryOf, type Site, withSite } from './site.ts';

/** Fixed, so that failures are reproducible. */
const SEED = 20_261_123;
/** Requests that are made at once, after which records are created anew. */
const CHUNK = 200;
/** Milliseconds of CPU for which one request may keep all others waiting. */
const MAX_CPU = 200;
/** Problems of a kind in the report. */
const REPORTED = 10;
/** Requests in the report that took most. */
const WORST = 3;

const EDITOR = { username: 'fuzz-editor', password: 'fuzz-password', email: 'editor@example.test', role: 'editor' };
const CALLERS: Callers = { roles: [undefined, 'editor', 'administrator'], accounts: 2 };

const requests = fc.oneof(
  { weight: 55, arbitrary: interfaceRequests(CALLERS) },
  { weight: 43, arbitrary: pageRequests(CALLERS) },
  { weight: 2, arbitrary: heavyRequests(CALLERS) },
);

interface Cost {
  ms: number;
  what: string;
}

interface Findings {
  statuses: Tally;
  faults: string[];
  /** The most expensive requests, the worst first. */
  worst: Cost[];
}

async function run({ kind, postgresUrl, isShort }: Setup) {
  const chunks = isShort ? 5 : 500;
  const folder = await temporaryFolder('turns');
  const settings = {
    MARQUEE_SECRET_GUESSES: '0,0',
    MARQUEE_LANGUAGES: 'en,fr',
    // Pictures are drawn in several threads, for each of which glibc would keep freed memory.
    MALLOC_ARENA_MAX: '2',
    ...turnClockIn(folder),
  };
  return withSite({ kind, postgresUrl, isPatient: true, settings }, async (site) => {
    const world = createWorld({ address: site.addresses[0] ?? '', credentials: await credentialsOf(site) });
    const findings: Findings = { statuses: new Tally(), faults: [], worst: [] };
    const clock = createCpuClock(site.processes[0]?.pid ?? 0, folder);
    let memoryBefore = 0;
    for (let chunk = 0; chunk < chunks; chunk += 1) {
      await world.renew();
      clock.total();
      const sent = fc.sample(requests, { numRuns: CHUNK, seed: SEED + chunk });
      for (const one of sent) await examine({ world, clock, findings }, one);
      // Long texts enlarge the heap of V8 for good.
      if (chunk === Math.floor(chunks / 4)) memoryBefore = memoryOf(site);
    }
    const lost = await findLost(world);
    world.close();
    await rm(folder, { recursive: true });
    return {
      did: `${chunks * CHUNK} requests of visitors, an editor and an administrator, of the interface and the pages`,
      figures: figuresOf(findings, clock),
      problems: [
        ...findings.faults.slice(0, REPORTED),
        ...lost,
        ...(isShort ? [] : findings.worst.filter(({ ms }) => ms > MAX_CPU).map(tooSlow)),
        ...(await aftermath(site, { memoryBefore: memoryBefore + 100 })),
      ],
    };
  });
}

async function credentialsOf({ ask }: Site): Promise<Partial<Record<Role, string>>> {
  const { status, body } = await ask('POST admin:/users', { body: EDITOR });
  if (status !== 201) throw new Error(`the editor is refused: ${JSON.stringify(body)}`);
  const editor = Buffer.from(`${EDITOR.username}:${EDITOR.password}`).toString('base64');
  return { administrator: ADMIN_HEADER, editor: `Basic ${editor}` };
}

interface Examination {
  world: World;
  clock: CpuClock;
  findings: Findings;
}

/**
 * Sends a request. If it took long, its longest turn counts, and it is sent twice more: a collection of garbage is not
 * its fault.
 */
async function examine({ world, clock, findings }: Examination, sent: FuzzRequest): Promise<void> {
  const answer = await world.send(sent);
  findings.statuses.add(classOf(answer));
  if (isFault(answer))
    findings.faults.push(`${wordsOf(sent)} is answered ${answer.status} ${answer.text.slice(0, 300)}`);
  let ms = clock.total() ?? 0;
  for (let again = 0; ms > MAX_CPU && again < 3; again += 1) {
    if (again > 0) await world.send(sent);
    ms = Math.min(ms, await clock.longestTurn());
  }
  if (ms <= (findings.worst.at(REPORTED - 1)?.ms ?? 0)) return;
  findings.worst.push({ ms, what: wordsOf(sent) });
  findings.worst.sort((a, b) => b.ms - a.ms).splice(REPORTED);
}

const classOf = ({ status }: FuzzAnswer): string => (status === 0 ? 'closed' : `${Math.floor(status / 100)}xx`);

/** An envelope has the status in its body. */
const isFault = ({ status, text }: FuzzAnswer): boolean =>
  status >= 500 || (text.startsWith('{') && /"status":\s?5\d\d\b/.test(text.slice(0, 2000)));

function wordsOf({ role, method, path, headers, body = '' }: FuzzRequest): string {
  const said = typeof body === 'string' ? body : body();
  const type = headers['content-type'] ?? '';
  return `${method} ${path.slice(0, 200)} as ${role ?? 'a stranger'} with ${said.length} characters ${type} ${said.slice(0, 200)}`;
}

const tooSlow = ({ ms, what }: Cost): string => `${what} blocked others for ${milliseconds(ms)} of CPU`;

/** Accounts that a request has locked out, so that the rest of the run was without an account. */
async function findLost(world: World): Promise<string[]> {
  const lost: string[] = [];
  for (const role of CALLERS.roles) {
    const { status } = await world.send({ role, method: 'GET', path: '/calendar/admin/v1/me', headers: {} });
    if (status !== (role ? 200 : 401)) lost.push(`GET /me as ${role ?? 'a stranger'} is answered ${status}`);
  }
  return lost;
}

const figuresOf = ({ statuses, worst }: Findings, clock: CpuClock) => ({
  responses: String(statuses),
  'most CPU':
    clock.total() === undefined
      ? 'not measured'
      : worst
          .slice(0, WORST)
          .map(({ ms, what }) => `${milliseconds(ms)} (${what.slice(0, 90)})`)
          .join(', '),
  allowed: milliseconds(MAX_CPU),
});

export const fuzz: Part = {
  name: 'fuzz',
  about:
    'Requests of any form to every endpoint and page: never 5xx, and none blocks others for more than 200 ms of CPU.',
  databases: DATABASES,
  usual: 'sqlite',
  atMost: 120,
  run,
};
