import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { originalOf } from '../../src/platform/media/image-names.ts';
import { DATABASES } from '../server.ts';
import type { RaceAnswer } from '../two-servers.ts';
import { aftermath, findDamage } from './aftermath.ts';
import { Ledger } from './ledger.ts';
import { changesFrom, type Measures, measure, textOfMeasures } from './measures.ts';
import { type Part, type Setup, Tally } from './part.ts';
import { type Site, withSite } from './site.ts';

/** When the process is killed: after this many new pictures are there, and milliseconds later. */
interface Moment {
  pictures: number;
  wait: number;
}

type Counts = Readonly<Record<'events' | 'images' | 'tickets' | 'attendees', number>>;

/** Milliseconds within which the server must have begun. */
const BEGIN = 20_000;

async function run({ kind, postgresUrl, isShort }: Setup) {
  const hits = new Tally();
  const problems: string[] = [];
  const open = { kind, postgresUrl, isPatient: true };
  // The long form first learns how long the transaction takes, undisturbed.
  const time = isShort ? 0 : await withSite(open, timeOfTransaction);
  const moments = momentsOf(isShort, time);
  const kills = moments.length;
  while (moments.length > 0) {
    // Examples that were made after all need another, empty calendar.
    await withSite(open, async (site) => {
      problems.push(...(await killUntilMade(site, moments, hits)));
      problems.push(...(await aftermath(site, { ledger: picturesInDoubt() })));
    });
  }
  for (const when of ['with some pictures', 'within the transaction']) {
    const least = isShort ? 1 : Math.floor(kills / 4);
    if (hits.of(when) < least) problems.push(`the kill hit only ${hits.of(when)} times ${when}: ${hits}`);
  }
  const did = `killed while it fills an empty calendar with examples, ${hits.total} times`;
  return { did, figures: { hit: String(hits), ...(time > 0 && { transaction: `${time.toFixed(0)} ms` }) }, problems };
}

/** Every kill may leave the files of pictures. */
function picturesInDoubt(): Ledger {
  const ledger = new Ledger();
  ledger.filesInDoubt = Infinity;
  return ledger;
}

/** The last picture is the beginning of the transaction. */
function momentsOf(isShort: boolean, time: number): Moment[] {
  if (isShort)
    return [
      { pictures: 2, wait: 0 },
      { pictures: Infinity, wait: 30 },
    ];
  const early = Array.from({ length: 10 }, (_, index) => ({ pictures: index, wait: 0 }));
  const late = Array.from({ length: 10 }, (_, index) => ({ pictures: Infinity, wait: (time * index) / 9 }));
  return [...early, ...late];
}

async function timeOfTransaction(site: Site): Promise<number> {
  const { images } = await announced(site);
  const made = make(site);
  await untilPictures(site, { before: 0, count: images });
  const began = performance.now();
  await made;
  return performance.now() - began;
}

const make = (site: Site): Promise<RaceAnswer | undefined> => site.ask('POST admin:/examples').catch(() => undefined);

/** Result of a dry run. */
async function announced(site: Site): Promise<Counts & { is_possible: boolean }> {
  const { status, body } = await site.ask('POST admin:/examples', { body: { dry_run: true } });
  if (status !== 200) throw new Error(`a dry run is answered ${status}`);
  return body;
}

/** Kills at one moment after the other, which it takes from the list, until the examples are there. */
async function killUntilMade(site: Site, moments: Moment[], hits: Tally): Promise<string[]> {
  const problems: string[] = [];
  const counts = await announced(site);
  const empty = await measure(site.db);
  for (let moment = moments.shift(); moment; moment = moments.shift()) {
    const hit = await killAt(site, moment, counts);
    const changes = changesFrom(empty, await measure(site.db));
    hits.add(whereOf(hit, counts, changes.size > 0));
    problems.push(...(await findWrong(site, changes, { counts, isAcknowledged: hit.isAnswered })));
    if (changes.size > 0) return problems;
  }
  // Remains of the kills are no obstacle.
  const last = await make(site);
  if (last?.status !== 200) problems.push(`the last try is answered ${last?.status} ${JSON.stringify(last?.body)}`);
  const changes = changesFrom(empty, await measure(site.db));
  return [...problems, ...(await findWrong(site, changes, { counts, isAcknowledged: true }))];
}

interface Hit {
  isAnswered: boolean;
  /** Pictures that were written before the kill. */
  pictures: number;
}

async function killAt(site: Site, { pictures, wait }: Moment, { images }: Counts): Promise<Hit> {
  const before = await countPictures(site);
  const answer = make(site);
  await untilPictures(site, { before, count: Math.min(pictures, images) });
  await Promise.race([delay(wait), answer]);
  await site.end(0, 'SIGKILL');
  const isAnswered = (await answer) !== undefined;
  const written = (await countPictures(site)) - before;
  await site.restart(0);
  return { isAnswered, pictures: written };
}

function whereOf({ isAnswered, pictures }: Hit, { images }: Counts, isMade: boolean): string {
  if (isMade) return isAnswered ? 'after the response' : 'before the response';
  if (pictures === 0) return 'before the first picture';
  return pictures < images ? 'with some pictures' : 'within the transaction';
}

/** All of it or nothing, and files without a record at most. */
async function findWrong(
  site: Site,
  changes: Measures,
  { counts, isAcknowledged }: { counts: Counts; isAcknowledged: boolean },
): Promise<string[]> {
  const problems = await findDamage(site, Infinity);
  const isMade = changes.size > 0;
  if (isAcknowledged && !isMade) problems.push('the examples were acknowledged and are not there');
  const whole = {
    ...{ 'events.rows': counts.events, 'media.rows': counts.images, 'tickets.rows': counts.tickets },
    ...{ 'attendees.rows': counts.attendees, 'audit.rows': 1 },
  };
  const differing = Object.entries(whole).filter(([name, count]) => isMade && changes.get(name) !== count);
  problems.push(...differing.map(([name, count]) => `${name}: ${changes.get(name) ?? 0} of ${count} are there`));
  const { is_possible } = await announced(site);
  if (is_possible === isMade) problems.push(`made: ${isMade}, possible: ${is_possible}: ${textOfMeasures(changes)}`);
  return problems;
}

async function countPictures({ data }: Site): Promise<number> {
  const files = await readdir(join(data, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => []);
  return new Set(files.flatMap((file) => (file.isFile() ? [originalOf(file.name)] : []))).size;
}

async function untilPictures(site: Site, { before, count }: { before: number; count: number }): Promise<void> {
  const until = performance.now() + BEGIN;
  while ((await countPictures(site)) < before + count) {
    if (performance.now() > until) throw new Error(`fewer than ${count} pictures after ${BEGIN / 1000} s`);
    await delay(1);
  }
}

export const killExamples: Part = {
  name: 'kill-examples',
  about:
    'The process is killed while it fills the calendar with examples: all of them or none, and the next try works.',
  databases: DATABASES,
  usual: 'sqlite',
  run,
};
