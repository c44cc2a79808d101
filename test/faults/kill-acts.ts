import { setImmediate as turn } from 'node:timers/promises';
import { DATABASES } from '../server.ts';
import type { RaceAnswer } from '../two-servers.ts';
import { type Act, actsOfMuch, type Ready } from './acts.ts';
import { aftermath, findDamage } from './aftermath.ts';
import { changesFrom, type Measures, measure, stepsIn, textOfMeasures } from './measures.ts';
import { type Part, type Setup, Tally } from './part.ts';
import { type Site, withSite } from './site.ts';

/** Effect and duration of an action when nothing disturbs it. */
interface Usual {
  changes: Measures;
  /** Milliseconds from the claim of its key to its response. */
  time: number;
}

/** Milliseconds within which the server must have begun. */
const BEGIN = 20_000;
/** Kills of an action in the long form, at moments that are spread over its duration. */
const KILLS = 15;
/** In the short form, until one has hit. */
const TRIES = 4;

async function run({ kind, postgresUrl, isShort }: Setup) {
  return withSite({ kind, postgresUrl, isPatient: true }, async (site) => {
    const hits = new Map<string, Tally>();
    const problems: string[] = [];
    for (const act of actsOfMuch()) {
      const tally = new Tally();
      hits.set(act.name, tally);
      const found = await killMeanwhile(site, act, { tally, isShort });
      problems.push(...found.map((problem) => `${act.name}: ${problem}`));
    }
    problems.push(...(await aftermath(site)));
    const kills = [...hits.values()].reduce((sum, { total }) => sum + total, 0);
    const figures = Object.fromEntries([...hits].map(([name, tally]) => [`${name}:`, String(tally)]));
    return { did: `killed ${kills} times in actions that change much at once, and sent them again`, figures, problems };
  });
}

/** Where a kill hit. */
const MIDDLE = 'in the middle';

async function killMeanwhile(site: Site, act: Act, { tally, isShort }: { tally: Tally; isShort: boolean }) {
  const problems: string[] = [];
  const usual = await doUndisturbed(site, act);
  const isEnough = () => (isShort ? tally.of(MIDDLE) > 0 || tally.total === TRIES : tally.total === KILLS);
  while (!isEnough()) {
    // The short form has one kill, and others sooner if that was too late.
    const share = isShort ? 0.3 * (1 - tally.total / (TRIES - 1)) : tally.total / (KILLS - 1);
    problems.push(...(await killOnce(site, act, { usual, wait: usual.time * share, tally })));
  }
  const least = isShort ? 1 : KILLS / 3;
  if (tally.of(MIDDLE) < least) problems.push(`the kill hit only ${tally.of(MIDDLE)} times in the middle: ${tally}`);
  return problems;
}

/** Twice, since the first time also loads code. */
async function doUndisturbed(site: Site, act: Act): Promise<Usual> {
  const once = async () => {
    const ready = await act.prepare(site);
    const before = await measure(site.db);
    const answer = await sendUntilBegun(site, ready, newKey());
    const began = performance.now();
    const { status = 0, body } = (await answer.answer) ?? {};
    if (status >= 300 || status === 0) throw new Error(`${act.name} is answered ${status} ${JSON.stringify(body)}`);
    return { time: performance.now() - began, changes: changesFrom(before, await measure(site.db)) };
  };
  await once();
  return once();
}

let keys = 0;
const newKey = (): string => {
  keys += 1;
  return `act ${keys}`;
};

const send = (site: Site, { call, body }: Ready, key: string): Promise<RaceAnswer> =>
  site.ask(call, { body, headers: { 'Idempotency-Key': key } });

/** Sends a request, and waits until its key is claimed: from then on, it is done. */
async function sendUntilBegun(site: Site, ready: Ready, key: string) {
  await site.db.query.deleteFrom('idempotency_keys').execute();
  // No response after a kill.
  const answer = send(site, ready, key).catch(() => undefined);
  const until = performance.now() + BEGIN;
  while ((await claimsOf(site)).length === 0) {
    if (performance.now() > until) throw new Error(`${ready.call} has not begun after ${BEGIN / 1000} s`);
    // SQLite is done at once, and would leave no turn to the request.
    await turn();
  }
  return { answer };
}

/** The responses that are kept; empty for those in progress. */
async function claimsOf({ db }: Site): Promise<string[]> {
  const rows = await db.query.selectFrom('idempotency_keys').select('answer').execute();
  return rows.map(({ answer }) => answer);
}

interface Kill {
  usual: Usual;
  /** Milliseconds from the claim of the key to the kill. */
  wait: number;
  tally: Tally;
}

/** A request that was killed. */
interface Killed {
  act: Act;
  ready: Ready;
  key: string;
  before: Measures;
  usual: Usual;
  /** Whether its key is still claimed, without a response. */
  isTaken: boolean;
  isAnswered: boolean;
}

async function killOnce(site: Site, act: Act, { usual, wait, tally }: Kill): Promise<string[]> {
  const key = newKey();
  const ready = await act.prepare(site);
  const before = await measure(site.db);
  const { answer } = await sendUntilBegun(site, ready, key);
  waitExactly(wait);
  await site.end(0, 'SIGKILL');
  // The restart may take longer than a claim lasts.
  await setExpiry(site, '2100-01-01 00:00:00');
  const isAnswered = (await answer) !== undefined;
  await site.restart(0);
  const isTaken = (await claimsOf(site)).includes('');
  const killed = { act, ready, key, before, usual, isTaken, isAnswered };
  const changes = changesFrom(before, await measure(site.db));
  const done = stepsIn(changes, usual.changes, act.steps);
  tally.add(whereOf(killed, done ?? 0));
  const halves = done === undefined ? [`done by halves: ${textOfMeasures(changes)}`] : findUnfit(killed, done);
  return [...halves, ...(await findDamage(site)), ...(await findNotRepeated(site, killed))];
}

/** Timers are too coarse for actions that take some milliseconds. */
function waitExactly(time: number): void {
  const until = performance.now() + time;
  while (performance.now() < until);
}

function whereOf({ act, isTaken, isAnswered }: Killed, done: number): string {
  if (!isTaken) return isAnswered ? 'after the response' : 'before the response';
  if (act.steps === 1) return MIDDLE;
  if (done === 0) return 'before the first step';
  return done < act.steps ? MIDDLE : 'after the last step';
}

/** A single step is done together with its response; a response is kept once all are done. */
function findUnfit({ act, isTaken }: Killed, done: number): string[] {
  const isFit = isTaken ? done === 0 || (act.steps > 1 && done <= act.steps) : done === act.steps;
  return isFit ? [] : [`${done} of ${act.steps} are done, and the key is ${isTaken ? 'still' : 'no longer'} taken`];
}

const setExpiry = ({ db }: Site, expires_utc: string) =>
  db.query.updateTable('idempotency_keys').set({ expires_utc }).where('answer', '=', '').execute();

/** The same request again: refused while the key is taken, then done, what was not done yet, and never twice. */
async function findNotRepeated(site: Site, { act, ready, key, before, usual, isTaken }: Killed): Promise<string[]> {
  const problems: string[] = [];
  if (isTaken) {
    const { status, body } = await send(site, ready, key);
    if (body?.code !== 'request-in-progress') problems.push(`a repetition at once is answered ${status}`);
  }
  await setExpiry(site, '2020-01-01 00:00:00');
  const answers = [await send(site, ready, key), await send(site, ready, key)];
  for (const answer of answers) problems.push(...refusalsIn(answer));
  const [first, second] = answers.map(({ body }) => JSON.stringify(body));
  if (first !== second) problems.push('two repetitions have different responses');
  const changes = changesFrom(before, await measure(site.db));
  const done = stepsIn(changes, usual.changes, act.steps);
  if (done !== act.steps) problems.push(`after the repetition ${done} are done: ${textOfMeasures(changes)}`);
  return problems;
}

/** Also those of the calls of a batch. */
function refusalsIn({ status, body }: RaceAnswer): string[] {
  const statuses = [status, ...(body?.results ?? []).map((result: RaceAnswer) => result.status)];
  return statuses.flatMap((one) => (one < 300 ? [] : [`a repetition is answered ${one} ${JSON.stringify(body)}`]));
}

export const killActs: Part = {
  name: 'kill-acts',
  about:
    'The process is killed within a batch, a merge, a duplicate, an order given back in part: each whole or not at all, and never twice.',
  databases: DATABASES,
  usual: 'sqlite',
  run,
};
